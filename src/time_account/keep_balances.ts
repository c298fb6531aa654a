import { addDays, firstOfMonth, utcDateOf, type LocalDate } from '../calendar/dates.ts';
import { balanceBefore, initialBalanceOf, type KnownBalance } from '../calendar/day_ledger.ts';
import { groupBy } from '../core/group_by.ts';
import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/transactions.ts';
import { keptBalances, lockUnchangedBalances, storeBalances, usersWithoutBalance } from './kept_balances.ts';
import { timeAccounts, type AccountInRange } from './time_accounts.ts';

/** How many users one transaction reads. */
const chunkSize = 50;

/** Keeps the balances of everybody at the beginning of this month and of those before it, where they are not kept yet. */
export async function keepBalances(db: Db, now: Date): Promise<void> {
  const month = firstOfMonth(utcDateOf(now));
  let after = { account_id: 0, id: 0 };
  for (;;) {
    const users = await usersWithoutBalance(db, month, after, chunkSize);
    for (const [accountId, members] of groupBy(users, ({ account_id }) => account_id))
      await keepBalancesOf(
        db,
        accountId,
        members.map(({ id }) => id),
        month,
      );
    if (users.length < chunkSize) return;
    after = users.at(-1)!;
  }
}

/** Users whose time account is being changed are left to the next run. */
const keepBalancesOf = (db: Db, accountId: number, userIds: readonly number[], month: LocalDate): Promise<void> =>
  forAccount(db, accountId, async (tx) => {
    const free = await lockUnchangedBalances(tx, accountId, userIds);
    const kept = await keptBalances(tx, accountId, free, month);
    const accounts = await timeAccounts(tx, accountId, free, { from: month, to: month });
    const balances = [...accounts].flatMap(([userId, account]) =>
      monthlyBalances(account, kept.get(userId), month).map((known) => ({ ...known, userId })),
    );
    await storeBalances(tx, accountId, balances);
  });

/** The balances at the beginning of each month, from the one after the last that is known. */
function monthlyBalances(
  { account }: AccountInRange,
  known: KnownBalance | undefined,
  last: LocalDate,
): KnownBalance[] {
  const balances: KnownBalance[] = [];
  let latest = known ?? initialBalanceOf(account);
  for (let date = nextMonth(latest.date); date <= last; date = nextMonth(date)) {
    latest = { date, balance: balanceBefore(account, date, latest) };
    balances.push(latest);
  }
  return balances;
}

const nextMonth = (date: LocalDate): LocalDate => firstOfMonth(addDays(firstOfMonth(date), 31));
