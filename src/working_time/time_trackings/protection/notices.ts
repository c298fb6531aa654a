import type { Span } from '../../../days/calendar/worked_time.ts';
import { groupBy } from '../../../platform/core/group_by.ts';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { notifyAll } from '../../../platform/notifications/notifications.ts';
import { noteOf } from '../change_notes.ts';

/** A time tracking that somebody has changed. */
interface Changed {
  readonly id: number;
  /** Its owners before and after the change. */
  readonly user_ids: readonly number[];
  readonly follower_ids: readonly number[];
  readonly notes: readonly string[];
}

/** Notifies the users of a time tracking that somebody else has changed their time. Followers are notified as such. */
export async function notifyOfChangedTime(
  db: Db,
  { accountId, userId, workspace }: WorkspaceActor,
  { id, user_ids, follower_ids, notes }: Changed,
  now: Date,
): Promise<void> {
  const addressees = [...new Set(user_ids)].filter((user) => user !== userId && !follower_ids.includes(user));
  const notices = addressees.map((user_id) => ({
    user_id,
    title: 'Your time tracking was changed',
    message: notes.join('\n'),
    owner: { time_tracking_id: id },
  }));
  await notifyAll(db, accountId, workspace.id, notices, now);
}

/** A notification names at most so many time trackings. */
const maxNamed = 10;

/** Notifies each user once that somebody else has deleted time trackings of theirs. */
export async function notifyOfDeletedTime(
  db: Db,
  { accountId, userId, username, workspace }: WorkspaceActor,
  deleted: readonly (Span & { readonly user_id: number })[],
  now: Date,
): Promise<void> {
  const byUser = groupBy(
    deleted.filter(({ user_id }) => user_id !== userId),
    ({ user_id }) => user_id,
  );
  const notices = [...byUser].map(([user_id, spans]) => {
    const named = spans.slice(0, maxNamed).map((span) => noteOf.deletion(username, span, workspace.time_zone));
    const more = spans.length > maxNamed ? [`${username} deleted ${spans.length - maxNamed} more.`] : [];
    const title =
      spans.length === 1 ? 'Your time tracking was deleted' : `${spans.length} of your time trackings were deleted`;
    return { user_id, title, message: [...named, ...more].join('\n'), owner: null };
  });
  await notifyAll(db, accountId, workspace.id, notices, now);
}
