import { sql } from 'kysely';
import { timeAccountRules } from '../../../generated/time_account_rules.ts';
import { firstOfMonth, isMonth, type DateRange, type LocalDate } from '../calendar/dates.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import type { Sums } from './period_sums.ts';

/*
 * Months of time accounts that are over: their sums. With them, a balance needs the sum of what they changed and the days of the
 * last month, not all days since the start of accounting, and the summaries of a month need one row for each user. A job caches
 * them. Triggers forget them in the transaction that changes what they depend on: see month_cache in the schema.
 */

/** Changes with the arithmetic and with the zones that Node knows. Months of other rules are not used. */
const rules = `${timeAccountRules} ${process.versions['tz']}`;

/** By how much cached months of a user change the balance, and which months these are. */
export interface CachedChanges {
  readonly change: Figures;
  readonly months: ReadonlySet<LocalDate>;
}

/** What is cached of the whole months before a day, from the month of each user's first day on, by the user's id. */
export async function cachedChanges(
  db: Db,
  accountId: number,
  firstDays: ReadonlyMap<number, LocalDate>,
  date: LocalDate,
): Promise<ReadonlyMap<number, CachedChanges>> {
  const { rows } = await sql<{ user_id: number; all_s: number; confirmed_s: number; months: LocalDate[] }>`
    select wanted.user_id, cached.*
    from unnest(${[...firstDays.keys()]}::bigint[], ${[...firstDays.values()].map(firstOfMonth)}::date[]) wanted (user_id, first_month)
    cross join lateral (
      select coalesce(sum(all_s), 0)::bigint as all_s, coalesce(sum(confirmed_s), 0)::bigint as confirmed_s,
        coalesce(json_agg(month), '[]') as months
      from month_cache cached
      where cached.account_id = ${accountId} and cached.user_id = wanted.user_id and cached.rules = ${rules}
        and cached.month >= wanted.first_month and cached.month < ${firstOfMonth(date)}::date) cached`.execute(db);
  return new Map(
    rows.map(({ user_id, all_s, confirmed_s, months }) => [
      user_id,
      { change: { all: all_s, confirmed: confirmed_s }, months: new Set(months) },
    ]),
  );
}

/** The cached sums of each user in a range. Only whole months are cached. */
export async function cachedSums(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, Sums>> {
  if (!isMonth(range)) return new Map();
  const rows = await db
    .selectFrom('month_cache')
    .select(['user_id', 'sums'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('month', '=', range.from)
    .where('rules', '=', rules)
    .$castTo<{ user_id: number; sums: Sums }>()
    .execute();
  return new Map(rows.map(({ user_id, sums }) => [user_id, sums]));
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

/** Caches a month of users, by id. The caller holds their lock. */
export async function storeMonth(
  tx: OpenTransaction,
  accountId: number,
  month: LocalDate,
  sums: ReadonlyMap<number, Sums>,
): Promise<void> {
  const changes = [...sums.values()].map(({ totals }) => totals.change);
  await sql`
    insert into month_cache (account_id, user_id, month, all_s, confirmed_s, sums, rules)
    select ${accountId}, cached.user_id, ${month}::date, cached.all_s, cached.confirmed_s, cached.sums, ${rules}
    from unnest(${[...sums.keys()]}::bigint[], ${changes.map(({ all }) => all)}::bigint[],
      ${changes.map(({ confirmed }) => confirmed)}::bigint[],
      ${[...sums.values()].map((own) => JSON.stringify(own))}::jsonb[]) cached (user_id, all_s, confirmed_s, sums)
    on conflict (account_id, user_id, month) do update
      set all_s = excluded.all_s, confirmed_s = excluded.confirmed_s, sums = excluded.sums, rules = excluded.rules
    returning account_id`.execute(tx);
}

/** The months before one, since the start of accounting, that some users have neither cached nor closed, in their order. */
export async function missingMonths(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  thisMonth: LocalDate,
): Promise<{ month: LocalDate; userIds: number[] }[]> {
  const { rows } = await sql<{ month: LocalDate; userIds: number[] }>`
    select month::date as month, json_agg(users.id) as "userIds"
    from users
    cross join generate_series(date_trunc('month', users.start_of_accounting::timestamp), ${thisMonth}::timestamp - interval '1 month',
      interval '1 month') month
    where users.account_id = ${accountId} and users.id = any(${userIds}::bigint[])
      and not exists (
        select from month_cache cached
        where cached.account_id = ${accountId} and cached.user_id = users.id and cached.month = month.month::date
          and cached.rules = ${rules})
      and not exists (
        select from accounting_periods closed
        where closed.account_id = ${accountId} and closed.user_id = users.id and closed.month = month.month::date
          and closed.reopened_at is null)
    group by 1 order by 1`.execute(db);
  return rows;
}
