import { sql } from 'kysely';
import { notFound } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { ownerColumn, ownerId, type Owner } from '../notes/owner.ts';

/*
 * Followers may read a record and are notified of its changes. Time trackings and absences have a table each. The two tables
 * differ in two names only, so the types here are those of the first.
 */
const tableOf = (owner: Owner) => ({
  table: ('time_tracking_id' in owner ? 'time_tracking_followers' : 'absence_followers') as 'time_tracking_followers',
  column: ownerColumn(owner) as 'time_tracking_id',
});

/** Replaces the followers of records of one kind. */
export async function setFollowers(
  db: Db,
  actor: Actor,
  owners: readonly Owner[],
  userIds: readonly number[],
): Promise<void> {
  const [first] = owners;
  if (first === undefined) return;
  const { table, column } = tableOf(first);
  await db
    .deleteFrom(table)
    .where('account_id', '=', actor.accountId)
    .where(sql<boolean>`${sql.ref(column)} = any(${owners.map(ownerId)}::bigint[])`)
    .execute();
  await addFollowers(db, actor, owners, userIds);
}

/** Adds followers to records of one kind, beside those they have. */
export async function addFollowers(
  db: Db,
  { accountId }: Actor,
  owners: readonly Owner[],
  userIds: readonly number[],
): Promise<void> {
  const [first] = owners;
  if (first === undefined || userIds.length === 0) return;
  const { table, column } = tableOf(first);
  await sql`
    insert into ${sql.table(table)} (account_id, ${sql.ref(column)}, user_id)
    select ${accountId}, owner.id, follower.id from unnest(${owners.map(ownerId)}::bigint[]) owner (id), unnest(${userIds}::bigint[]) follower (id)
    on conflict do nothing`.execute(db);
}

/** Removes one follower of a record; 404 for a user who does not follow it. */
export async function removeFollower(db: Db, { accountId }: Actor, owner: Owner, userId: Id): Promise<void> {
  const { table, column } = tableOf(owner);
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('account_id', '=', accountId)
    .where(column, '=', ownerId(owner))
    .where('user_id', '=', numericId(userId) ?? 0)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('follower');
}

/** Ends everything a user follows in one workspace, or in the whole account without one. */
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
    let ended = db
      .deleteFrom(table as 'time_tracking_followers')
      .where('account_id', '=', accountId)
      .where('user_id', '=', userId);
    if (workspaceId !== null) {
      const inWorkspace = db
        .selectFrom(owners)
        .select('id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', workspaceId);
      ended = ended.where(column as 'time_tracking_id', 'in', inWorkspace);
    }
    await ended.execute();
  }
}
