import { addDays, addMonths, firstOfMonth, latestOf, utcDateOf, type LocalDate } from '../calendar/dates.ts';
import { balanceBefore } from '../calendar/day_ledger.ts';
import type { ClosedSpan } from '../calendar/local_pieces.ts';
import type { Db } from '../db/connection.ts';
import { allAccounts } from '../db/distribution/all_accounts.ts';
import { findSetting, storeSetting } from '../db/service_settings.ts';
import { forAccount } from '../db/transactions.ts';
import type { AccountWithHistory } from './account_in_range.ts';
import { breaksOfWork } from './finished_work.ts';
import { lockUnchangedMonths, storeMonths, usersWithoutBalance, type KeptMonth } from './kept_months.ts';
import { sumsOf } from './sums.ts';
import { accountsWithHistory } from './time_accounts.ts';

/** How many users one transaction reads. Their arithmetic takes some milliseconds, in which a process that also serves requests serves none. */
const chunkSize = 5;

/** How many months before this one are kept. Older ones are seldom asked for. */
const keptMonths = 13;

/** How long a run takes at most. The queue gives a job five minutes. */
const longestMs = 240_000;

/** The setting with the account at which the last run stopped, if it did not reach the end. */
const stoppedAt = 'months_kept_up_to';

/** Stores the last months of all users that are not stored yet. A run that takes too long is continued by the next one. */
export async function keepMonths(db: Db, now: Date): Promise<void> {
  const thisMonth = firstOfMonth(utcDateOf(now));
  const untilMs = performance.now() + longestMs;
  const errors: unknown[] = [];
  let stop = 0;
  for await (const accountId of allAccounts(db, Number((await findSetting(db, stoppedAt)) ?? 0))) {
    await keepMonthsOfAccount(db, accountId, thisMonth).catch((error: unknown) => errors.push(error));
    if (performance.now() < untilMs) continue;
    stop = accountId;
    break;
  }
  await storeSetting(db, stoppedAt, String(stop));
  if (errors.length > 0) throw errors[0];
}

async function keepMonthsOfAccount(db: Db, accountId: number, thisMonth: LocalDate): Promise<void> {
  let userIds: number[] = [];
  do {
    userIds = await usersWithoutBalance(db, accountId, thisMonth, userIds.at(-1) ?? 0, chunkSize);
    if (userIds.length > 0) await keepMonthsOf(db, accountId, userIds, thisMonth);
  } while (userIds.length === chunkSize);
}

/** Keeps the last months of some users. Those whose time account is being changed are left to the next run. */
export const keepMonthsOf = (
  db: Db,
  accountId: number,
  userIds: readonly number[],
  thisMonth: LocalDate,
): Promise<void> =>
  forAccount(db, accountId, async (tx) => {
    const free = await lockUnchangedMonths(tx, accountId, userIds);
    const accounts = await accountsWithHistory(tx, accountId, free, { from: thisMonth, to: thisMonth });
    const work = [...accounts.values()].flatMap((account) => account.work);
    const breaks = await breaksOfWork(tx, accountId, work);
    const months = [...accounts.values()].flatMap((account) => monthsUntil(thisMonth, account, breaks));
    await storeMonths(tx, accountId, months);
  });

/** The months from the balance that is known until this one. */
function monthsUntil(
  thisMonth: LocalDate,
  { known, ...own }: AccountWithHistory,
  breaks: ReadonlyMap<number, readonly ClosedSpan[]>,
): KeptMonth[] {
  // Days before the start of accounting change no balance.
  const first = latestOf([firstOfMonth(known.date), addMonths(thisMonth, -keptMonths)]);
  let balance = known.date < first ? balanceBefore(own.account, first, known) : known.balance;
  const months: KeptMonth[] = [];
  for (let from = first; from < thisMonth; from = addMonths(from, 1)) {
    const date = addMonths(from, 1);
    const sums = sumsOf(own, { from, to: addDays(date, -1) }, balance, breaks);
    const { all, confirmed } = sums.totals.change;
    balance = { all: balance.all + all, confirmed: balance.confirmed + confirmed };
    months.push({ userId: own.days.userId, date, balance, sums });
  }
  return months;
}
