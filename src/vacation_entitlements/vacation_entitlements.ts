import type { components } from '../../generated/public.ts';
import { vacationByDate } from '../calendar/absence_totals.ts';
import { daysShown } from '../calendar/amounts.ts';
import { spendVacation, spentOf } from '../calendar/vacation/entitlement_spending.ts';
import { transferredTo } from '../calendar/vacation/vacation_summary.ts';
import { refuse, type Problem } from '../core/errors.ts';
import type { Names } from '../core/names.ts';
import type { Actor } from '../core/permissions.ts';
import { pick } from '../core/pick.ts';
import { dayOfIso, localDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { number } from '../db/list/filters.ts';
import { list, type Selection } from '../db/list/list.ts';
import { referred } from '../db/names.ts';
import type { UserRow } from '../users/rows.ts';
import { findUser, userNamed } from '../users/users.ts';
import { vacationAccountOf } from '../users/vacation_account.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';

/** A new entitlement. Its days are plain days, or times that lie in them. The period goes by two pairs of names. */
type NewEntitlement = components['schemas']['VacationEntitlementCreation']['vacation_times'];

/** The attributes that are stored as they come. */
const storedAttributes = ['title', 'planned_days', 'expires', 'transfer_remaining'] as const;

const entitlementRows = (db: Db, accountId: number) =>
  db
    .selectFrom('vacation_entitlements')
    .where('vacation_entitlements.account_id', '=', accountId)
    .selectAll('vacation_entitlements');

export type EntitlementRow = Awaited<ReturnType<ReturnType<typeof entitlementRows>['executeTakeFirstOrThrow']>> & {
  readonly spent_days: number;
};

/** Gives a user vacation days for a period, both ends included. The default is this year. */
export async function createEntitlement(
  db: Db,
  actor: Actor,
  names: Names,
  input: NewEntitlement,
  now: Date,
): Promise<EntitlementRow> {
  const { accountId } = actor;
  const { row: user, problems } = await referred(names, 'user of this enterprise', () => userNamed(db, actor, names));
  const period = periodOf(input, user ? await zoneOf(db, user) : 'UTC', now);
  refuse([...problems, ...synonymProblems(input), ...periodProblems(period)]);
  const row = await db
    .insertInto('vacation_entitlements')
    .values({
      ...pick(input, storedAttributes),
      ...period,
      account_id: accountId,
      user_id: user!.id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const [created] = await withSpentDays(db, user!, [row], now);
  return created!;
}

/** The entitlements of a user that overlap the days from `start_date` to `end_date`, both included and both optional. */
export async function listEntitlements(
  db: Db,
  actor: Actor,
  names: Names,
  range: { start_date?: string; end_date?: string },
  selection: Selection,
  now: Date,
) {
  const { accountId } = actor;
  const user = await findUser(db, actor, names);
  const zone = await zoneOf(db, user);
  let visible = db
    .selectFrom('vacation_entitlements')
    .where('vacation_entitlements.account_id', '=', accountId)
    .where('vacation_entitlements.user_id', '=', user.id);
  if (range.start_date !== undefined)
    visible = visible.where('vacation_entitlements.ends_at', '>=', dayOfIso(range.start_date, zone));
  if (range.end_date !== undefined)
    visible = visible.where('vacation_entitlements.starts_at', '<=', dayOfIso(range.end_date, zone));
  const { rows, paging } = await list(
    db,
    {
      visible,
      rows: entitlementRows(db, accountId),
      id: 'vacation_entitlements.id',
      columns: { id: number('vacation_entitlements.id') },
      timeZone: zone,
    },
    selection,
  );
  return { rows: await withSpentDays(db, user, rows, now), paging };
}

async function withSpentDays(
  db: Db,
  user: UserRow,
  rows: readonly Omit<EntitlementRow, 'spent_days'>[],
  now: Date,
): Promise<EntitlementRow[]> {
  const { entitlements, confirmed } = await vacationAccountOf(db, user.account_id, user.id);
  const charges = spendVacation(entitlements, vacationByDate(confirmed));
  const today = localDay(now, await zoneOf(db, user));
  const transferred = transferredTo(entitlements, charges, today);
  return rows.map((row) => ({
    ...row,
    spent_days: daysShown(spentOf(charges, row.id)),
    transferred_days: daysShown(transferred.get(row.id) ?? 0),
  }));
}

/** The zone of a user's days: that of their first workspace, otherwise their own. */
async function zoneOf(db: Db, user: UserRow): Promise<string> {
  const [workspace] = await workspacesByIds(db, { accountId: user.account_id }, user.workspace_ids);
  return workspace?.time_zone ?? user.time_zone ?? 'UTC';
}

interface Period {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly end_of_transfer_period: string | null;
}

function periodOf(input: NewEntitlement, zone: string, now: Date): Period {
  const year = localDay(now, zone).slice(0, 4);
  return {
    starts_at: dayOfIso(input.start_date ?? input.starts_at ?? `${year}-01-01`, zone),
    ends_at: dayOfIso(input.end_date ?? input.ends_at ?? `${year}-12-31`, zone),
    end_of_transfer_period:
      input.end_of_transfer_period === undefined ? null : dayOfIso(input.end_of_transfer_period, zone),
  };
}

function synonymProblems(input: NewEntitlement): Problem[] {
  const differs = (one: 'start_date' | 'end_date', other: 'starts_at' | 'ends_at'): Problem[] =>
    input[one] === undefined || input[other] === undefined || input[one] === input[other]
      ? []
      : [
          {
            pointer: other,
            title: `${other} and ${one} mean the same, but were "${input[other]}" and "${input[one]}".`,
          },
        ];
  return [...differs('start_date', 'starts_at'), ...differs('end_date', 'ends_at')];
}

function periodProblems({ starts_at, ends_at, end_of_transfer_period }: Period): Problem[] {
  const problems: Problem[] = [];
  if (ends_at < starts_at)
    problems.push({
      pointer: 'ends_at',
      title: `ends_at must not lie before starts_at, which is ${starts_at}, but was ${ends_at}.`,
    });
  if (end_of_transfer_period !== null && end_of_transfer_period <= ends_at) {
    const title = `end_of_transfer_period must lie after ends_at, which is ${ends_at}, but was ${end_of_transfer_period}.`;
    problems.push({ pointer: 'end_of_transfer_period', title });
  }
  return problems;
}
