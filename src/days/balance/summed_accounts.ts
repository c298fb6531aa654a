import { sql } from 'kysely';
import type { AbsenceOfDay } from '../calendar/credits_of_day.ts';
import { addDays, datesIn, type DateRange, type LocalDate } from '../calendar/dates.ts';
import type { TimeAccount, TimeAccountEntry } from '../calendar/day_ledger.ts';
import { noWork } from '../calendar/work_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { AccountedUsers } from './closed_months.ts';

interface SummedUser {
  readonly user_id: number;
  readonly sums: readonly (readonly [day: number, all: number, confirmed: number])[];
  readonly absences: readonly (AbsenceOfDay & { readonly date: LocalDate })[];
  readonly entries: readonly (TimeAccountEntry & { readonly date: LocalDate })[];
}

/**
 * The time account of each user on open days of which only the balance is wanted, by the user's id. The database adds up the work
 * of each day. Work after closed months belongs to the first open day at the earliest, as in `openWork`.
 *
 * The statement looks up each time tracking among the first moments of the days, because to ask the zone takes longer than all the
 * rest. What begins after closed months is looked up as if the first open day had begun by then. A user has one row, because to
 * read a row takes longer than to read its figures.
 */
export async function summedAccounts(
  db: Db,
  accountId: number,
  { users, closed }: AccountedUsers,
  { from, to }: DateRange,
): Promise<ReadonlyMap<number, TimeAccount>> {
  const own = [...users].map(([id, { zone }]) => ({ id, zone, months: closed.get(id) }));
  const { rows } = await sql<SummedUser>`
    select own.user_id, coalesce(work.sums, '[]') as sums,
      array_to_json(array(
        select json_build_object('date', day.date, 'id', absence.id, 'kind', type.kind, 'seconds', day.seconds)
        from absence_days day
        join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
        join absence_types type on type.account_id = ${accountId} and type.id = absence.absence_type_id
        where day.account_id = ${accountId} and day.user_id = own.user_id and day.date between ${from}::date and ${to}::date
          and absence.confirmation_status = 'confirmed')) as absences,
      array_to_json(array(
        select json_build_object('date', entry.date, 'kind', entry.kind, 'seconds', entry.seconds)
        from time_account_entries entry
        where entry.account_id = ${accountId} and entry.user_id = own.user_id
          and entry.date between ${from}::date and ${to}::date)) as entries
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
  return new Map(
    rows.map(({ user_id, sums, absences, entries }) => {
      const { calendar, initialSeconds } = users.get(user_id)!;
      const work = sums.map(
        ([day, all, confirmed]) => [dates[day - 1]!, { ...noWork, worked: { all, confirmed } }] as const,
      );
      const account: TimeAccount = {
        calendar,
        initialBalance: initialSeconds,
        work: new Map(work),
        absences: groupBy(absences, ({ date }) => date),
        entries: groupBy(entries, ({ date }) => date),
      };
      return [user_id, account];
    }),
  );
}
