import { addDays, addMonths, firstOfMonth, utcDateOf, type LocalDate } from '../calendar/dates.ts';
import type { Db } from '../../platform/db/connection.ts';
import { allAccounts } from '../../platform/db/distribution/all_accounts.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { findSetting, storeSetting } from '../../platform/db/service_settings.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { breaksOfWork } from './finished_work.ts';
import { forEachUser } from './for_each_user.ts';
import { lockUnchangedMonths, storeMonths, usersWithoutBalance, type CachedMonth } from './month_cache.ts';
import { sumsOf } from './sums.ts';
import { accountedUsers, latestBalances, timeAccountsOf, type AccountedUsers } from './time_accounts.ts';
import type { UserDays } from './user_days.ts';

/** How many users one transaction reads. With the embedded database, the process serves nobody while a statement reads their year. */
const chunkSize = 8;

/** How many months before this one are cached. Older ones are seldom asked for. */
const cachedMonths = 13;
const firstCached = (thisMonth: LocalDate): LocalDate => addMonths(thisMonth, -cachedMonths);

/** How long a run takes at most. The queue gives a job five minutes. */
const longestMs = 240_000;

/** The setting with the account at which the last run stopped, if it did not reach the end. */
const stoppedAt = 'months_kept_up_to';

/** Stores the last months of all users that are not stored yet. A run that takes too long is continued by the next one. */
export async function fillMonthCache(db: Db, now: Date): Promise<void> {
  const thisMonth = firstOfMonth(utcDateOf(now));
  const untilMs = performance.now() + longestMs;
  const errors: unknown[] = [];
  let stop = 0;
  for await (const accountId of allAccounts(db, Number((await findSetting(db, stoppedAt)) ?? 0))) {
    await fillForAccount(db, accountId, thisMonth).catch((error: unknown) => errors.push(error));
    if (performance.now() < untilMs) continue;
    stop = accountId;
    break;
  }
  await storeSetting(db, stoppedAt, String(stop));
  if (errors.length > 0) throw errors[0];
}

async function fillForAccount(db: Db, accountId: number, thisMonth: LocalDate): Promise<void> {
  let userIds: number[] = [];
  do {
    userIds = await usersWithoutBalance(db, accountId, thisMonth, userIds.at(-1) ?? 0, chunkSize);
    if (userIds.length > 0) await cacheMonthsOf(db, accountId, userIds, thisMonth);
  } while (userIds.length === chunkSize);
}

/**
 * Caches the last months of some users, one month after the other, each from the balance of the one before. Users whose time
 * account is being changed are left to the next run.
 */
export const cacheMonthsOf = (
  db: Db,
  accountId: number,
  userIds: readonly number[],
  thisMonth: LocalDate,
): Promise<void> =>
  forAccount(db, accountId, async (tx) => {
    const free = await lockUnchangedMonths(tx, accountId, userIds);
    const { users, closed } = await accountedUsers(tx, accountId, free);
    const known = await latestBalances(tx, accountId, { users, closed }, thisMonth);
    // Days before the start of accounting change no balance.
    const firstOf = ({ userId, calendar }: UserDays): LocalDate =>
      firstOfMonth(known.get(userId)?.date ?? calendar.start_of_accounting);
    for (let from = firstCached(thisMonth); from < thisMonth; from = addMonths(from, 1)) {
      const own = new Map([...users].filter(([, days]) => firstOf(days) <= from));
      if (own.size > 0) await cacheMonth(tx, accountId, { users: own, closed }, from);
    }
  });

async function cacheMonth(
  tx: OpenTransaction,
  accountId: number,
  accounted: AccountedUsers,
  from: LocalDate,
): Promise<void> {
  const date = addMonths(from, 1);
  const range = { from, to: addDays(date, -1) };
  const accounts = await timeAccountsOf(tx, accountId, accounted, range);
  const breaks = await breaksOfWork(
    tx,
    accountId,
    [...accounts.values()].flatMap(({ work }) => work),
  );
  const months = await forEachUser(accounts, ({ opening, ...own }, userId): CachedMonth => {
    const sums = sumsOf(own, range, opening, breaks);
    const { all, confirmed } = sums.totals.change;
    return { userId, date, balance: { all: opening.all + all, confirmed: opening.confirmed + confirmed }, sums };
  });
  await storeMonths(tx, accountId, [...months.values()]);
}
