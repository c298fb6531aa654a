import { addDays, addMonths, type DateRange, type LocalDate } from '../../days/calendar/dates.ts';
import { dayLedgerAfter } from '../../days/calendar/day_ledger.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { vacationOn } from '../../time_account/evaluations/evaluations.ts';
import { lastChanges } from '../../time_account/evaluations/last_changes.ts';
import type { AccountInRange } from '../../days/balance/account_in_range.ts';
import type { ClosedDay } from '../../days/balance/period_sums.ts';
import type { AccountedUsers, ClosedSums } from '../../days/balance/closed_months.ts';
import { breaksOfWork } from '../../days/balance/finished_work.ts';
import { forEachUser } from '../../days/balance/for_each_user.ts';
import { sumsOf } from '../../days/balance/sums.ts';
import { timeAccountsOf } from '../../days/balance/time_accounts.ts';
import { withTypeNames } from '../../time_account/user_summaries/user_summaries.ts';

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
  accounted: AccountedUsers,
  month: LocalDate,
): Promise<ReadonlyMap<number, Snapshot>> {
  const range = monthOf(month);
  const accounts = await timeAccountsOf(db, actor.accountId, accounted, range);
  const work = [...accounts.values()].flatMap((account) => account.work);
  const breaks = await breaksOfWork(db, actor.accountId, work);
  const changes = await lastChanges(db, actor.accountId, [...accounted.users.values()], range);
  const days = await forEachUser(accounts, (account, id) => closedDays(account, range, breaks, changes.get(id)!));
  const sums = await forEachUser(accounts, (account) => ({
    opening: account.opening,
    ...sumsOf(account, range, breaks),
  }));
  const named = await withTypeNames(db, actor, sums);
  return new Map([...days].map(([id, own]) => [id, { sums: named.get(id)!, days: own }]));
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
    const { nightAndHoliday, absences: amounts } = sumsOf(own, { from: date, to: date }, breaks);
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
