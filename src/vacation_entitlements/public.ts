import type { components } from '../../generated/public.ts';
import { spentDays } from '../absences/entitlements.ts';
import { refuse } from '../core/errors.ts';
import { refIn } from '../core/names.ts';
import { dayOfIso, localDay, utcForm } from '../core/time.ts';
import { referred } from '../db/names.ts';
import { pageIn, pageMembers } from '../http/pages.ts';
import { publicApi } from '../http/public.ts';
import { findUser, userNamed } from '../users/users.ts';
import { createEntitlement, listEntitlements, zoneOfUser, type EntitlementRow } from './vacation_entitlements.ts';

const presentEntitlement = (row: EntitlementRow, spent: ReadonlyMap<number, number>): components['schemas']['VacationEntitlement'] => ({
  id: row.id,
  user_id: row.user_id,
  title: row.title,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  planned_days: row.planned_days,
  spent_days: spent.get(row.id) ?? 0,
  transferred_days: row.transferred_days,
  expires: row.expires,
  transfer_remaining: row.transfer_remaining,
  end_of_transfer_period: row.end_of_transfer_period,
  transferred_to: null,
  import_id: null,
  status: row.status,
  locked: row.locked,
  created_at: utcForm(row.created_at),
  updated_at: utcForm(row.updated_at),
});

export const vacationEntitlementHandlers = publicApi.part({
  async listVacationEntitlements(call) {
    const { db, actor, query } = call;
    const user = await findUser(db, actor, refIn('user_', query));
    const zone = await zoneOfUser(db, user);
    const days = { from: query.start_date && dayOfIso(query.start_date, zone), to: query.end_date && dayOfIso(query.end_date, zone) };
    const { rows, paging } = await listEntitlements(db, actor, user.id, days, pageIn(call));
    const spent = await spentDays(db, actor.accountId, user.id);
    return { vacation_times: rows.map((row) => presentEntitlement(row, spent)), ...pageMembers(paging, call) };
  },

  async createVacationEntitlement({ db, actor, body, now }) {
    const { title, planned_days, expires, transfer_remaining, ...given } = body.vacation_times;
    const names = refIn('user_', given);
    const { row: user, problems } = await referred(names, 'user of this enterprise', () => userNamed(db, actor, names));
    refuse(problems);
    const zone = await zoneOfUser(db, user!);
    const year = localDay(now, zone).slice(0, 4);
    const period = {
      starts_at: dayOfIso(given.start_date ?? given.starts_at ?? `${year}-01-01`, zone),
      ends_at: dayOfIso(given.end_date ?? given.ends_at ?? `${year}-12-31`, zone),
      end_of_transfer_period: given.end_of_transfer_period && dayOfIso(given.end_of_transfer_period, zone),
    };
    const row = await createEntitlement(db, actor, user!.id, { title, planned_days, expires, transfer_remaining, ...period }, now);
    return { vacation_times: [presentEntitlement(row, await spentDays(db, actor.accountId, user!.id))] };
  },
});
