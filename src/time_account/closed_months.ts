import { sql } from 'kysely';
import { isMonth, latestOf, type DateRange, type LocalDate } from '../calendar/dates.ts';
import type { KnownBalance } from '../calendar/day_ledger.ts';
import { localDateOf } from '../calendar/local_pieces.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { Db } from '../db/connection.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import type { DatedWork } from './account_in_range.ts';
import { balancesIn, type BalanceRow } from './balance_rows.ts';
import type { ClosedDay } from './closed_day.ts';
import type { FinishedWork } from './finished_work.ts';
import type { Sums } from './period_sums.ts';

/* Months that are closed, as time accounts read them. The folder accounting_periods closes them. */

/** The closed months of a user, which follow each other without gaps, and those of their days that lie in a range. */
export interface ClosedMonths {
  readonly user_id: number;
  readonly begins_at: Date;
  /** The first moment that is open again, and its day. The zone of the user can have changed since. */
  readonly ends_at: Date;
  readonly next_date: LocalDate;
  readonly days: ReadonlyMap<LocalDate, ClosedDay>;
}

/** The closed months of each user, by id. Users without any are left out. */
export async function closedMonths(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, ClosedMonths>> {
  const bounds = await closedBounds(db, accountId, userIds);
  if (bounds.length === 0) return new Map();
  const months = await closedOf(db, accountId, bounds.map(({ user_id }) => user_id)) // prettier-ignore
    .select(['user_id', 'days'])
    .where('month', '<=', range.to)
    .where('next_date', '>', range.from)
    .$castTo<{ user_id: number; days: readonly ClosedDay[] }>()
    .execute();
  const daysOf = (userId: number) => months.filter(({ user_id }) => user_id === userId).flatMap(({ days }) => days);
  return new Map(
    bounds.map((row) => [row.user_id, { ...row, days: new Map(daysOf(row.user_id).map((day) => [day.date, day])) }]),
  );
}

/** The first and the last of the closed months of each user. Users without any are left out. */
export async function closedBounds(
  db: Db,
  accountId: number,
  userIds: readonly number[],
): Promise<Omit<ClosedMonths, 'days'>[]> {
  const { rows } = await sql<Omit<ClosedMonths, 'days'>>`
    select wanted.user_id, earliest.begins_at, latest.ends_at, latest.next_date
    from unnest(${userIds}::bigint[]) wanted (user_id)
    cross join lateral (
      select period.begins_at from accounting_periods period
      where period.account_id = ${accountId} and period.user_id = wanted.user_id and period.reopened_at is null
      order by period.month limit 1) earliest
    cross join lateral (
      select period.ends_at, period.next_date from accounting_periods period
      where period.account_id = ${accountId} and period.user_id = wanted.user_id and period.reopened_at is null
      order by period.month desc limit 1) latest`.execute(db);
  return rows;
}

const closedOf = (db: Db, accountId: number, userIds: readonly number[]) =>
  db
    .selectFrom('accounting_periods')
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('reopened_at', 'is', null);

/**
 * The work that is not part of a closed month, each with its day. Work after the closed months belongs to the first open day at
 * the earliest, also where the user has moved to a zone in which it was still the day before.
 */
export const openWork = (
  work: readonly FinishedWork[],
  zone: string,
  closed: ClosedMonths | undefined,
): readonly DatedWork[] =>
  work
    .filter(({ starts_at }) => !closed || starts_at < closed.begins_at || starts_at >= closed.ends_at)
    .map((tracking) => {
      const date = localDateOf(tracking.starts_at, zone);
      const isAfter = closed !== undefined && tracking.starts_at >= closed.ends_at;
      return { ...tracking, date: isAfter ? latestOf([date, closed.next_date]) : date };
    });

/** The balance of each user at the end of the latest closed month until a day, by the user's id. */
export async function closedBalances(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  until: LocalDate,
): Promise<ReadonlyMap<number, KnownBalance>> {
  const { rows } = await sql<BalanceRow>`
    select latest.* from unnest(${userIds}::bigint[]) wanted (user_id)
    cross join lateral (
      select period.user_id, period.next_date as date, period.all_s, period.confirmed_s from accounting_periods period
      where period.account_id = ${accountId} and period.user_id = wanted.user_id and period.reopened_at is null
        and period.next_date <= ${until}::date
      order by period.month desc limit 1) latest`.execute(db);
  return balancesIn(rows);
}

/** The sums of a closed month with the names that its absence types had. */
export interface ClosedSums extends Sums {
  readonly opening: Figures;
  readonly absences: readonly (Sums['absences'][number] & { readonly title: string; readonly kind: string })[];
}

/** The sums of a month, of the users who have it closed. A range that is no month has none. */
export async function closedSums(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  range: DateRange,
): Promise<ReadonlyMap<number, ClosedSums>> {
  if (!isMonth(range)) return new Map();
  const rows = await closedOf(db, accountId, userIds)
    .select(['user_id', 'sums'])
    .where('month', '=', range.from)
    .$castTo<{ user_id: number; sums: ClosedSums }>()
    .execute();
  return new Map(rows.map(({ user_id, sums }) => [user_id, sums]));
}
