import type { components } from '../../../generated/v3.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { pick } from '../../platform/core/pick.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordUser } from '../users/events/user_events.ts';
import type { UserRow } from '../users/rows.ts';
import { findSelf } from '../users/users.ts';

export type OwnPreferences = components['schemas']['CurrentUserUpdate']['data']['attributes'];

/** Changes what users decide for themselves. */
export async function updateOwnPreferences(
  db: OpenTransaction,
  actor: Actor,
  preferences: OwnPreferences,
  now: Date,
): Promise<UserRow> {
  await lockUsers(db, { accountId: actor.accountId, ids: [actor.userId!] });
  const before = await findSelf(db, actor);
  await db
    .updateTable('users')
    .set({ ...pick(preferences, ['mail_notifications']), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', before.id)
    .execute();
  const after = await findSelf(db, actor);
  recordUser(db, actor, 'updated', { before, after }, now);
  return after;
}
