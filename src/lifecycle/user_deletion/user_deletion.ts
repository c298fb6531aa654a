import { endSessionsOf } from '../../organisation/access_tokens/access_tokens.ts';
import { revokeCalendarFeedsOf } from '../../access/auth/calendar_feeds.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, may, type Actor } from '../../platform/core/permissions.ts';
import { lockUserForDeletion } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { stopFollowing } from '../../platform/followers/followers.ts';
import { remeasureAbsences } from '../../days/balance/remeasure_absences.ts';
import { endRunning } from '../../working_time/time_trackings/end_running.ts';
import { setAbsenceTypes, setAreas, setTags } from '../../organisation/users/assignments.ts';
import { unregisterEmail, withdrawInvitation } from '../../organisation/users/emails.ts';
import { recordUser } from '../../organisation/users/events/user_events.ts';
import { requireAnotherAccountAdmin } from '../../organisation/users/role_changes.ts';
import { factsOfUser, userRows, type UserRow } from '../../organisation/users/rows.ts';
import { findUser } from '../../organisation/users/users.ts';

/**
 * Deletes a user. A workspace admin only removes a user of several workspaces from their own workspace. Returns the user as
 * they are afterwards.
 */
export async function deleteUser(db: OpenTransaction, actor: Actor, ref: Ref, now: Date): Promise<UserRow> {
  const found = await findUser(db, actor, ref);
  authorize(actor, 'destroy', 'user', factsOfUser(found));
  await requireAnotherAccountAdmin(db, actor.accountId, found.id, 'base');
  const user = await lockExistingUser(db, actor, found.id);
  authorize(actor, 'destroy', 'user', factsOfUser(user));
  const staysElsewhere = !may(actor, 'destroy_everywhere', 'user', factsOfUser(user)) && user.workspace_ids.length > 1;
  const workspaceId = staysElsewhere ? actor.workspace!.id : null;
  await leaveWorkspaces(db, actor, user.id, workspaceId, now);
  // A user who is no member any more cannot start another time tracking.
  await endRunning(db, actor, user.id, workspaceId, now);
  if (staysElsewhere) {
    // Another workspace may now decide about the zone and the holidays of the user.
    await remeasureAbsences(db, actor, [user.id], { from: null, resetsConfirmed: false }, now);
  } else await closeAccess(db, actor, user.id, now);
  const after = await userRows(db, actor).where('users.id', '=', user.id).executeTakeFirstOrThrow();
  if (staysElsewhere) recordUser(db, actor, 'updated', { before: user, after }, now);
  else recordUser(db, actor, 'deleted', { before: user, after: null }, now);
  return { ...after, identifier_pin: user.identifier_pin };
}

/** Locks the user's row, and finds the user again. Of two deletions at the same time, the second waits for the first and then is 404. */
async function lockExistingUser(db: OpenTransaction, actor: Actor, userId: number): Promise<UserRow> {
  await lockUserForDeletion(db, { accountId: actor.accountId, id: userId });
  return findUser(db, actor, userId);
}

/** Marks the user as deleted, and signs them out for good. Their records stay. */
async function closeAccess(db: OpenTransaction, actor: Actor, userId: number, now: Date): Promise<void> {
  const { accountId } = actor;
  await db
    .updateTable('users')
    .set({ status: 'inactive', deleted_at: now, updated_at: now, is_account_admin: false })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  await unregisterEmail(db, accountId, userId);
  await withdrawInvitation(db, actor, userId, now);
  await endSessionsOf(db, actor, userId, now);
  await revokeCalendarFeedsOf(db, actor, userId, now);
  await db.deleteFrom('reset_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

/** Ends the user's membership in one workspace, or in all, with everything that depends on it. */
async function leaveWorkspaces(
  db: OpenTransaction,
  actor: Actor,
  userId: number,
  workspaceId: number | null,
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  await stopFollowing(db, actor, userId, workspaceId, now);
  const scope = { ...actor, workspace: workspaceId === null ? null : { id: workspaceId } };
  await setAreas(db, scope, userId, [], now);
  await setTags(db, scope, userId, []);
  await setAbsenceTypes(db, scope, userId, []);
  const memberships = db.deleteFrom('memberships').where('account_id', '=', accountId).where('user_id', '=', userId);
  await (workspaceId === null ? memberships : memberships.where('workspace_id', '=', workspaceId)).execute();
}
