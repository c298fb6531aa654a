import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';
import type { PlannedBreak } from './time_problems.ts';
import type { Span } from '../calendar/worked_time.ts';

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
  const inserted = await insertion(db, {
    accountId,
    timeTrackingId: tracking.id,
    starts: breaks.map(({ starts_at }) => starts_at),
    ends: breaks.map(({ ends_at }) => ends_at),
    createdBy: tracking.created_by,
    now,
  });
  return inserted.map(({ id }) => id);
}

interface NewBreaks {
  accountId: number;
  timeTrackingId: number;
  starts: readonly Date[];
  ends: readonly (Date | null)[];
  createdBy: string;
  now: Date;
}

const insertion = statement(
  (_db, { accountId, timeTrackingId, starts, ends, createdBy, now }: Placeholders<NewBreaks>) => sql<{ id: number }>`
    insert into breaks (account_id, time_tracking_id, starts_at, ends_at, created_by, created_at, updated_at)
    select ${accountId}, ${timeTrackingId}, starts_at, ends_at, ${createdBy}, ${now}, ${now}
    from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality pause (starts_at, ends_at, position) order by position
    returning id`,
);

/** Makes the breaks of a tracking those that are wanted, and returns the ids of the new ones. */
export async function replaceBreaks(
  db: Db,
  row: StoredTimeTracking,
  wanted: readonly WantedBreak[],
  now: Date,
): Promise<number[]> {
  const stored = new Map(breaksOf(row).map((pause) => [pause.id, pause]));
  const kept = new Set(wanted.map(({ id }) => id));
  const removed = [...stored.keys()].filter((id) => !kept.has(id));
  if (removed.length > 0)
    await db.deleteFrom('breaks').where('account_id', '=', row.account_id).where('id', 'in', removed).execute();
  const changed = wanted.filter(({ id, starts_at, ends_at }) => {
    const before = id === undefined ? undefined : stored.get(id);
    return before && !(sameTime(before.starts_at, starts_at) && sameTime(before.ends_at, ends_at));
  });
  for (const { id, starts_at, ends_at } of changed) {
    await db
      .updateTable('breaks')
      .set({ starts_at, ends_at, updated_at: now })
      .where('account_id', '=', row.account_id)
      .where('id', '=', id!)
      .execute();
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
