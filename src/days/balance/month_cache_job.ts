import { addDays, addMonths, firstOfMonth, utcDateOf, type LocalDate } from '../calendar/dates.ts';
import type { Db } from '../../platform/db/connection.ts';
import { allAccounts } from '../../platform/db/distribution/all_accounts.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { findSetting, storeSetting } from '../../platform/db/service_settings.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { accountsWithin } from './accounts_within.ts';
import type { AccountedUsers } from './closed_months.ts';
import { breaksOfWork } from './finished_work.ts';
import { forEachUser } from './for_each_user.ts';
import { lockUnchangedMonths, missingMonths, storeMonth } from './month_cache.ts';
import { sumsOf } from './sums.ts';
import { accountedUsers } from './time_accounts.ts';

/** How many users and months one transaction caches. Changes of these users wait for its end. */
const usersAtOnce = 8;
const monthsAtOnce = 12;

/** How long a run takes at most. The queue gives a job five minutes. */
const longestMs = 240_000;

/** The setting with the account at which the last run stopped, if it did not reach the end. */
const stoppedAt = 'months_kept_up_to';

/** Caches the months of all users that are not cached yet. A run that takes too long is continued by the next one. */
export async function fillMonthCache(db: Db, now: Date): Promise<void> {
  const thisMonth = firstOfMonth(utcDateOf(now));
  const untilMs = performance.now() + longestMs;
  const errors: unknown[] = [];
  let stop = 0;
  for await (const accountId of allAccounts(db, Number((await findSetting(db, stoppedAt)) ?? 0))) {
    await fillForAccount(db, accountId, thisMonth, untilMs).catch((error: unknown) => errors.push(error));
    if (performance.now() < untilMs) continue;
    stop = accountId;
    break;
  }
  await storeSetting(db, stoppedAt, String(stop));
  if (errors.length > 0) throw errors[0];
}

async function fillForAccount(db: Db, accountId: number, thisMonth: LocalDate, untilMs: number): Promise<void> {
  let userIds: number[] = [];
  do {
    const users = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('id', '>', userIds.at(-1) ?? 0)
      .orderBy('id')
      .limit(usersAtOnce)
      .execute();
    userIds = users.map(({ id }) => id);
    await cacheMonthsOf(db, accountId, userIds, thisMonth);
  } while (userIds.length === usersAtOnce && performance.now() < untilMs);
}

/** Caches the months of some users. Users whose time account is being changed are left to the next run. */
export async function cacheMonthsOf(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  thisMonth: LocalDate,
): Promise<void> {
  const missing = await missingMonths(db, accountId, userIds, thisMonth);
  for (let done = 0; done < missing.length; done += monthsAtOnce)
    await forAccount(db, accountId, async (tx) => {
      const free = await lockUnchangedMonths(tx, accountId, userIds);
      const { users, closed } = await accountedUsers(tx, accountId, free);
      for (const { month, userIds: wanted } of missing.slice(done, done + monthsAtOnce)) {
        const own = new Map([...users].filter(([id]) => wanted.includes(id)));
        if (own.size > 0) await cacheMonth(tx, accountId, { users: own, closed }, month);
      }
    });
}

async function cacheMonth(
  tx: OpenTransaction,
  accountId: number,
  accounted: AccountedUsers,
  month: LocalDate,
): Promise<void> {
  const range = { from: month, to: addDays(addMonths(month, 1), -1) };
  const accounts = await accountsWithin(tx, accountId, accounted, range);
  const breaks = await breaksOfWork(
    tx,
    accountId,
    [...accounts.values()].flatMap(({ work }) => work),
  );
  const sums = await forEachUser(accounts, (own) => sumsOf(own, range, breaks));
  await storeMonth(tx, accountId, month, sums);
}
