import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { rank, type Rank } from '../core/ranks.ts';
import type { OpenTransaction } from './open_transaction.ts';
import { isAnyOf } from './rows_by_ids.ts';

/*
 * Row locks. Each lasts until its transaction ends, so only a transaction can take one.
 *
 * Lock order. A transaction that needs several locks takes them in this order, and rows of one table by ascending id. Then no
 * two transactions wait for each other.
 *   1. accounts, batches, workspaces, shifts, data profiles (whose lock covers their fields and the values in them)
 *   2. users         Account admins before other users. The lock on a user covers their clock and the warnings about their work:
 *                    every change to the times or breaks of a time tracking locks its user first. It also covers their target
 *                    hours, vacation entitlements and time account entries, and the amounts of their absences.
 *   3. memberships   A user stays in the workspace while their time is recorded.
 *   4. areas         An area is not deleted while time is recorded in it.
 *   5. time trackings, absences
 *   6. file totals   Triggers lock the one of the account when a file is stored or removed.
 * Four cases cannot keep the order. A time tracking that moves to another user is locked before that user. The deletion of a
 * user locks the account admins before the user, whose id may be lower. An avatar is stored before its user or workspace is
 * changed. The deletion of an area locks it before its shifts. If that leads to a deadlock, PostgreSQL detects it, and the request
 * is retried.
 *
 * A function `lock…` takes a lock. A function `…Lock` makes the query that takes it, for a pipeline. A lock that reads the rows
 * of one noun is in that noun: lockBatch, lockRunning, lockAdministered.
 */

interface RowOfAccount {
  readonly accountId: number;
  readonly id: number;
}

interface RowOfWorkspace extends RowOfAccount {
  readonly workspaceId: number;
}

/** Locks an account. */
export const lockAccount = (tx: OpenTransaction, { accountId }: { readonly accountId: number }): Promise<object[]> =>
  tx.selectFrom('accounts').where('id', '=', accountId).forNoKeyUpdate().execute();

/** Locks the workspaces of an account, so that no two requests delete the last two. */
export const lockWorkspaces = (tx: OpenTransaction, { accountId }: { readonly accountId: number }) =>
  tx
    .selectFrom('workspaces')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Locks one workspace. What it has only one of then changes in one request after the other. */
export const lockWorkspace = (tx: OpenTransaction, { accountId, id }: RowOfAccount): Promise<object[]> =>
  tx.selectFrom('workspaces').where('account_id', '=', accountId).where('id', '=', id).forNoKeyUpdate().execute();

/** Locks a shift that is being moved or deleted, so that nobody is assigned to it meanwhile. */
export const lockRoster = (tx: OpenTransaction, { accountId, id }: RowOfAccount): Promise<object[]> =>
  tx.selectFrom('shifts').where('account_id', '=', accountId).where('id', '=', id).forUpdate().execute();

