import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { addSystemNotes } from '../notes/notes.ts';
import { notifyFollowersOf } from '../notifications/notifications.ts';
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
  const followed = changes.filter(({ tracking, notes }) => tracking.follower_ids.length > 0 && notes.length > 0);
  const title = 'A time tracking you follow was changed';
  const news = followed.map(({ tracking, notes }) => ({ owner: { time_tracking_id: tracking.id }, title, message: notes.join('\n') }));
  await notifyFollowersOf(db, actor, news, now);
}

/** Judges anew the working time around where trackings were and where they are now. */
export async function judge(db: Db, actor: WorkspaceActor, places: readonly Worker[], now: Date): Promise<void> {
  for (const { user_id, ...range } of merged(places)) await judgeAround(db, actor, user_id, range, now);
}

type Worker = Pick<TimeTrackingRow, 'user_id' | 'starts_at' | 'ends_at'>;

/** What touches each other is looked at together: most changes leave a tracking near where it was. */
function merged(places: readonly Worker[]): Worker[] {
  const sorted = [...places].sort((one, other) => one.user_id - other.user_id || one.starts_at.getTime() - other.starts_at.getTime());
  const result: Worker[] = [];
  for (const place of sorted) {
    const last = result.at(-1);
    if (last?.user_id === place.user_id && (last.ends_at === null || last.ends_at >= place.starts_at)) {
      const ends_at = last.ends_at === null || place.ends_at === null ? null : new Date(Math.max(last.ends_at.getTime(), place.ends_at.getTime()));
      result[result.length - 1] = { user_id: last.user_id, starts_at: last.starts_at, ends_at };
    } else result.push(place);
  }
  return result;
}
