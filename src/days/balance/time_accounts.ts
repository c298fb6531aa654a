import { setImmediate as nextTurn } from 'node:timers/promises';
import { addDays, earliestOf, firstOfMonth, latestOf, type DateRange, type LocalDate } from '../calendar/dates.ts';
import {
  balanceBefore,
  dayLedgerAfter,
  initialBalanceOf,
  type KnownBalance,
  type LedgerDay,
  type TimeAccountEntry,
  type TimeAccount,
} from '../calendar/day_ledger.ts';
import { groupWorkByDate, type Figures } from '../calendar/work_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import type { AccountInRange, AccountWithHistory, ConfirmedDay, DaysOfAccount } from './account_in_range.ts';
import { closedBalances, closedDays, closedMonths, openWork, type ClosedMonths } from './closed_months.ts';
import { dailyWork } from './daily_work.ts';
import { finishedWork } from './finished_work.ts';
import { forEachUser } from './for_each_user.ts';
import { cachedBalances } from './month_cache.ts';
import { userDays, type UserDays } from './user_days.ts';

/** Users, and where their time accounts are closed, both by id. */
export interface AccountedUsers {
  readonly users: ReadonlyMap<number, UserDays>;
  readonly closed: ReadonlyMap<number, ClosedMonths>;
}

export const accountedUsers = async (
  db: Db,
  accountId: number,
  userIds: readonly number[],
): Promise<AccountedUsers> => ({
  users: await userDays(db, accountId, userIds),
  closed: await closedMonths(db, accountId, userIds),
});

