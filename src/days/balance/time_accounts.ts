import { addDays, type DateRange, type LocalDate } from '../calendar/dates.ts';
import { dayLedgerAfter, type LedgerDay } from '../calendar/day_ledger.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { AccountInRange } from './account_in_range.ts';
import { accountsWithin } from './accounts_within.ts';
import { closedMonths, type AccountedUsers } from './closed_months.ts';
import { openingBalances } from './opening_balances.ts';
import { userDays } from './user_days.ts';

export const accountedUsers = async (
  db: Db,
  accountId: number,
  userIds: readonly number[],
): Promise<AccountedUsers> => ({
  users: await userDays(db, accountId, userIds),
  closed: await closedMonths(db, accountId, userIds),
});

/** The time account of each user, by id. The number of statements grows with what is not cached, and not with the users. */
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
  const openings = await openingBalances(db, accountId, accounted, range.from);
  const accounts = await accountsWithin(db, accountId, accounted, range);
  return new Map([...accounts].map(([id, own]) => [id, { ...own, opening: openings.get(id)! }]));
}

/** The ledger of a user. */
export const ledgerOf = ({ account, opening }: AccountInRange, range: DateRange): LedgerDay[] =>
  dayLedgerAfter(account, range, opening);

/** The balance of a user at the end of a day. */
export async function balanceAfter(db: Db, accountId: number, userId: number, date: LocalDate): Promise<Figures> {
  const next = addDays(date, 1);
  return (await timeAccounts(db, accountId, [userId], { from: next, to: next })).get(userId)!.opening;
}
