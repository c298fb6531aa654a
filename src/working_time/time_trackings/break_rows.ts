import { sql } from 'kysely';
import { secondsOf, type Span } from '../../days/calendar/worked_time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';
import type { PlannedBreak } from './problems.ts';

/*
 * Writing breaks. The caller has locked the time tracking, which also stores the sum of its breaks.
 */

/** A break that a time tracking is to have; a stored one has its id. */
export type WantedBreak = PlannedBreak & { readonly id?: number };

/** The query that inserts breaks and returns their ids; undefined for no breaks. */
export const breakInsertion = (
  db: Db,
  accountId: number,
  { id, created_by }: { readonly id: number; readonly created_by: string },
  breaks: readonly Span[],
  now: Date,
) =>
  breaks.length === 0
    ? undefined
    : db
        .insertInto('breaks')
        .values(
          breaks.map(({ starts_at, ends_at }) => ({
            account_id: accountId,
            time_tracking_id: id,
            starts_at,
            ends_at,
            created_by,
            created_at: now,
            updated_at: now,
          })),
        )
        .returning('id');

/**
 * The queries that make the breaks of a time tracking exactly these. The insertion returns the ids of the new breaks. Where there
 * is nothing to do, a query is undefined.
 */
export function breakReplacement(db: Db, row: StoredTimeTracking, wanted: readonly WantedBreak[], now: Date) {
  const stored = new Map(breaksOf(row).map((pause) => [pause.id, pause]));
  const kept = new Set(wanted.map(({ id }) => id));
  const removed = [...stored.keys()].filter((id) => !kept.has(id));
  const changed = wanted.filter(({ id, starts_at, ends_at }) => {
    const before = id === undefined ? undefined : stored.get(id);
    return before && !(sameTime(before.starts_at, starts_at) && sameTime(before.ends_at, ends_at));
  });
  const added = wanted.filter(({ id }) => id === undefined);
  const { account_id } = row;
  return {
    removal:
      removed.length === 0
        ? undefined
        : db.deleteFrom('breaks').where('account_id', '=', account_id).where(isAnyOf('id', removed)),
    correction: changed.length === 0 ? undefined : correction(db, account_id, changed, now),
    insertion: breakInsertion(db, account_id, row, added, now),
  };
}

const correction = (db: Db, accountId: number, breaks: readonly WantedBreak[], now: Date) =>
  sql`
    update breaks set starts_at = changed.starts_at, ends_at = changed.ends_at, updated_at = ${now}
    from unnest(
      ${breaks.map(({ id }) => id)}::bigint[], ${breaks.map(({ starts_at }) => starts_at)}::timestamptz[],
      ${breaks.map(({ ends_at }) => ends_at)}::timestamptz[]) changed (id, starts_at, ends_at)
    where breaks.account_id = ${accountId} and breaks.id = changed.id`.compile(db);

const sameTime = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();

/** The seconds of the ended breaks, as a time tracking stores them; null if there are no breaks. */
export const storedSeconds = (breaks: readonly Span[]): number | null =>
  breaks.length === 0
    ? null
    : breaks.reduce((sum, pause) => sum + (pause.ends_at === null ? 0 : secondsOf(pause, pause.ends_at)), 0);

/** Stores the seconds of the ended breaks with the time tracking. */
export async function sumBreaks(db: Db, accountId: number, timeTrackingId: number): Promise<void> {
  await sql`
    update time_trackings set breaks_s = (
      select case when count(*) > 0 then coalesce(sum(extract(epoch from pause.ends_at - pause.starts_at)), 0) end
      from breaks pause where pause.account_id = ${accountId} and pause.time_tracking_id = ${timeTrackingId})
    where account_id = ${accountId} and id = ${timeTrackingId}`.execute(db);
}
