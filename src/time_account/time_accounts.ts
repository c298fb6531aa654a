import { addDays, earliestOf, firstOfMonth, type DateRange, type LocalDate } from '../calendar/dates.ts';
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
import { groupBy } from '../core/group_by.ts';
import type { Db } from '../db/connection.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import type { AccountInRange, AccountWithHistory, ConfirmedDay, DaysOfAccount } from './account_in_range.ts';
import { closedBalances, closedMonths, openWork } from './closed_months.ts';
import { finishedWork } from './finished_work.ts';
import { forEachUser } from './for_each_user.ts';
import { keptBalances } from './kept_months.ts';
import { userDays, type UserDays } from './user_days.ts';

/** The time account of each user, by id. The number of statements is the same for any number of users and days. */
export async function timeAccounts(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, AccountInRange>> {
  const accounts = await accountsWithHistory(db, accountId, userIds, range);
  return forEachUser(accounts, ({ known, ...own }) => ({
    ...own,
    opening: balanceBefore(own.account, range.from, known),
  }));
}

/** The time account of each user since the last month that is closed or kept, with its balance, or since the start of accounting. */
export async function accountsWithHistory(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, AccountWithHistory>> {
  const users = await userDays(db, accountId, userIds);
  const kept = await keptBalances(db, accountId, userIds, range.from);
  const closed = await closedBalances(db, accountId, userIds, range.from);
  const latest = (id: number): KnownBalance | undefined => {
    const [one, other] = [closed.get(id), kept.get(id)];
    return one && (!other || other.date <= one.date) ? one : other;
  };
  const firstDays = [...users].map(
    ([id, { calendar }]) => latest(id)?.date ?? firstOfMonth(calendar.start_of_accounting),
  );
  const from = earliestOf([range.from, ...firstDays]);
  const accounts = await accountsWithin(db, accountId, users, { from, to: range.to });
  const known = ({ days, account }: DaysOfAccount): KnownBalance => latest(days.userId) ?? initialBalanceOf(account);
  return new Map([...accounts].map(([id, own]) => [id, { ...own, known: known(own) }]));
}

/** The time account of each user, as far as the days of a range depend on it. It tells nothing of balances. */
export async function accountsWithin(
  db: Db,
  accountId: number,
  users: ReadonlyMap<number, UserDays>,
  range: DateRange,
): Promise<ReadonlyMap<number, DaysOfAccount>> {
  const userIds = [...users.keys()];
  const work = groupBy(await finishedWork(db, accountId, userIds, range), ({ userId }) => userId);
  const closed = await closedMonths(db, accountId, userIds, range);
  const absences = groupBy(await confirmedDays(db, accountId, userIds, range), ({ user_id }) => user_id);
  const entries = groupBy(await entryRows(db, accountId, userIds, range), ({ user_id }) => user_id);
  return forEachUser(users, (days, id) => {
    const months = closed.get(id);
    const closedDays = months?.days ?? new Map();
    const own = {
      work: openWork(work.get(id) ?? [], days.zone, months),
      absences: (absences.get(id) ?? []).filter(({ date }) => !closedDays.has(date)),
    };
    const account: TimeAccount = {
      calendar: days.calendar,
      initialBalance: days.initialSeconds,
      work: groupWorkByDate(own.work, ({ date }) => date),
      absences: groupBy(own.absences, ({ date }) => date),
      entries: groupBy(entries.get(id) ?? [], ({ date }) => date),
      closed: closedDays,
    };
    return { ...own, days, account, closed: closedDays };
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
