import { addDays, addMonths, type DateRange, type LocalDate } from '../calendar/dates.ts';
import { dayLedgerAfter } from '../calendar/day_ledger.ts';
import { groupBy } from '../core/group_by.ts';
import type { Actor } from '../core/permissions.ts';
import { startOfLocalDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { vacationOn } from '../evaluations/evaluations.ts';
import { lastChanges } from '../evaluations/last_changes.ts';
import type { AccountInRange } from '../time_account/account_in_range.ts';
import type { ClosedDay } from '../time_account/closed_day.ts';
import type { ClosedSums } from '../time_account/closed_months.ts';
import { breaksOfWork } from '../time_account/finished_work.ts';
import { forEachUser } from '../time_account/for_each_user.ts';
import { sumsOf } from '../time_account/sums.ts';
import { timeAccounts } from '../time_account/time_accounts.ts';
import { withTypeNames } from '../user_summaries/user_summaries.ts';

/** The figures of a month: its sums, and each of its days. */
export interface Snapshot {
  readonly sums: ClosedSums;
  readonly days: readonly ClosedDay[];
}

/** The days of a month, given its first. */
export const monthOf = (first: LocalDate): DateRange => ({ from: first, to: addDays(addMonths(first, 1), -1) });

/** The figures of a month of each user, by id. The number of statements is the same for any number of users. */
export async function snapshotsOf(
  db: Db,
  actor: Actor,
  userIds: readonly number[],
  month: LocalDate,
): Promise<ReadonlyMap<number, Snapshot>> {
  const range = monthOf(month);
  const accounts = await timeAccounts(db, actor.accountId, userIds, range);
  const work = [...accounts.values()].flatMap((account) => account.work.filter(({ date }) => date >= month));
  const breaks = await breaksOfWork(db, actor.accountId, work);
  const users = [...accounts.values()].map(({ days }) => days);
  const changes = await lastChanges(db, actor.accountId, users, range);
  const days = await forEachUser(accounts, (account, id) => closedDays(account, range, breaks, changes.get(id)!));
  const sums = await forEachUser(accounts, (account) => {
    const { opening } = account;
    return { opening, ...sumsOf(account, range, opening, breaks) };
  });
  const named = await withTypeNames(db, actor, sums);
  return new Map(userIds.map((id) => [id, { sums: named.get(id)!, days: days.get(id)! }]));
}

type Breaks = Awaited<ReturnType<typeof breaksOfWork>>;

function closedDays(
  account: AccountInRange,
  range: DateRange,
  breaks: Breaks,
  changes: ReadonlyMap<LocalDate, Date>,
): ClosedDay[] {
  const work = groupBy(account.work, ({ date }) => date);
  const absences = groupBy(account.absences, ({ date }) => date);
  return dayLedgerAfter(account.account, range, account.opening).map((day) => {
    const { date } = day;
    const own = { ...account, work: work.get(date) ?? [], absences: absences.get(date) ?? [] };
    const { nightAndHoliday, absences: amounts } = sumsOf(own, { from: date, to: date }, account.opening, breaks);
    const changedAt = changes.get(date) ?? startOfLocalDay(date, account.days.zone);
    return {
      ...day,
      nightAndHoliday,
      absences: amounts,
      vacationId: vacationOn(day, own.absences),
      changedAt: changedAt.toISOString(),
    };
  });
}
