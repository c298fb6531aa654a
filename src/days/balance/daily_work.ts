import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { addDays, datesIn, earliestOf, type DateRange, type LocalDate } from '../calendar/dates.ts';
import { noWork, type WorkOfDay } from '../calendar/work_of_day.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { ClosedMonths } from './closed_months.ts';
import type { UserDays } from './user_days.ts';

/* A balance needs no more of the days before it than their sums, so the database adds them up. */

type Days = ReadonlyMap<LocalDate, WorkOfDay>;

/** How many days one statement adds up. With the embedded database, the process serves nobody else meanwhile. */
const daysAtOnce = 366;

/**
 * The finished work of each user on the open days of a range, by the user's id: the seconds of each day, without the time
 * trackings. Work after closed months belongs to the first open day at the earliest, as in `openWork`.
 */
export async function dailyWork(
  db: Db,
  accountId: number,
  users: ReadonlyMap<number, Pick<UserDays, 'zone'>>,
  closed: ReadonlyMap<number, ClosedMonths>,
  { from, to }: DateRange,
): Promise<ReadonlyMap<number, Days>> {
  const days = new Map([...users.keys()].map((id) => [id, new Map<LocalDate, WorkOfDay>()]));
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const range = { from: first, to: earliestOf([to, addDays(first, daysAtOnce - 1)]) };
    const dates = datesIn(range);
    for (const { user_id, sums } of await sumsWithin(db, accountId, users, closed, range))
      for (const [day, all, confirmed] of sums)
        days.get(user_id)!.set(dates[day - 1]!, { ...noWork, worked: { all, confirmed } });
    await nextTurn();
  }
  return days;
}

/**
 * The sums of one statement. It looks up each time tracking among the first moments of the days, because to ask the zone takes
 * longer than all the rest. What begins after closed months is looked up as if the first open day had begun by then. A user has
 * one row, because to read a row takes longer than to read its figures.
 */
async function sumsWithin(
  db: Db,
  accountId: number,
  users: ReadonlyMap<number, Pick<UserDays, 'zone'>>,
  closed: ReadonlyMap<number, ClosedMonths>,
  { from, to }: DateRange,
): Promise<{ user_id: number; sums: [day: number, all: number, confirmed: number][] }[]> {
  const own = [...users].map(([id, { zone }]) => ({ id, zone, months: closed.get(id) }));
  const { rows } = await sql<Awaited<ReturnType<typeof sumsWithin>>[number]>`
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
  return rows;
}
