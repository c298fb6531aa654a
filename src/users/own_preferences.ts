import type { components } from '../../generated/v3.ts';
import type { Actor } from '../core/permissions.ts';
import { pick } from '../core/pick.ts';
import type { Db } from '../db/connection.ts';
import type { UserRow } from './rows.ts';
import { findSelf } from './users.ts';

export type OwnPreferences = components['schemas']['CurrentUserUpdate']['data']['attributes'];

/** Changes what users decide for themselves. */
export async function updateOwnPreferences(
  db: Db,
  actor: Actor,
  preferences: OwnPreferences,
  now: Date,
): Promise<UserRow> {
  const { id } = await findSelf(db, actor);
  await db
    .updateTable('users')
    .set({ ...pick(preferences, ['mail_notifications']), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .execute();
  return findSelf(db, actor);
}
