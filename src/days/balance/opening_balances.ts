import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  addDays,
  addMonths,
  dayNumberOf,
  earliestOf,
  firstOfMonth,
  latestOf,
  type DateRange,
  type LocalDate,
} from '../calendar/dates.ts';
import { balanceBefore } from '../calendar/day_ledger.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import { closedBalances, type AccountedUsers } from './closed_months.ts';
import { cachedChanges } from './month_cache.ts';
import { summedAccounts } from './summed_accounts.ts';

/** How many days of users are read at a time. With the embedded database, the process serves nobody else meanwhile. */
const daysAtOnce = 366;

/**
 * The balance of each user at the beginning of a day: the initial one, or that of closed months, and what has changed since. Months
 * that are not cached are read from the records, in steps.
 */
export async function openingBalances(
  db: Db,
  accountId: number,
  { users, closed }: AccountedUsers,
  date: LocalDate,
): Promise<ReadonlyMap<number, Figures>> {
  const known = await closedBalances(db, accountId, closed, date);
  const firstDays = new Map(
    [...users].map(([id, { calendar }]) => [id, known.get(id)?.date ?? calendar.start_of_accounting]),
  );
  const cached = await cachedChanges(db, accountId, firstDays, date);
  const balances = new Map(
    [...users].map(([id, { initialSeconds }]): [number, Figures] => {
      const { all, confirmed } = known.get(id)?.balance ?? { all: initialSeconds, confirmed: initialSeconds };
      const { change } = cached.get(id)!;
      return [id, { all: all + change.all, confirmed: confirmed + change.confirmed }];
    }),
  );
  const missing = [...firstDays].flatMap(([id, firstDay]) =>
    monthsBefore(date, firstDay)
      .filter((month) => !cached.get(id)!.months.has(month))
      .map((month) => ({ id, month })),
  );
  for (const { range, months } of stepsOf(missing, date)) {
    const own = new Map([...months.keys()].map((id) => [id, users.get(id)!]));
    const accounts = await summedAccounts(db, accountId, { users: own, closed }, range);
    for (const [id, account] of accounts)
      for (const { month } of months.get(id)!) {
        const end = earliestOf([addMonths(month, 1), date]);
        balances.set(id, balanceBefore(account, end, { date: month, balance: balances.get(id)! }));
      }
    await nextTurn();
  }
  return balances;
}

/** The months from that of a day to another day. The last one can be incomplete. */
function monthsBefore(date: LocalDate, firstDay: LocalDate): LocalDate[] {
  const months: LocalDate[] = [];
  if (firstDay < date)
    for (let month = firstOfMonth(firstDay); month < date; month = addMonths(month, 1)) months.push(month);
  return months;
}

interface MonthOfUser {
  readonly id: number;
  readonly month: LocalDate;
}

interface Step {
  readonly range: DateRange;
  /** By the user's id. */
  readonly months: ReadonlyMap<number, readonly MonthOfUser[]>;
}

/** Divides months into those of a year and of some users. */
function* stepsOf(missing: readonly MonthOfUser[], date: LocalDate): Generator<Step> {
  for (const ofYear of groupBy(missing, ({ month }) => month.slice(0, 4)).values()) {
    const months = ofYear.map(({ month }) => month);
    const next = earliestOf([addMonths(latestOf(months), 1), date]);
    const range = { from: earliestOf(months), to: addDays(next, -1) };
    const usersAtOnce = Math.ceil(daysAtOnce / (dayNumberOf(next) - dayNumberOf(range.from)));
    const users = [...groupBy(ofYear, ({ id }) => id)];
    for (let done = 0; done < users.length; done += usersAtOnce)
      yield { range, months: new Map(users.slice(done, done + usersAtOnce)) };
  }
}