/** Locks a shift of a workspace. Its times and its users then change one after the other. */
export const lockShift = (tx: OpenTransaction, { accountId, workspaceId, id }: RowOfWorkspace) =>
  tx
    .selectFrom('shifts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute();

/** Locks a data profile, whose fields then change one after the other, and no value is stored in them meanwhile. */
export const lockDataProfile = (tx: OpenTransaction, { accountId, id }: RowOfAccount): Promise<object[]> =>
  tx.selectFrom('data_profiles').where('account_id', '=', accountId).where('id', '=', id).forNoKeyUpdate().execute();

/** Locks a data profile for a write of values: the types of its fields stay meanwhile. Null means the default one, which is the oldest. */
export const shareDataProfile = (
  tx: OpenTransaction,
  { accountId, id }: { readonly accountId: number; readonly id: number | null },
): Promise<object[]> => {
  const oldest = tx
    .selectFrom('data_profiles as oldest')
    .select(({ fn }) => fn.min('oldest.id').as('id'))
    .where('oldest.account_id', '=', accountId);
  return tx
    .selectFrom('data_profiles')
    .where('account_id', '=', accountId)
    .where('id', '=', id ?? oldest)
    .forShare()
    .execute();
};

/** Locks the account admins, so that no two of them leave at the same time. */
export const lockAccountAdmins = (tx: OpenTransaction, { accountId }: { readonly accountId: number }) =>
  tx
    .selectFrom('users')
    .select(['id', 'status'])
    .where('account_id', '=', accountId)
    .where('is_account_admin', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Locks a user who is being deleted. */
export const lockUserForDeletion = (tx: OpenTransaction, { accountId, id }: RowOfAccount): Promise<object[]> =>
  tx.selectFrom('users').where('account_id', '=', accountId).where('id', '=', id).forUpdate().execute();

interface Users {
  readonly accountId: number;
  readonly ids: readonly number[];
}

/** The query that locks users. */
export const usersLock = (tx: OpenTransaction, { accountId, ids }: Users) =>
  tx.selectFrom('users').where('account_id', '=', accountId).where(isAnyOf('id', ids)).orderBy('id').forNoKeyUpdate();

/** Locks users. Changes to the work of one user then happen one after the other, and each sees the one before it. */
export const lockUsers = (tx: OpenTransaction, users: Users): Promise<object[]> => usersLock(tx, users).execute();

/** Locks the users of time trackings. */
export const lockUsersOfTimeTrackings = (
  tx: OpenTransaction,
  { accountId, timeTrackingIds }: { readonly accountId: number; readonly timeTrackingIds: readonly number[] },
): Promise<object[]> => {
  const userIds = tx
    .selectFrom('time_trackings as tracking')
    .select('tracking.user_id')
    .where('tracking.account_id', '=', accountId)
    .where(isAnyOf('tracking.id', timeTrackingIds));
  return tx
    .selectFrom('users')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`id = any(array(${userIds}))`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
};

/** A user of a workspace whose time can be recorded. */
export interface Member {
  readonly id: number;
  readonly rank: Rank;
  readonly area_ids: readonly number[];
}

/** The query that locks a user and their membership. No row: the user is no member of the workspace. */
export const memberLock = (
  tx: OpenTransaction,
  { accountId, userId, workspaceId }: { accountId: number; userId: number; workspaceId: number },
) =>
  tx
    .selectFrom('users as user')
    .innerJoin('memberships as membership', (join) =>
      join
        .on('membership.account_id', '=', accountId)
        .on('membership.workspace_id', '=', workspaceId)
        .onRef('membership.user_id', '=', 'user.id'),
    )
    .where('user.account_id', '=', accountId)
    .where('user.id', '=', userId)
    .where('user.deleted_at', 'is', null)
    .select([
      'user.id',
      sql<Rank>`case when "user".is_account_admin then ${sql.lit(rank.accountAdmin)} else membership.role end`.as(
        'rank',
      ),
      sql<number[]>`array(
        select member.area_id from area_members member
        where member.account_id = ${accountId} and member.user_id = "user".id)`.as('area_ids'),
    ])
    .forNoKeyUpdate('user')
    .forKeyShare('membership');

/** The query that locks an active area of a workspace, so that it is not deleted meanwhile. */
export const areaLock = (tx: OpenTransaction, { accountId, workspaceId, id }: RowOfWorkspace) =>
  tx
    .selectFrom('areas')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'active')
    .where('id', '=', id)
    .forShare();

/** Locks an active area of a workspace. No row: there is none. */
export const lockArea = (tx: OpenTransaction, area: RowOfWorkspace): Promise<{ id: number }[]> =>
  areaLock(tx, area).execute();

/** The query that locks the user of a time tracking, then the time tracking. No row: there is none, or it moved to another user meanwhile. */
export const timeTrackingLock = (
  tx: OpenTransaction,
  { accountId, workspaceId }: { readonly accountId: number; readonly workspaceId: number },
  key: { readonly id: number } | { readonly uuid: string },
) =>
  tx
    .selectFrom('time_trackings as tracking')
    .innerJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'tracking.user_id'),
    )
    .select('tracking.id')
    .where('tracking.account_id', '=', accountId)
    .where('tracking.workspace_id', '=', workspaceId)
    .$call((rows) =>
      'id' in key ? rows.where('tracking.id', '=', key.id) : rows.where('tracking.uuid', '=', key.uuid),
    )
    .forNoKeyUpdate('user')
    .forUpdate('tracking');

/** The query that locks the absences that a condition names, in one workspace or in all. */
export const absenceLock = (
  tx: OpenTransaction,
  { accountId, workspace }: { readonly accountId: number; readonly workspace: { readonly id: number } | null },
  condition: RawBuilder<SqlBool>,
) =>
  tx
    .selectFrom('absences')
    .where('account_id', '=', accountId)
    .$if(workspace !== null, (rows) => rows.where('workspace_id', '=', workspace!.id))
    .where(condition)
    .orderBy('id')
    .forUpdate();

/** Locks absences of a workspace, by id. */
export const lockAbsenceRows = (
  tx: OpenTransaction,
  {
    accountId,
    workspaceId,
    ids,
  }: { readonly accountId: number; readonly workspaceId: number; readonly ids: readonly number[] },
) =>
  tx
    .selectFrom('absences')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .where(isAnyOf('id', ids))
    .orderBy('id')
    .forUpdate()
    .execute();
