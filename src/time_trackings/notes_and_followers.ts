import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { addSystemNotes } from '../notes/notes.ts';
import { notifyFollowers } from '../notifications/notifications.ts';

/** What happened to a tracking, in system notes. */
export interface Change {
  /** Who follows it, where that is known. */
  readonly tracking: { readonly id: number; readonly follower_ids?: readonly number[] };
  readonly notes: readonly string[];
}

/** Writes down what was changed, a note each, and tells the followers. */
export async function recordChanges(
  db: Db,
  actor: WorkspaceActor,
  changes: readonly Change[],
  now: Date,
): Promise<void> {
  const notes = changes.flatMap(({ tracking, notes }) =>
    notes.map((content) => ({ owner: { time_tracking_id: tracking.id }, content })),
  );
  await addSystemNotes(db, actor.accountId, notes, now);
  await tellFollowers(db, actor, changes, now);
}

/** Tells the followers alone; somebody else has written the notes. */
export async function tellFollowers(
  db: Db,
  actor: WorkspaceActor,
  changes: readonly Change[],
  now: Date,
): Promise<void> {
  const followed = changes.filter(({ tracking, notes }) => tracking.follower_ids?.length !== 0 && notes.length > 0);
  const news = followed.map(({ tracking, notes }) => ({
    owner: { time_tracking_id: tracking.id },
    message: notes.join('\n'),
  }));
  await notifyFollowers(db, actor, 'A time tracking you follow was changed', news, now);
}
