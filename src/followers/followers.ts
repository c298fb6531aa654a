import { sql } from 'kysely';
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
export const setFollowers = (db: Db, actor: Actor, owner: Owner, userIds: readonly number[]): Promise<void> =>
  setFollowersOf(db, actor, [owner], userIds);

/** The same for many records of one kind. */
export async function setFollowersOf(
  db: Db,
  actor: Actor,
  owners: readonly Owner[],
  userIds: readonly number[],
): Promise<void> {
  const [first] = owners;
  if (first === undefined) return;
  const { table, column } = placeOf(first);
  await db
    .deleteFrom(table)
    .where('account_id', '=', actor.accountId)
    .where(sql<boolean>`${sql.ref(column)} = any(${owners.map(ownerId)}::bigint[])`)
    .execute();
  await addFollowersTo(db, actor, owners, userIds);
}

/** Adds followers; those who follow already stay. */
export const addFollowers = (db: Db, actor: Actor, owner: Owner, userIds: readonly number[]): Promise<void> =>
  addFollowersTo(db, actor, [owner], userIds);

async function addFollowersTo(
  db: Db,
  { accountId }: Actor,
  owners: readonly Owner[],
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  const { table, column } = placeOf(owners[0]!);
  await sql`
    insert into ${sql.table(table)} (account_id, ${sql.ref(column)}, user_id)
    select ${accountId}, owner.id, follower.id from unnest(${owners.map(ownerId)}::bigint[]) owner (id), unnest(${userIds}::bigint[]) follower (id)
    on conflict do nothing`.execute(db);
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
export async function stopFollowing(
  db: Db,
  accountId: number,
  userId: number,
  workspaceId: number | null,
): Promise<void> {
  for (const [table, column, owners] of [
    ['time_tracking_followers', 'time_tracking_id', 'time_trackings'],
    ['absence_followers', 'absence_id', 'absences'],
  ] as const) {
    let leaving = db
      .deleteFrom(table as 'time_tracking_followers')
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId);
    if (workspaceId !== null) {
      const here = db
        .selectFrom(owners)
        .select('id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', workspaceId);
      leaving = leaving.where(column as 'time_tracking_id', 'in', here);
    }
    await leaving.execute();
  }
}
