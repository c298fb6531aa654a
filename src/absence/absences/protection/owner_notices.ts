import type { Actor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { notify, type NewNotification } from '../../../platform/notifications/notifications.ts';
import type { AbsenceRow } from '../rows.ts';

/** Notifies the absent user of what somebody else has done to the absence. Followers are notified as such. */
export async function notifyOwner(
  db: Db,
  actor: Actor,
  { account_id, workspace_id, user_id, follower_ids }: AbsenceRow,
  notice: Omit<NewNotification, 'user_id'>,
  now: Date,
): Promise<void> {
  if (user_id === actor.userId || follower_ids.includes(user_id)) return;
  await notify(db, account_id, workspace_id, { ...notice, user_id }, now);
}
