import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Span } from '../calendar/worked_time.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';
import type { PlannedBreak } from './problems.ts';

/*
 * Writing breaks. The caller has locked the time tracking, which also stores the sum of its breaks.
 */

/** A break that a time tracking is to have; a stored one has its id. */
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

const insertion = statement<NewBreaks, { id: number }>(
  (_db, { accountId, timeTrackingId, starts, ends, createdBy, now }) => sql<{ id: number }>`
    insert into breaks (account_id, time_tracking_id, starts_at, ends_at, created_by, created_at, updated_at)
    select ${accountId}, ${timeTrackingId}, starts_at, ends_at, ${createdBy}, ${now}, ${now}
    from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality pause (starts_at, ends_at, position) order by position
    returning id`,
);

/** Makes the breaks of a time tracking exactly these, and returns the ids of the new ones. */
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
    await db.deleteFrom('breaks').where('account_id', '=', row.account_id).where(isAnyOf('id', removed)).execute();
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

/** Stores the seconds of the ended breaks with the time tracking. */
export async function sumBreaks(db: Db, accountId: number, timeTrackingId: number): Promise<void> {
  await sql`
    update time_trackings set breaks_s = ${sumOfBreaks(sql.val(accountId), sql.val(timeTrackingId))}
    where account_id = ${accountId} and id = ${timeTrackingId}`.execute(db);
}

/** The seconds of the ended breaks of a time tracking; null if it has no breaks. */
export const sumOfBreaks = (accountId: Expression<number>, timeTrackingId: Expression<number>): RawBuilder<number> =>
  sql<number>`(
    select case when count(*) > 0 then coalesce(sum(extract(epoch from pause.ends_at - pause.starts_at)), 0) end
    from breaks pause where pause.account_id = ${accountId} and pause.time_tracking_id = ${timeTrackingId})`;
