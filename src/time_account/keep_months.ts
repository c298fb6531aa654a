import { addDays, firstOfMonth, utcDateOf, type LocalDate } from '../calendar/dates.ts';
import { initialBalanceOf, type KnownBalance } from '../calendar/day_ledger.ts';
import type { TimeSpan } from '../calendar/local_pieces.ts';
import { groupBy } from '../core/group_by.ts';
import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/transactions.ts';
import { breaksOfWork } from './finished_work.ts';
import { keptBalances, lockUnchangedMonths, storeMonths, usersWithoutBalance, type KeptMonth } from './kept_months.ts';
import { sumsOf } from './sums.ts';
import { timeAccounts, type AccountInRange } from './time_accounts.ts';

/** How many users one transaction reads. */
const chunkSize = 50;

/** Keeps the months of everybody that are over, where they are not kept yet. */
export async function keepMonths(db: Db, now: Date): Promise<void> {
  const thisMonth = firstOfMonth(utcDateOf(now));
  let after = { account_id: 0, id: 0 };
  for (;;) {
    const users = await usersWithoutBalance(db, thisMonth, after, chunkSize);
    for (const [accountId, members] of groupBy(users, ({ account_id }) => account_id)) {
      const userIds = members.map(({ id }) => id);
      await keepMonthsOf(db, accountId, userIds, thisMonth);
    }
    if (users.length < chunkSize) return;
    after = users.at(-1)!;
  }
}

/** Users whose time account is being changed are left to the next run. */
const keepMonthsOf = (db: Db, accountId: number, userIds: readonly number[], thisMonth: LocalDate): Promise<void> =>
  forAccount(db, accountId, async (tx) => {
    const free = await lockUnchangedMonths(tx, accountId, userIds);
    const known = await keptBalances(tx, accountId, free, thisMonth);
    const accounts = await timeAccounts(tx, accountId, free, { from: thisMonth, to: thisMonth });
    const work = [...accounts.values()].flatMap((account) => account.work);
    const breaks = await breaksOfWork(tx, accountId, work);
    const months = [...accounts.values()].flatMap((account) =>
      monthsSince(known.get(account.days.userId), account, thisMonth, breaks),
    );
    await storeMonths(tx, accountId, months);
  });

/** The months after a balance that is known, until this one. */
function monthsSince(
  known: KnownBalance | undefined,
  account: AccountInRange,
  thisMonth: LocalDate,
  breaks: ReadonlyMap<number, readonly TimeSpan[]>,
): KeptMonth[] {
  const months: KeptMonth[] = [];
  let { date, balance } = known ?? initialBalanceOf(account.account);
  // Days before the start of accounting change no balance.
  date = firstOfMonth(date);
  while (date < thisMonth) {
    const next = firstOfMonth(addDays(date, 31));
    const sums = sumsOf(account, { from: date, to: addDays(next, -1) }, balance, breaks);
    const { all, confirmed } = sums.totals.change;
    balance = { all: balance.all + all, confirmed: balance.confirmed + confirmed };
    months.push({ userId: account.days.userId, date: next, balance, sums });
    date = next;
  }
  return months;
}
