import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { rank, type Rank } from '../core/ranks.ts';
import type { OpenTransaction } from './open_transaction.ts';
import { statement, type Statement } from './statement.ts';

/*
 * Row locks. Each lasts until its transaction ends, so only a transaction can take one.
 *
 * Lock order. A transaction that needs several locks takes them in this order, and rows of one table by ascending id. Then no
 * two transactions wait for each other.
 *   1. batches, workspaces, shifts, data profiles (whose lock covers their fields and the values in them)
 *   2. users         Account admins before other users. The lock on a user covers their clock and the warnings about their work: every change to the times or
 *                    breaks of a time tracking locks its user first. It also covers their target hours, vacation entitlements and
 *                    time account entries, and the amounts of their absences.
 *   3. memberships   A user stays in the workspace while their time is recorded.
 *   4. areas         An area is not deleted while time is recorded in it.
 *   5. time trackings, absences
 *   6. file totals   Triggers lock the one of the account when a file is stored or removed.
 * Four cases cannot keep the order. A time tracking that moves to another user is locked before that user. The deletion of a
 * user locks the account admins before the user, whose id may be lower. An avatar is stored before its user or workspace is
 * changed. The deletion of an area locks it before its shifts. If that leads to a deadlock, PostgreSQL detects it and the frame retries the request.
 *
 * A lock that reads the rows of one noun is a function `lock…` in that noun: lockBatch, lockRunning, lockAdministered.
 */

/** A statement that locks rows: callable, or available as a query for a pipeline. */
export interface Lock<Values, Row> {
  (tx: OpenTransaction, values: Values): Promise<Row[]>;
  readonly query: (tx: OpenTransaction, values: Values) => CompiledQuery<Row>;
}

/** Makes a statement one that only a transaction can run. */
export const lock = <Values, Row>(locking: Statement<Values, Row>): Lock<Values, Row> => locking;

/** Locks an account. */
export const lockAccount = lock(
  statement<{ accountId: number }, object>(
    (_db, { accountId }) => sql<object>`select from accounts where id = ${accountId} for no key update`,
  ),
);

/** Locks the workspaces of an account, so that no two requests delete the last two. */
export const lockWorkspaces = lock(
  statement<{ accountId: number }, { id: number }>(
    (_db, { accountId }) => sql<{ id: number }>`
      select id from workspaces where account_id = ${accountId} and deleted_at is null order by id for update`,
  ),
);

/** Locks one workspace. What it has only one of then changes in one request after the other. */
export const lockWorkspace = lock(
  statement<{ accountId: number; id: number }, object>(
    (_db, { accountId, id }) =>
      sql<object>`select from workspaces where account_id = ${accountId} and id = ${id} for no key update`,
  ),
);

/** Locks a shift that is being moved or deleted, so that nobody is assigned to it meanwhile. */
export const lockRoster = lock(
  statement<{ accountId: number; id: number }, object>(
    (_db, { accountId, id }) =>
      sql<object>`select from shifts where account_id = ${accountId} and id = ${id} for update`,
  ),
);

/** Locks a shift of a workspace. Its times and its users then change one after the other. */
export const lockShift = lock(
  statement<{ accountId: number; workspaceId: number; id: number }, { id: number }>(
    (_db, { accountId, workspaceId, id }) => sql<{ id: number }>`
      select id from shifts where account_id = ${accountId} and workspace_id = ${workspaceId} and id = ${id} for no key update`,
  ),
);

/** Locks a data profile, whose fields then change one after the other, and no value is stored in them meanwhile. */
export const lockDataProfile = lock(
  statement<{ accountId: number; id: number }, object>(
    (_db, { accountId, id }) =>
      sql<object>`select from data_profiles where account_id = ${accountId} and id = ${id} for no key update`,
  ),
);

/** Locks a data profile for a write of values: the types of its fields stay meanwhile. Null means the default one, which is the oldest. */
export const shareDataProfile = lock(
  statement<{ accountId: number; id: number | null }, object>(
    (_db, { accountId, id }) => sql<object>`
      select from data_profiles
      where account_id = ${accountId}
        and id = coalesce(${id}::bigint, (select min(oldest.id) from data_profiles oldest where oldest.account_id = ${accountId}))
      for share`,
  ),
);

/** Locks the account admins, so that no two of them leave at the same time. */
export const lockAccountAdmins = lock(
  statement<{ accountId: number }, { id: number; status: string }>(
    (_db, { accountId }) => sql<{ id: number; status: string }>`
      select id, status from users where account_id = ${accountId} and is_account_admin and deleted_at is null order by id for update`,
  ),
);

