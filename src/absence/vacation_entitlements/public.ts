import type { components } from '../../../generated/public.ts';
import { idIn, refIn } from '../../platform/core/names.ts';
import { utcForm } from '../../platform/core/time.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import type { EntitlementRow } from './rows.ts';
import {
  createEntitlementFor,
  deleteEntitlement,
  listEntitlementsInRange,
  updateEntitlement,
} from './vacation_entitlements.ts';

const presentEntitlement = (row: EntitlementRow): components['schemas']['VacationEntitlement'] => ({
  id: row.id,
  user_id: row.user_id,
  title: row.title,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  planned_days: row.planned_days,
  spent_days: row.spent_days,
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
    const { db, actor, query, now } = call;
    const { rows, paging } = await listEntitlementsInRange(db, actor, refIn('user_', query), query, pageIn(call), now);
    return { vacation_times: rows.map(presentEntitlement), ...pageMembers(paging, call) };
  },

  async createVacationEntitlement({ db, actor, body: { vacation_times: input }, now }) {
    const { row } = await createEntitlementFor(db, actor, refIn('user_', input), input, now);
    return { vacation_times: [presentEntitlement(row)] };
  },

  async updateVacationEntitlement({ db, actor, body: { vacation_times: input }, now }) {
    const { row } = await updateEntitlement(db, actor, { id: input.id }, input, now);
    return { vacation_times: [presentEntitlement(row)] };
  },

  async deleteVacationEntitlement({ db, actor, body, query, now }) {
    await deleteEntitlement(db, actor, { id: idIn('id', body?.vacation_times, query) }, now);
  },
});
