import type { Ref } from '../core/names.ts';
import { authorize, may, type Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { stopFollowing } from '../followers/followers.ts';
import { endRunning } from '../time_trackings/running.ts';
import { forgetEmail } from './input.ts';
import { requireAnotherAccountAdmin, setAbsenceTypes, setAreas, setTags } from './references.ts';
import { userRows, type UserRow } from './rows.ts';
import { factsOf, findUser } from './users.ts';

/**
 * An account admin deletes the user; a workspace admin takes a user of several workspaces out of this one only. Returns the
 * user as he is afterwards.
 */
export async function deleteUser(db: Db, actor: Actor, ref: Ref, now: Date): Promise<UserRow> {
  const user = await findUser(db, actor, ref);
  authorize(actor, 'destroy', 'user', factsOf(user));
  await requireAnotherAccountAdmin(db, actor.accountId, user.id, 'base');
  await waitForOthers(db, actor, user.id);
  const isLeaving = !may(actor, 'destroy_everywhere', 'user', factsOf(user)) && user.workspace_ids.length > 1;
  const onlyHere = isLeaving ? actor.workspace!.id : null;
  await leaveWorkspaces(db, actor, user.id, onlyHere);
  // Once he is no member, nothing of his can begin any more.
  await endRunning(db, actor, user.id, onlyHere, now);
  if (!isLeaving) await removeUser(db, actor.accountId, user.id, now);
  const gone = await userRows(db, actor).where('users.id', '=', user.id).executeTakeFirstOrThrow();
  return { ...gone, identifier_pin: user.identifier_pin };
}

/** Of two who delete a user at the same moment, the second waits for the first, and then finds nobody. */
async function waitForOthers(db: Db, actor: Actor, userId: number): Promise<void> {
  await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', userId)
    .forUpdate()
    .execute();
  await findUser(db, actor, userId);
}

/** Ends everything a user could do, and keeps what he did. */
async function removeUser(db: Db, accountId: number, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ status: 'inactive', deleted_at: now, updated_at: now, is_account_admin: false })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  await forgetEmail(db, accountId, userId);
  await db.deleteFrom('access_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
  await db.deleteFrom('reset_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

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
