import { sql } from 'kysely';
import { addDays, datesIn, type DateRange, type LocalDate } from '../calendar/dates.ts';
import { noWork, type WorkOfDay } from '../calendar/work_of_day.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { AccountedUsers } from './closed_months.ts';

/* A balance needs no more of the days before it than their sums, so the database adds them up. */

/**
 * The finished work of each user on the open days of a range, by the user's id: the seconds of each day, without the time
 * trackings. Work after closed months belongs to the first open day at the earliest, as in `openWork`.
 *
 * The statement looks up each time tracking among the first moments of the days, because to ask the zone takes longer than all the
 * rest. What begins after closed months is looked up as if the first open day had begun by then. A user has one row, because to
 * read a row takes longer than to read its figures.
 */
export async function dailyWork(
  db: Db,
  accountId: number,
  { users, closed }: AccountedUsers,
  { from, to }: DateRange,
): Promise<ReadonlyMap<number, ReadonlyMap<LocalDate, WorkOfDay>>> {
  const own = [...users].map(([id, { zone }]) => ({ id, zone, months: closed.get(id) }));
  const { rows } = await sql<{ user_id: number; sums: [day: number, all: number, confirmed: number][] }>`
    select own.user_id, coalesce(work.sums, '[]') as sums
    from unnest(${own.map(({ id }) => id)}::bigint[], ${own.map(({ zone }) => zone)}::text[],
      ${own.map(({ months }) => months?.begins_at ?? null)}::timestamptz[],
      ${own.map(({ months }) => months?.ends_at ?? null)}::timestamptz[],
      ${own.map(({ months }) => months?.next_date ?? null)}::date[]) own (user_id, zone, begins_at, ends_at, next_date)
    cross join lateral (
      select array_agg(least(day at time zone own.zone, case when day <= own.next_date then own.ends_at end) order by day) as starts
      from generate_series(${from}::timestamp, ${addDays(to, 1)}::timestamp, interval '1 day') day) days
    cross join lateral (
      select json_agg(json_build_array(day, all_s, confirmed_s)) as sums
      from (
        select width_bucket(tracking.starts_at, days.starts) as day,
          sum(tracking.gross_s - least(tracking.gross_s, tracking.break_s)) as all_s,
          coalesce(sum(tracking.gross_s - least(tracking.gross_s, tracking.break_s)) filter (where tracking.confirmed), 0) as confirmed_s
        from time_trackings tracking
        where tracking.account_id = ${accountId} and tracking.user_id = own.user_id and tracking.ends_at is not null
          and tracking.starts_at >= days.starts[1] and tracking.starts_at < days.starts[cardinality(days.starts)]
          and (own.ends_at is null or tracking.starts_at < own.begins_at or tracking.starts_at >= own.ends_at)
        group by day) by_day) work`.execute(db);
  const dates = datesIn({ from, to });
  const workOf = (sums: (typeof rows)[number]['sums']) =>
    new Map(sums.map(([day, all, confirmed]) => [dates[day - 1]!, { ...noWork, worked: { all, confirmed } }]));
  return new Map(rows.map(({ user_id, sums }) => [user_id, workOf(sums)]));
}
