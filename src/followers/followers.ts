import { notFound } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { ownerColumn, ownerId, type Owner } from '../notes/owner.ts';

/*
 * Followers see a record and hear of its changes. Time trackings and absences have a table each, alike but for two names:
 * the types below are those of the first.
 */
const placeOf = (owner: Owner) => ({
  table: ('time_tracking_id' in owner ? 'time_tracking_followers' : 'absence_followers') as 'time_tracking_followers',
  column: ownerColumn(owner) as 'time_tracking_id',
  id: ownerId(owner),
});

/** Makes the followers of a record exactly these. */
export async function setFollowers(db: Db, actor: Actor, owner: Owner, userIds: readonly number[]): Promise<void> {
  const { table, column, id } = placeOf(owner);
  await db.deleteFrom(table).where('account_id', '=', actor.accountId).where(column, '=', id).execute();
  await addFollowers(db, actor, owner, userIds);
}

/** Adds followers; those who follow already stay. */
export async function addFollowers(db: Db, { accountId }: Actor, owner: Owner, userIds: readonly number[]): Promise<void> {
  const { table, column, id } = placeOf(owner);
  const rows = [...new Set(userIds)].map((userId) => ({ account_id: accountId, [column as 'time_tracking_id']: id, user_id: userId }));
  if (rows.length === 0) return;
  await db
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes one follower off a record; a user who does not follow it is 404. */
export async function removeFollower(db: Db, { accountId }: Actor, owner: Owner, userId: Id): Promise<void> {
  const { table, column, id } = placeOf(owner);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('account_id', '=', accountId)
    .where(column, '=', id)
    .where('user_id', '=', numericId(userId) ?? 0)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('follower');
}

/** A user who leaves, or who leaves one workspace, follows nothing there any more. */
export async function stopFollowing(db: Db, accountId: number, userId: number, workspaceId: number | null): Promise<void> {
  for (const [table, column, owners] of [
    ['time_tracking_followers', 'time_tracking_id', 'time_trackings'],
    ['absence_followers', 'absence_id', 'absences'],
  ] as const) {
    let leaving = db
      .deleteFrom(table as 'time_tracking_followers')
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId);
    if (workspaceId !== null) {
      const here = db.selectFrom(owners).select('id').where('account_id', '=', accountId).where('workspace_id', '=', workspaceId);
      leaving = leaving.where(column as 'time_tracking_id', 'in', here);
    }
    await leaving.execute();
  }
}
