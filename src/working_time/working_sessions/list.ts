import { sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../platform/core/permissions.ts';
import { firstMoment, lastMoment, requireOrder } from '../../platform/core/requested_range.ts';
import { wholeSeconds } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { pagingOf, type Selection } from '../../platform/db/list/list.ts';
import { isLong } from '../time_trackings/list/day_ranges.ts';
import { wholeDays } from '../time_trackings/list/total_filters.ts';
import { sessionsByIds, type SessionRow } from './rows.ts';

/*
 * The working sessions that overlap a range of time, by start. The range is that of each location, since a plain day is a local
 * day. Nearly all sessions last at most a day, and so begin at most a day before the range: an index on their start finds them,
 * and kept totals count those of whole days. The few others have an index of their own.
 */

/** From when to when, and whose; of all users, or without an end, where that is missing. */
export interface SessionRange {
  readonly range_start: string;
  readonly range_end?: string;
  readonly userId?: number;
}

interface Location {
  readonly id: number;
  readonly time_zone: string;
}

/** A page of the working sessions of locations that overlap a range, and its paging. */
export async function listSessionsInRange(
  db: Db,
  actor: Actor,
  locations: readonly Location[],
  { range_start, range_end, userId }: SessionRange,
  selection: Selection,
  now: Date,
) {
  if (range_end !== undefined) requireOrder(range_start, range_end);
  const { page, items } = selection;
  const spans = locations.map(({ time_zone }) => spanIn(time_zone, range_start, range_end));
  const values: Values = {
    accountId: actor.accountId,
    locationIds: locations.map(({ id }) => id),
    begins: spans.map(({ begin }) => begin),
    ends: spans.map(({ end }) => end),
    firstDays: spans.map(({ firstDay }) => firstDay),
    lastDays: spans.map(({ lastDay }) => lastDay),
    now: wholeSeconds(now),
    skipped: (page - 1) * items,
    upTo: page * items,
  };
  const found = await (userId === undefined ? pageOfLocations(values) : pageOfUser(values, userId)).execute(db);
  const { ids, count } = found.rows[0]!;
  const rows = new Map((await sessionsByIds(db, actor, ids)).map((row) => [row.id, row]));
  // One may have been deleted since its id was read.
  const present = ids.map((id) => rows.get(id)).filter((row): row is SessionRow => row !== undefined);
  return { rows: present, paging: pagingOf(selection, count) };
}

/** The range in a zone, and its whole days in UTC: the first one, and the one after the last. */
function spanIn(zone: string, range_start: string, range_end: string | undefined) {
  const begin = firstMoment(range_start, zone);
  const end = range_end === undefined ? null : lastMoment(range_end, zone);
  const days = wholeDays({ from: begin, ...(end && { until: end }) });
  return { begin, end, firstDay: days.first!, lastDay: days.end ?? null };
}

interface Values {
  accountId: number;
  /** Each location with its range at the same position. */
  locationIds: readonly number[];
  begins: readonly Date[];
  ends: readonly (Date | null)[];
  firstDays: readonly Date[];
  lastDays: readonly (Date | null)[];
  now: Date;
  skipped: number;
  upTo: number;
}

interface FoundPage {
  readonly ids: readonly number[];
  readonly count: number;
}

type Sql = RawBuilder<unknown>;

const places = ({ locationIds, begins, ends, firstDays, lastDays }: Values): Sql => sql`
  place as materialized (
    select id, begin_at, coalesce(end_at, 'infinity') as end_at, begin_at - interval '1 day' as short_from,
      first_day, coalesce(last_day, 'infinity') as last_day
    from unnest(${locationIds}::bigint[], ${begins}::timestamptz[], ${ends}::timestamptz[], ${firstDays}::timestamptz[], ${lastDays}::timestamptz[])
      as place (id, begin_at, end_at, first_day, last_day))`;

const parts = ({ accountId, now }: Values, ofUser: Sql) => {
  const own = sql`
    from time_trackings where time_trackings.account_id = ${accountId} and time_trackings.workspace_id = place.id ${ofUser}
      and time_trackings.starts_at <= place.end_at
      and (time_trackings.ends_at > place.begin_at or time_trackings.ends_at is null and place.begin_at <= ${now}::timestamptz)`;
  return {
    own,
    /** Those that can be found by their start, and those that have to be looked for before. */
    short: sql`${own} and time_trackings.starts_at >= place.short_from`,
    earlier: sql`${own} and time_trackings.starts_at < place.short_from and ${isLong}`,
  };
};

/** The ids of the page. Each location gives as many as all pages up to this one can hold, in order. */
function pageIds(values: Values, ofUser: Sql): Sql {
  const { short, earlier } = parts(values, ofUser);
  const first = (rows: Sql): Sql =>
    sql`(select time_trackings.id, time_trackings.starts_at ${rows} order by time_trackings.starts_at, time_trackings.id limit ${values.upTo})`;
  return sql`array(
    select session.id from place cross join lateral (${first(earlier)} union all ${first(short)}) session
    order by session.starts_at, session.id limit (${values.upTo}::bigint - ${values.skipped}::bigint) offset ${values.skipped})`;
}

/** All of a user are counted: they are few. */
function pageOfUser(values: Values, userId: number): RawBuilder<FoundPage> {
  const ofUser = sql`and time_trackings.user_id = ${userId}`;
  const { short, earlier } = parts(values, ofUser);
  const counts = [short, earlier].map((rows) => sql`(select count(*) ${rows})`);
  return sql<FoundPage>`
    with ${places(values)}
    select ${pageIds(values, ofUser)} as ids, (select coalesce(sum(${sql.join(counts, sql` + `)}), 0) from place)::bigint as count`;
}

/** Kept totals count the finished ones that begin on the whole days of a range. Those at its edges and running ones are counted. */
function pageOfLocations(values: Values): RawBuilder<FoundPage> {
  const { own, short, earlier } = parts(values, sql``);
  const finished = sql`time_trackings.ends_at is not null`;
  const counts = [
    sql`(select coalesce(sum(kept.trackings), 0) from time_tracking_totals kept
      where kept.account_id = ${values.accountId} and kept.workspace_id = place.id and kept.user_id = 0 and kept.day > '-infinity'
        and kept.day >= (place.first_day at time zone 'UTC')::date and kept.day < (place.last_day at time zone 'UTC')::date)`,
    sql`(select count(*) ${short} and ${finished} and time_trackings.starts_at < place.first_day)`,
    sql`(select count(*) ${own} and ${finished} and time_trackings.starts_at >= place.last_day)`,
    sql`(select count(*) ${earlier} and ${finished})`,
    sql`(select count(*) ${own} and ${isLong} and time_trackings.ends_at is null)`,
  ];
  return sql<FoundPage>`
    with ${places(values)}
    select ${pageIds(values, sql``)} as ids, (select coalesce(sum(${sql.join(counts, sql` + `)}), 0) from place)::bigint as count`;
}
