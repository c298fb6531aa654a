import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';
import type { PlannedBreak } from './time_rules.ts';
import type { Span } from './worked_time.ts';

/*
 * Writing breaks. Whoever does has locked their tracking's row, and keeps the sum that stands there.
 */

/** A break as it is to be; one that is stored already has its id. */
export type WantedBreak = PlannedBreak & { readonly id?: number };

export async function insertBreaks(
  db: Db,
  accountId: number,
  tracking: { readonly id: number; readonly created_by: string },
  breaks: readonly Span[],
  now: Date,
): Promise<number[]> {
  if (breaks.length === 0) return [];
  const rows = breaks.map(({ starts_at, ends_at }) => ({
    account_id: accountId,
    time_tracking_id: tracking.id,
    starts_at,
    ends_at,
    created_by: tracking.created_by,
    created_at: now,
    updated_at: now,
  }));
  const inserted = await db.insertInto('breaks').values(rows).returning('id').execute();
  return inserted.map(({ id }) => id);
}

/** Makes the breaks of a tracking those that are wanted, and returns the ids of the new ones. */
export async function replaceBreaks(db: Db, row: StoredTimeTracking, wanted: readonly WantedBreak[], now: Date): Promise<number[]> {
  const stored = new Map(breaksOf(row).map((pause) => [pause.id, pause]));
  const kept = new Set(wanted.map(({ id }) => id));
  const removed = [...stored.keys()].filter((id) => !kept.has(id));
  if (removed.length > 0) await db.deleteFrom('breaks').where('account_id', '=', row.account_id).where('id', 'in', removed).execute();
  const changed = wanted.filter(({ id, starts_at, ends_at }) => {
    const before = id === undefined ? undefined : stored.get(id);
    return before && !(sameTime(before.starts_at, starts_at) && sameTime(before.ends_at, ends_at));
  });
  for (const { id, starts_at, ends_at } of changed) {
    await db.updateTable('breaks').set({ starts_at, ends_at, updated_at: now }).where('account_id', '=', row.account_id).where('id', '=', id!).execute();
  }
  const added = wanted.filter(({ id }) => id === undefined);
  if (removed.length + changed.length + added.length === 0) return [];
  const newIds = await insertBreaks(db, row.account_id, row, added, now);
  await sumBreaks(db, row.account_id, row.id);
  return newIds;
}

const sameTime = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();

/** Writes down, with the tracking, the seconds of its breaks that have ended; null where it has no break at all. */
export async function sumBreaks(db: Db, accountId: number, timeTrackingId: number): Promise<void> {
  await sql`
    update time_trackings set breaks_s = (
      select case when count(*) > 0 then coalesce(sum(extract(epoch from pause.ends_at - pause.starts_at)), 0) end
      from breaks pause where pause.account_id = ${accountId} and pause.time_tracking_id = ${timeTrackingId})
    where account_id = ${accountId} and id = ${timeTrackingId}`.execute(db);
}