/** The time account of each user, by id. The number of statements is the same for any number of users. */
export const timeAccounts = async (
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, AccountInRange>> =>
  timeAccountsOf(db, accountId, await accountedUsers(db, accountId, userIds), range);

/** The same for users that were read before. */
export async function timeAccountsOf(
  db: Db,
  accountId: number,
  accounted: AccountedUsers,
  range: DateRange,
): Promise<ReadonlyMap<number, AccountInRange>> {
  const accounts = await accountsWithHistory(db, accountId, accounted, range);
  return forEachUser(accounts, async ({ known, ...own }) => ({
    ...own,
    opening: await openingOf(own.account, range.from, known),
  }));
}

/** How many days of history are computed before the process serves other requests. */
const daysAtOnce = 366;

/** The balance at the beginning of a day, in steps. */
async function openingOf(account: TimeAccount, date: LocalDate, known: KnownBalance): Promise<Figures> {
  const next = addDays(known.date, daysAtOnce);
  if (next >= date) return balanceBefore(account, date, known);
  const balance = balanceBefore(account, next, known);
  await nextTurn();
  return openingOf(account, date, { date: next, balance });
}

/**
 * The time account of each user since the last month that is closed or cached, with its balance, or since the start of
 * accounting. Before the range, its work has sums only.
 */
async function accountsWithHistory(
  db: Db,
  accountId: number,
  accounted: AccountedUsers,
  range: DateRange,
): Promise<ReadonlyMap<number, AccountWithHistory>> {
  const balances = await latestBalances(db, accountId, accounted, range.from);
  const firstDays = [...accounted.users].map(
    ([id, { calendar }]) => balances.get(id)?.date ?? firstOfMonth(calendar.start_of_accounting),
  );
  const from = earliestOf([range.from, ...firstDays]);
  const accounts = await accountsWithin(db, accountId, accounted, { from, to: range.to }, range.from);
  const known = ({ days, account }: DaysOfAccount): KnownBalance =>
    balances.get(days.userId) ?? initialBalanceOf(account);
  return new Map([...accounts].map(([id, own]) => [id, { ...own, known: known(own) }]));
}

/** The balance at the end of the last month until a day that is closed or cached, of the users who have one. */
export async function latestBalances(
  db: Db,
  accountId: number,
  { users, closed }: AccountedUsers,
  until: LocalDate,
): Promise<ReadonlyMap<number, KnownBalance>> {
  const latest = new Map(await cachedBalances(db, accountId, [...users.keys()], until));
  for (const [id, balance] of await closedBalances(db, accountId, closed, until))
    if (balance.date >= (latest.get(id)?.date ?? '')) latest.set(id, balance);
  return latest;
}

/** The time account of each user, as far as the days of a range depend on it. It tells nothing of balances. Before `detailed`, its work has sums only. */
export async function accountsWithin(
  db: Db,
  accountId: number,
  { users, closed }: AccountedUsers,
  range: DateRange,
  detailed = range.from,
): Promise<ReadonlyMap<number, DaysOfAccount>> {
  const userIds = [...users.keys()];
  const from = latestOf([range.from, detailed]);
  const sums = await dailyWork(db, accountId, users, closed, { from: range.from, to: addDays(from, -1) });
  const work = groupBy(await finishedWork(db, accountId, userIds, { from, to: range.to }), ({ userId }) => userId);
  const closedByUser = await closedDays(db, accountId, closed, range);
  const absences = groupBy(await confirmedDays(db, accountId, userIds, range), ({ user_id }) => user_id);
  const entries = groupBy(await entryRows(db, accountId, userIds, range), ({ user_id }) => user_id);
  return forEachUser(users, (days, id) => {
    const ownClosed = closedByUser.get(id) ?? new Map();
    const own = {
      work: openWork(work.get(id) ?? [], days.zone, closed.get(id)).filter(({ date }) => date >= from),
      absences: (absences.get(id) ?? []).filter(({ date }) => !ownClosed.has(date)),
    };
    const account: TimeAccount = {
      calendar: days.calendar,
      initialBalance: days.initialSeconds,
      work: new Map([...(sums.get(id) ?? []), ...groupWorkByDate(own.work, ({ date }) => date)]),
      absences: groupBy(own.absences, ({ date }) => date),
      entries: groupBy(entries.get(id) ?? [], ({ date }) => date),
      closed: ownClosed,
    };
    return { ...own, days, account, closed: ownClosed };
  });
}

/** The ledger of a user. */
export const ledgerOf = ({ account, opening }: AccountInRange, range: DateRange): LedgerDay[] =>
  dayLedgerAfter(account, range, opening);

/** The balance of a user at the end of a day. */
export async function balanceAfter(db: Db, accountId: number, userId: number, date: LocalDate): Promise<Figures> {
  const next = addDays(date, 1);
  return (await timeAccounts(db, accountId, [userId], { from: next, to: next })).get(userId)!.opening;
}

const confirmedDays = (
  db: Db,
  accountId: number,
  userIds: readonly number[],
  { from, to }: DateRange,
): Promise<ConfirmedDay[]> =>
  db
    .selectFrom('absence_days as day')
    .innerJoin('absences as absence', (join) =>
      join.on('absence.account_id', '=', accountId).onRef('absence.id', '=', 'day.absence_id'),
    )
    .innerJoin('absence_types as type', (join) =>
      join.on('type.account_id', '=', accountId).onRef('type.id', '=', 'absence.absence_type_id'),
    )
    .select([
      'absence.id',
      'day.user_id',
      'absence.absence_type_id',
      'type.kind',
      'day.date',
      'day.seconds',
      'day.parts',
    ])
    .where('day.account_id', '=', accountId)
    .where(isAnyOf('day.user_id', userIds))
    .where('day.date', '>=', from)
    .where('day.date', '<=', to)
    .where('absence.confirmation_status', '=', 'confirmed')
    .orderBy('day.date')
    .orderBy('absence.id')
    .$castTo<ConfirmedDay>()
    .execute();

const entryRows = (db: Db, accountId: number, userIds: readonly number[], { from, to }: DateRange) =>
  db
    .selectFrom('time_account_entries')
    .select(['user_id', 'date', 'kind', 'seconds'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('id')
    .$castTo<TimeAccountEntry & { readonly user_id: number; readonly date: LocalDate }>()
    .execute();
