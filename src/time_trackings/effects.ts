import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { addSystemNotes } from '../notes/notes.ts';
import { notifyFollowers } from '../notifications/notifications.ts';
import type { TimeTrackingRow } from './rows.ts';
import { judgeAround } from './warnings.ts';

/** What happened to a tracking, in system notes. */
export interface Change {
  readonly tracking: Pick<TimeTrackingRow, 'id' | 'follower_ids'>;
  readonly notes: readonly string[];
}

/** Writes down what was changed, a note each, and tells the followers. */
export async function recordChanges(db: Db, actor: WorkspaceActor, changes: readonly Change[], now: Date): Promise<void> {
  const notes = changes.flatMap(({ tracking, notes }) => notes.map((content) => ({ owner: { time_tracking_id: tracking.id }, content })));
  await addSystemNotes(db, actor.accountId, notes, now);
  for (const { tracking, notes } of changes) {
    if (tracking.follower_ids.length === 0 || notes.length === 0) continue;
    await notifyFollowers(db, actor, { time_tracking_id: tracking.id }, 'A time tracking you follow was changed', notes.join('\n'), now);
  }
}

/** Judges anew the working time around where a tracking was and where it is now. */
export async function judge(
  db: Db,
  actor: WorkspaceActor,
  places: readonly Pick<TimeTrackingRow, 'user_id' | 'starts_at' | 'ends_at'>[],
  now: Date,
): Promise<void> {
  const distinct = new Map(places.map((place) => [`${place.user_id} ${place.starts_at.getTime()} ${place.ends_at?.getTime()}`, place]));
  for (const place of distinct.values()) await judgeAround(db, actor, place.user_id, place, now);
}
