import type { Ref } from '../core/names.ts';
import { authorize, may, type Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { lockUserForDeletion } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { stopFollowing } from '../followers/followers.ts';
import { remeasureAbsences } from '../time_account/remeasure_absences.ts';
import { endRunning } from '../time_trackings/end_running.ts';
import { setAbsenceTypes, setAreas, setTags } from '../users/assignments.ts';
import { unregisterEmail } from '../users/emails.ts';
import { requireAnotherAccountAdmin } from '../users/role_changes.ts';
import { factsOf, userRows, type UserRow } from '../users/rows.ts';
import { findUser } from '../users/users.ts';

/**
 * Deletes a user. A workspace admin only removes a user of several workspaces from their own workspace. Returns the user as
 * they are afterwards.
 */
export async function deleteUser(db: OpenTransaction, actor: Actor, ref: Ref, now: Date): Promise<UserRow> {
  const user = await findUser(db, actor, ref);
  authorize(actor, 'destroy', 'user', factsOf(user));
  await requireAnotherAccountAdmin(db, actor.accountId, user.id, 'base');
  await lockExistingUser(db, actor, user.id);
  const staysElsewhere = !may(actor, 'destroy_everywhere', 'user', factsOf(user)) && user.workspace_ids.length > 1;
  const workspaceId = staysElsewhere ? actor.workspace!.id : null;
  await leaveWorkspaces(db, actor, user.id, workspaceId);
  // A user who is no member any more cannot start another time tracking.
  await endRunning(db, actor, user.id, workspaceId, now);
  if (staysElsewhere) {
    // Another workspace may now decide about the zone and the holidays of the user.
    await remeasureAbsences(db, actor.accountId, [user.id], { from: null, resetsConfirmed: false }, now);
  } else await closeAccess(db, actor.accountId, user.id, now);
  const after = await userRows(db, actor).where('users.id', '=', user.id).executeTakeFirstOrThrow();
  return { ...after, identifier_pin: user.identifier_pin };
}

/** Locks the user's row. Of two deletions at the same time, the second waits for the first and then is 404. */
async function lockExistingUser(db: OpenTransaction, actor: Actor, userId: number): Promise<void> {
  await lockUserForDeletion(db, { accountId: actor.accountId, id: userId });
  await findUser(db, actor, userId);
}

/** Marks the user as deleted, and signs them out for good. Their records stay. */
async function closeAccess(db: Db, accountId: number, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ status: 'inactive', deleted_at: now, updated_at: now, is_account_admin: false })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  await unregisterEmail(db, accountId, userId);
  await db.deleteFrom('access_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
  await db.deleteFrom('reset_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

/** Ends the user's membership in one workspace, or in all, with everything that depends on it. */
async function leaveWorkspaces(
  db: Db,
  { accountId }: Actor,
  userId: number,
  workspaceId: number | null,
): Promise<void> {
  await stopFollowing(db, accountId, userId, workspaceId);
  const scope = { accountId, workspace: workspaceId === null ? null : { id: workspaceId } };
  for (const replace of [setAreas, setTags, setAbsenceTypes]) await replace(db, scope, userId, []);
  const memberships = db.deleteFrom('memberships').where('account_id', '=', accountId).where('user_id', '=', userId);
  await (workspaceId === null ? memberships : memberships.where('workspace_id', '=', workspaceId)).execute();
}
