import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Span } from '../calendar/worked_time.ts';
import type { Db } from '../db/connection.ts';
import type { Placeholder } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { minRestSeconds, type CheckedTracking, type Warning } from './rules.ts';

/*
 * Which time trackings to check after a change to a user's work. A change happens in a range of time. The time trackings that
 * overlap the range are affected: their warnings may differ. Those near an affected one are needed to check it.
 */

/** The workspace whose rules apply. Every actor in a workspace is one. */
export interface WarningScope {
  readonly accountId: number;
  readonly workspace: { readonly id: number; readonly time_zone: string };
}

/** A range of time in which the work of a user changed. */
export interface ChangedRange extends Span {
  readonly user_id: number;
}

/** A warning that is stored already. */
export interface StoredWarning extends Warning {
  readonly id: number;
  readonly user_id: number;
}

/** A time tracking that is affected by a change in a range of time, or is near one that is. */
export interface NearbyTracking extends CheckedTracking {
  readonly range_number: number;
  readonly user_id: number;
  readonly is_affected: boolean;
  /** The warnings about it that are stored already. */
  readonly stored_warnings: readonly StoredWarning[];
}

/** Only a running time tracking lasts longer. */
const maxLength = sql.raw(`interval '366 days'`);
const day = sql.raw(`interval '1 day'`);

/** The time trackings that overlap a range. Most are found by their start; running ones and those longer than a day have indexes of their own. */
function overlapping(accountId: Placeholder<number>, range: 'range' | 'surroundings'): RawBuilder<unknown> {
  const [workspace, user] = [sql.ref(`${range}.workspace_id`), sql.ref(`${range}.user_id`)];
  const [from, to] = [sql.ref(`${range}.starts_at`), sql.ref(`${range}.ends_at`)];
  const own = sql`
    select tracking.id, tracking.user_id, tracking.starts_at, tracking.ends_at, tracking.break_s from time_trackings tracking
    where tracking.account_id = ${accountId} and tracking.workspace_id = ${workspace} and tracking.user_id = ${user}`;
  return sql`(
    ${own} and tracking.starts_at between ${from} - ${day} and ${to} and tracking.ends_at >= ${from}
    union all ${own} and tracking.ends_at is null and tracking.starts_at <= ${to}
    union all ${own} and tracking.gross_s > 86400 and tracking.starts_at >= ${from} - ${maxLength} and tracking.starts_at < ${from} - ${day} and tracking.ends_at >= ${from})`;
}

/**
 * The tables `affected` and `surroundings` of a `with` clause. They follow a table `range` with number, workspace_id, user_id,
 * starts_at, ends_at, and until: when a running time tracking is taken to end.
 */
export const nearbyTables = (accountId: Placeholder<number>): RawBuilder<unknown> => sql`
  affected as materialized (
    select range.number, range.workspace_id, range.user_id, tracking.id, tracking.starts_at,
      coalesce(tracking.ends_at, greatest(tracking.starts_at, range.until)) as ends_at
    from range cross join lateral ${overlapping(accountId, 'range')} tracking
  ), surroundings as materialized (
    select number, workspace_id, user_id, min(starts_at) - ${sql.lit(minRestSeconds)} * interval '1 second' as starts_at, max(ends_at) as ends_at
    from affected group by number, workspace_id, user_id
  )`;

/** The affected and nearby time trackings of each range, from those tables, by start. */
export const nearbyRows = (accountId: Placeholder<number>): RawBuilder<NearbyTracking> => sql<NearbyTracking>`
  select surroundings.number as range_number, tracking.id, tracking.user_id, tracking.starts_at, tracking.ends_at, tracking.break_s,
    affected.id is not null as is_affected, coalesce((
      select json_agg(json_build_object(
        'id', warning.id, 'user_id', warning.user_id, 'rule', warning.rule, 'title', warning.title, 'message', warning.message))
      from notifications warning
      where warning.account_id = ${accountId} and warning.time_tracking_id = affected.id and warning.rule is not null), '[]') as stored_warnings
  from surroundings cross join lateral ${overlapping(accountId, 'surroundings')} tracking
  left join affected on affected.number = surroundings.number and affected.id = tracking.id
  order by surroundings.number, tracking.starts_at, tracking.id`;

/** The query for the time trackings to check after changes in these ranges of time. */
export const nearbyTrackings = (
  db: Db,
  { accountId, workspace }: WarningScope,
  changed: readonly ChangedRange[],
  now: Date,
): CompiledQuery<NearbyTracking> => {
  const ranges = merged(changed);
  return nearbyQuery.query(db, {
    accountId,
    workspaceId: workspace.id,
    userIds: ranges.map(({ user_id }) => user_id),
    from: ranges.map(({ starts_at }) => starts_at),
    to: ranges.map((range) => new Date(endOf(range, now).getTime() + minRestSeconds * 1000)),
    until: now,
  });
};

/** Merges ranges of a user that touch: most changes leave a time tracking near where it was. */
function merged(ranges: readonly ChangedRange[]): ChangedRange[] {
  const sorted = [...ranges].sort(
    (one, other) => one.user_id - other.user_id || one.starts_at.getTime() - other.starts_at.getTime(),
  );
  const result: ChangedRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last?.user_id === range.user_id && (last.ends_at === null || last.ends_at >= range.starts_at)) {
      const ends_at =
        last.ends_at === null || range.ends_at === null
          ? null
          : new Date(Math.max(last.ends_at.getTime(), range.ends_at.getTime()));
      result[result.length - 1] = { user_id: last.user_id, starts_at: last.starts_at, ends_at };
    } else result.push(range);
  }
  return result;
}

const endOf = ({ starts_at, ends_at }: Span, now: Date): Date => ends_at ?? (now > starts_at ? now : starts_at);

interface Ranges {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  from: readonly Date[];
  to: readonly Date[];
  until: Date;
}

const nearbyQuery = statement<Ranges, NearbyTracking>(
  (_db, values) => sql<NearbyTracking>`
    with range as materialized (
      select range.*, ${values.workspaceId}::bigint as workspace_id, ${values.until}::timestamptz as until
      from unnest(${values.userIds}::bigint[], ${values.from}::timestamptz[], ${values.to}::timestamptz[])
        with ordinality as range (user_id, starts_at, ends_at, number)
    ), ${nearbyTables(values.accountId)} ${nearbyRows(values.accountId)}`,
);