/** Locks a user who is being deleted. */
export const lockUserForDeletion = lock(
  statement<{ accountId: number; id: number }, object>(
    (_db, { accountId, id }) =>
      sql<object>`select from users where account_id = ${accountId} and id = ${id} for update`,
  ),
);

/** Locks users. Changes to the work of one user then happen one after the other, and each sees the one before it. */
export const lockUsers = lock(
  statement<{ accountId: number; ids: readonly number[] }, object>(
    (_db, { accountId, ids }) => sql<object>`
      select from users where account_id = ${accountId} and id = any(${ids}::bigint[]) order by id for no key update`,
  ),
);

/** Locks the users of time trackings. */
export const lockUsersOfTimeTrackings = lock(
  statement<{ accountId: number; timeTrackingIds: readonly number[] }, object>(
    (_db, { accountId, timeTrackingIds }) => sql<object>`
      select from users where account_id = ${accountId} and id = any(array(
        select tracking.user_id from time_trackings tracking
        where tracking.account_id = ${accountId} and tracking.id = any(${timeTrackingIds}::bigint[])))
      order by id for no key update`,
  ),
);

/** A user of a workspace whose time can be recorded. */
export interface Member {
  readonly id: number;
  readonly rank: Rank;
  readonly area_ids: readonly number[];
}

interface Members {
  accountId: number;
  /** Each user with the workspace at the same position. */
  userIds: readonly number[];
  workspaceIds: readonly number[];
}

const memberLock = (whenLocked: RawBuilder<unknown>) =>
  lock(
    statement<Members, Member>(
      (_db, { accountId, userIds, workspaceIds }) => sql<Member>`
        select "user".id, case when "user".is_account_admin then ${sql.lit(rank.accountAdmin)} else membership.role end as rank, array(
          select member.area_id from area_members member where member.account_id = ${accountId} and member.user_id = "user".id) as area_ids
        from unnest(${userIds}::bigint[], ${workspaceIds}::bigint[]) wanted (user_id, workspace_id)
        join users "user" on "user".account_id = ${accountId} and "user".id = wanted.user_id and "user".deleted_at is null
        join memberships membership
          on membership.account_id = ${accountId} and membership.workspace_id = wanted.workspace_id and membership.user_id = "user".id
        order by "user".id
        for no key update of "user" ${whenLocked} for key share of membership ${whenLocked}`,
    ),
  );

/** Locks users and their memberships, waiting for other transactions. Users who are not members are left out. */
export const lockMembers = memberLock(sql``);

/** The same without waiting: members that another transaction has locked are left out too. */
export const lockFreeMembers = memberLock(sql`skip locked`);

/** Locks an active area of a workspace, so that it is not deleted meanwhile. */
export const lockArea = lock(
  statement<{ accountId: number; workspaceId: number; id: number }, { id: number }>(
    (_db, { accountId, workspaceId, id }) => sql<{ id: number }>`
      select id from areas where account_id = ${accountId} and workspace_id = ${workspaceId} and status = 'active' and id = ${id} for share`,
  ),
);

const timeTrackingLock = <Value>(column: 'id' | 'uuid') =>
  lock(
    statement<{ accountId: number; workspaceId: number; value: Value }, { id: number }>(
      (_db, { accountId, workspaceId, value }) => sql<{ id: number }>`
        select tracking.id from time_trackings tracking
        join users "user" on "user".account_id = ${accountId} and "user".id = tracking.user_id
        where tracking.account_id = ${accountId} and tracking.workspace_id = ${workspaceId} and ${sql.ref(`tracking.${column}`)} = ${value}
        for no key update of "user" for update of tracking`,
    ),
  );

/** Locks the user of a time tracking, then the time tracking. No row: there is none, or it moved to another user meanwhile. */
export const lockTimeTrackingRow = { id: timeTrackingLock<number>('id'), uuid: timeTrackingLock<string>('uuid') };

/** Locks an absence. */
export const lockAbsenceRow = lock(
  statement<{ accountId: number; id: number }, object>(
    (_db, { accountId, id }) =>
      sql<object>`select from absences where account_id = ${accountId} and id = ${id} for update`,
  ),
);

/** Locks absences of a workspace, by id. */
export const lockAbsenceRows = lock(
  statement<{ accountId: number; workspaceId: number; ids: readonly number[] }, { id: number }>(
    (_db, { accountId, workspaceId, ids }) => sql<{ id: number }>`
      select id from absences
      where account_id = ${accountId} and workspace_id = ${workspaceId} and id = any(${ids}::bigint[])
      order by id for update`,
  ),
);
