import { sql } from 'kysely';
import { notFound } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import type { EventActor } from '../events/record.ts';
import { changeAndRecord } from '../events/record_rows.ts';
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
    on conflict do nothing
    returning account_id`.execute(db);
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
  tx: OpenTransaction,
  actor: EventActor,
  userId: number,
  workspaceId: number | null,
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  for (const { name, table, column, owners, uuid } of followed) {
    const inWorkspace = sql`${sql.ref(column)} in (
      select id from ${sql.table(owners)} where account_id = ${accountId} and workspace_id = ${workspaceId})`;
    const followerIds = sql`jsonb_agg(before.user_id order by before.user_id)`;
    await changeAndRecord(
      tx,
      actor,
      name,
      {
        change: sql`
          delete from ${sql.table(table)} where account_id = ${accountId} and user_id = ${userId}
            and ${workspaceId === null ? sql`true` : inWorkspace}
          returning ${sql.ref(column)} as record_id`,
        columns: sql`record_id bigint`,
        rows: sql`
          select record.workspace_id, record.id, ${uuid} as uuid, record.external_id, record.user_id, (
            select jsonb_build_object('follower_ids', jsonb_build_array(${followerIds},
              coalesce(${followerIds} filter (where before.user_id <> ${userId}), '[]')))
            from (
              select follower.user_id from ${sql.table(table)} follower
              where follower.account_id = ${accountId} and follower.${sql.ref(column)} = record.id
              -- The user is removed already.
              union select ${userId}::bigint) before) as changes
          from changed join ${sql.table(owners)} record on record.account_id = ${accountId} and record.id = changed.record_id`,
      },
      now,
    );
  }
}

/** The records that users follow. */
const followed = [
  {
    name: 'time_tracking.updated',
    table: 'time_tracking_followers',
    column: 'time_tracking_id',
    owners: 'time_trackings',
    uuid: sql`record.uuid`,
  },
  {
    name: 'absence.updated',
    table: 'absence_followers',
    column: 'absence_id',
    owners: 'absences',
    uuid: sql`null::uuid`,
  },
] as const;
