import { absenceTypesByIds } from '../../absence/absence_types/absence_types.ts';
import type { DateRange } from '../../days/calendar/dates.ts';
import type { Figures } from '../../days/calendar/work_of_day.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { Selection } from '../../platform/db/list/list.ts';
import { accountsWithin } from '../../days/balance/accounts_within.ts';
import { breaksOfWork } from '../../days/balance/finished_work.ts';
import { forEachUser } from '../../days/balance/for_each_user.ts';
import { closedSums } from '../../days/balance/closed_months.ts';
import { cachedSums } from '../../days/balance/month_cache.ts';
import { openingBalances } from '../../days/balance/opening_balances.ts';
import { requireRange } from '../../days/balance/ranges.ts';
import type { AbsencesOfType, Sums } from '../../days/balance/period_sums.ts';
import { sumsOf } from '../../days/balance/sums.ts';
import { accountedUsers } from '../../days/balance/time_accounts.ts';
import { listSummarizedUsers, type SummarizedUser } from './summarized_users.ts';

/** The target, work and credits of a user in a range of days. Amounts are seconds. */
export interface UserSummary extends Sums {
  readonly user: SummarizedUser;
  readonly opening: Figures;
  readonly absences: readonly NamedAbsences[];
}

/** The absences of one type, with its name. */
export interface NamedAbsences extends AbsencesOfType {
  readonly title: string;
  readonly kind: string;
}

/** One page of summaries, of the users whom the actor may read in full and of leavers. */
export async function listUserSummaries(db: Db, actor: WorkspaceActor, range: DateRange, selection: Selection) {
  requireRange(range);
  const { rows: users, paging } = await listSummarizedUsers(db, actor, range, selection);
  const userIds = users.map(({ id }) => id);
  const sums = await sumsOfUsers(db, actor.accountId, userIds, range);
  const named = await withTypeNames(db, actor, sums);
  return { rows: users.map((user): UserSummary => ({ user, ...named.get(user.id)! })), paging };
}

/** Names the types of absences. Those of closed months keep the names that they had. */
export async function withTypeNames<Summed extends Sums>(
  db: Db,
  actor: Actor,
  sums: ReadonlyMap<number, Summed>,
): Promise<ReadonlyMap<number, Summed & { readonly absences: readonly NamedAbsences[] }>> {
  const typeIds = [...sums.values()].flatMap(({ absences }) => absences.map(({ typeId }) => typeId));
  const rows = await absenceTypesByIds(db, actor, [...new Set(typeIds)]);
  const types = new Map(rows.map(({ id, title, kind }) => [id, { title, kind }]));
  const named = (absences: AbsencesOfType): NamedAbsences => ({ ...types.get(absences.typeId)!, ...absences });
  return new Map([...sums].map(([id, own]) => [id, { ...own, absences: own.absences.map(named) }]));
}

/** The sums of each user: those of a closed month, cached ones, and those of the others, from their records. */
async function sumsOfUsers(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, Sums & { readonly opening: Figures }>> {
  const closed = await closedSums(db, accountId, userIds, range);
  const open = userIds.filter((id) => !closed.has(id));
  const cached = await cachedSums(db, accountId, open, range);
  const accounted = await accountedUsers(db, accountId, open);
  const openings = await openingBalances(db, accountId, accounted, range.from);
  const others = new Map([...accounted.users].filter(([id]) => !cached.has(id)));
  const accounts = await accountsWithin(db, accountId, { ...accounted, users: others }, range);
  const work = [...accounts.values()].flatMap((account) => account.work);
  const breaks = await breaksOfWork(db, accountId, work);
  const computed = await forEachUser(accounts, (account) => sumsOf(account, range, breaks));
  const sums = [...cached, ...computed].map(([id, own]) => [id, { ...own, opening: openings.get(id)! }] as const);
  return new Map([...closed, ...sums]);
}
