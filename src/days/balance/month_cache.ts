import { sql } from 'kysely';
import { timeAccountRules } from '../../../generated/time_account_rules.ts';
import { addDays, isMonth, type DateRange, type LocalDate } from '../calendar/dates.ts';
import type { KnownBalance } from '../calendar/day_ledger.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { balancesIn, type BalanceRow } from './balance_rows.ts';
import type { Sums } from './period_sums.ts';

/*
 * Months of time accounts that are over: the balance at the end of each, and its sums. With them, a balance needs the days since
 * the last month, not all days since the start of accounting, and the summaries of a month need one row for each user. A job
 * caches them. Triggers forget them in the transaction that changes what they depend on: see month_cache in the schema.
 */

/** Changes with the arithmetic and with the zones that Node knows. Months of other rules are not used. */
const rules = `${timeAccountRules} ${process.versions['tz']}`;

/** The sums of a month, and the balance at the beginning of the next one, which is its date. */
export interface CachedMonth extends KnownBalance {
  readonly userId: number;
  readonly sums: Sums;
}

/** The latest cached balance of each user until a day, by the user's id. */
export async function cachedBalances(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  until: LocalDate,
): Promise<ReadonlyMap<number, KnownBalance>> {
  const { rows } = await sql<BalanceRow>`
    select latest.* from unnest(${userIds}::bigint[]) wanted (user_id)
    cross join lateral (
      select cached.user_id, cached.date, cached.all_s, cached.confirmed_s from month_cache cached
      where cached.account_id = ${accountId} and cached.user_id = wanted.user_id and cached.date <= ${until}::date
        and cached.rules = ${rules}
      order by cached.date desc limit 1) latest`.execute(db);
  return balancesIn(rows);
}

/** The cached sums and the opening balance of each user in a range. Only whole months are cached. */
export async function cachedSums(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, Sums & { readonly opening: Figures }>> {
  if (!isMonth(range)) return new Map();
  const rows = await db
    .selectFrom('month_cache')
    .select(['user_id', 'date', 'all_s', 'confirmed_s', 'sums'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('date', '=', addDays(range.to, 1))
    .where('rules', '=', rules)
    .$castTo<BalanceRow & { readonly sums: Sums }>()
    .execute();
  return new Map(
    rows.map(({ user_id, all_s, confirmed_s, sums }) => {
      const { all, confirmed } = sums.totals.change;
      return [user_id, { ...sums, opening: { all: all_s - all, confirmed: confirmed_s - confirmed } }];
    }),
  );
}

/**
 * Locks the months of users against changes, and returns the users whose months nobody is changing. Changes that begin now wait
 * for the end of the transaction, and forget what it caches. Both locks read the account, because they must be taken where its
 * rows are.
 */
export async function lockUnchangedMonths(
  tx: OpenTransaction,
  accountId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const ofAccount = await sql<{ is_free: boolean }>`
    select pg_try_advisory_xact_lock(month_lock(id, 0)) as is_free from accounts where id = ${accountId}`.execute(tx);
  if (!ofAccount.rows[0]!.is_free) return [];
  const ofUsers = await sql<{ id: number; is_free: boolean }>`
    select wanted.id, pg_try_advisory_xact_lock(month_lock(account.id, wanted.id)) as is_free
    from accounts account cross join unnest(${userIds}::bigint[]) wanted (id)
    where account.id = ${accountId}`.execute(tx);
  return ofUsers.rows.filter(({ is_free }) => is_free).map(({ id }) => id);
}

/** Caches months. The caller holds the lock of their users. */
export async function storeMonths(
  tx: OpenTransaction,
  accountId: number,
  months: readonly CachedMonth[],
): Promise<void> {
  await sql`
    insert into month_cache (account_id, user_id, date, all_s, confirmed_s, sums, rules)
    select ${accountId}, cached.*, ${rules}
    from unnest(${months.map(({ userId }) => userId)}::bigint[], ${months.map(({ date }) => date)}::date[],
      ${months.map(({ balance }) => balance.all)}::bigint[], ${months.map(({ balance }) => balance.confirmed)}::bigint[],
      ${months.map(({ sums }) => JSON.stringify(sums))}::jsonb[]) cached
    on conflict (account_id, user_id, date) do update
      set all_s = excluded.all_s, confirmed_s = excluded.confirmed_s, sums = excluded.sums, rules = excluded.rules
    returning account_id`.execute(tx);
}

/** Some users of an account without a cached balance of this day, in the order of their ids. */
export async function usersWithoutBalance(
  db: Db,
  accountId: number,
  date: LocalDate,
  afterId: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users
    where account_id = ${accountId} and deleted_at is null and id > ${afterId} and start_of_accounting < ${date}::date
      and not exists (
        select from month_cache cached
        where cached.account_id = ${accountId} and cached.user_id = users.id and cached.date = ${date}::date and cached.rules = ${rules})
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
