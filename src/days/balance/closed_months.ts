import { sql } from 'kysely';
import { isMonth, latestOf, type DateRange, type LocalDate } from '../calendar/dates.ts';
import type { KnownBalance } from '../calendar/day_ledger.ts';
import { localDateOf } from '../calendar/local_pieces.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { Db } from '../../platform/db/connection.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import type { DatedWork } from './account_in_range.ts';
import type { FinishedWork } from './finished_work.ts';
import type { ClosedDay, Sums } from './period_sums.ts';
import type { UserDays } from './user_days.ts';

/* Months that are closed, as time accounts read them. The folder accounting_periods closes them. */

/** The closed months of a user. They follow each other without gaps. */
export interface ClosedMonths {
  readonly begins_at: Date;
  /** The first moment that is open again, and its day. The zone of the user can have changed since. */
  readonly ends_at: Date;
  readonly next_date: LocalDate;
  /** The balance at the end of the last of them. */
  readonly balance: Figures;
}

/** Users, and where their time accounts are closed, both by id. */
export interface AccountedUsers {
  readonly users: ReadonlyMap<number, UserDays>;
  readonly closed: ReadonlyMap<number, ClosedMonths>;
}

/** The closed months of each user, by id. Users without any are left out. */
export async function closedMonths(
  db: Db,
  accountId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, ClosedMonths>> {
  const { rows } = await sql<Omit<ClosedMonths, 'balance'> & { user_id: number; all_s: number; confirmed_s: number }>`
    select wanted.user_id, earliest.begins_at, latest.ends_at, latest.next_date, latest.all_s, latest.confirmed_s
    from unnest(${userIds}::bigint[]) wanted (user_id)
    cross join lateral (
      select period.begins_at from accounting_periods period
      where period.account_id = ${accountId} and period.user_id = wanted.user_id and period.reopened_at is null
      order by period.month limit 1) earliest
    cross join lateral (
      select period.ends_at, period.next_date, period.all_s, period.confirmed_s from accounting_periods period
      where period.account_id = ${accountId} and period.user_id = wanted.user_id and period.reopened_at is null
      order by period.month desc limit 1) latest`.execute(db);
  return new Map(
    rows.map(({ user_id, all_s, confirmed_s, ...months }) => [
      user_id,
      { ...months, balance: { all: all_s, confirmed: confirmed_s } },
    ]),
  );
}

/** The days of closed months that lie in a range, by the user's id. */
export async function closedDays(
  db: Db,
  accountId: number,
  closed: ReadonlyMap<number, ClosedMonths>,
  range: DateRange,
): Promise<ReadonlyMap<number, ReadonlyMap<LocalDate, ClosedDay>>> {
  const userIds = [...closed].filter(([, { next_date }]) => next_date > range.from).map(([id]) => id);
  if (userIds.length === 0) return new Map();
  const months = await closedOf(db, accountId, userIds)
    .select(['user_id', 'days'])
    .where('month', '<=', range.to)
    .where('next_date', '>', range.from)
    .$castTo<{ user_id: number; days: readonly ClosedDay[] }>()
    .execute();
  const byUser = groupBy(months, ({ user_id }) => user_id);
  return new Map(
    [...byUser].map(([id, own]) => [id, new Map(own.flatMap(({ days }) => days).map((day) => [day.date, day]))]),
  );
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

/**
 * What closed months tell of the balance of each user at the beginning of a day, by id: that of the day itself, where it is closed,
 * otherwise that at the end of the latest closed month before it.
 */
export async function closedBalances(
  db: Db,
  accountId: number,
  closed: ReadonlyMap<number, ClosedMonths>,
  date: LocalDate,
): Promise<ReadonlyMap<number, KnownBalance>> {
  const before = [...closed].filter(([, { next_date }]) => next_date <= date);
  const within = await closedDays(db, accountId, closed, { from: date, to: date });
  return new Map([
    ...before.map(([id, { next_date, balance }]) => [id, { date: next_date, balance }] as const),
    ...[...within].map(([id, days]) => {
      const { balance, change } = days.get(date)!;
      const opening = { all: balance.all - change.all, confirmed: balance.confirmed - change.confirmed };
      return [id, { date, balance: opening }] as const;
    }),
  ]);
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
