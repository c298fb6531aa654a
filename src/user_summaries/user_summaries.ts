import { absenceTypesByIds } from '../absence_types/absence_types.ts';
import { addDays, type DateRange } from '../calendar/dates.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Selection } from '../db/list/list.ts';
import { breaksOfWork } from '../time_account/finished_work.ts';
import { forEachUser } from '../time_account/for_each_user.ts';
import { closedSums } from '../time_account/closed_months.ts';
import { keptSums } from '../time_account/kept_months.ts';
import { requireRange } from '../time_account/ranges.ts';
import type { AbsencesOfType, Sums } from '../time_account/period_sums.ts';
import { sumsOf } from '../time_account/sums.ts';
import { timeAccounts } from '../time_account/time_accounts.ts';
import { listSummarizedUsers, type SummarizedUser } from './summarized_users.ts';

/** What a user owed, worked and was credited in a range of days. Amounts are seconds. */
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

/** The sums of each user: those of a closed month, those that are kept, and those of the others, from their records. */
async function sumsOfUsers(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, Sums & { readonly opening: Figures }>> {
  const closed = await closedSums(db, accountId, userIds, range);
  const open = userIds.filter((id) => !closed.has(id));
  const kept = await keptSums(db, accountId, open, range);
  const others = open.filter((id) => !kept.has(id));
  const accounts = await timeAccounts(db, accountId, others, range);
  // An account also has the work before the range. A local day is at most one day before that of UTC.
  const earliest = new Date(addDays(range.from, -1));
  const work = [...accounts.values()].flatMap((account) =>
    account.work.filter(({ starts_at }) => starts_at >= earliest),
  );
  const breaks = await breaksOfWork(db, accountId, work);
  const computed = await forEachUser(accounts, (account) => {
    const { opening } = account;
    return { opening, ...sumsOf(account, range, opening, breaks) };
  });
  return new Map([...closed, ...kept, ...computed]);
}
