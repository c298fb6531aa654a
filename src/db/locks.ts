import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { rank, type Rank } from '../core/ranks.ts';
import type { OpenTransaction } from './open_transaction.ts';
import type { Placeholders } from './placeholders.ts';
import { statement, type Statement } from './statement.ts';

/*
 * Row locks. Each lasts until its transaction ends, so only a transaction can take one.
 *
 * Lock order. A transaction that needs several locks takes them in this order, and rows of one table by ascending id. Then no
 * two transactions wait for each other.
 *   1. batches, workspaces
 *   2. users         Account admins before other users. The lock on a user covers their clock and the warnings about their work: every change to the times or
 *                    breaks of a time tracking locks its user first. It also covers their target hours, vacation entitlements and
 *                    time account entries, and the amounts of their absences.
 *   3. memberships   A user stays in the workspace while their time is recorded.
 *   4. areas         An area is not deleted while time is recorded in it.
 *   5. time trackings, absences
 *   6. file totals   Triggers lock the one of the account when a file is stored or removed.
 * Three cases cannot keep the order. A time tracking that moves to another user is locked before that user. The deletion of a
 * user locks the account admins before the user, whose id may be lower. An avatar is stored before its user or workspace is
 * changed. If that leads to a deadlock, PostgreSQL detects it and the frame retries the request.
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

/** Locks the workspaces of an account, so that no two requests delete the last two. */
export const lockWorkspaces = lock(
  statement<{ accountId: number }, { id: number }>(
    (_db, { accountId }) => sql<{ id: number }>`
      select id from workspaces where account_id = ${accountId} and deleted_at is null order by id for update`,
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

interface RecordToLock {
  accountId: number;
  /** As the API shows it. */
  id: string;
}

const recordLock = (select: (values: Placeholders<RecordToLock>) => RawBuilder<object>) =>
  lock(statement<RecordToLock, object>((_db, values) => select(values)));

const ownRecord = (table: keyof DB) =>
  recordLock(
    ({ accountId, id }) => sql<object>`
      select from ${sql.table(table)} where account_id = ${accountId} and id = ${id}::bigint for no key update`,
  );

/** A record of a user: the user first, then the record. */
const recordOfUser = (table: keyof DB) =>
  recordLock(
    ({ accountId, id }) => sql<object>`
      select from ${sql.table(table)} record
      join users "user" on "user".account_id = ${accountId} and "user".id = record.user_id
      where record.account_id = ${accountId} and record.id = ${id}::bigint
      for no key update of "user" for update of record`,
  );

/** Locks the record that a path ends with, by the name of its last step. No row: there is none, or it moved to another user meanwhile. */
export const recordLocks: Readonly<Record<string, Lock<RecordToLock, object>>> = {
  account_id: recordLock(
    ({ accountId }) => sql<object>`select from accounts where id = ${accountId} for no key update`,
  ),
  workspace_id: ownRecord('workspaces'),
  area_id: ownRecord('areas'),
  user_id: ownRecord('users'),
  me: ownRecord('users'),
  // The paths of the public API name no record.
  users: ownRecord('users'),
  absences: recordOfUser('absences'),
  working_areas: ownRecord('areas'),
  filters: ownRecord('tags'),
  tag_id: ownRecord('tags'),
  target_hour_id: recordOfUser('target_hours'),
  vacation_entitlement_id: recordOfUser('vacation_entitlements'),
  absence_id: recordOfUser('absences'),
  accounting_period_id: recordOfUser('accounting_periods'),
  time_tracking_id: recordLock(
    ({ accountId, id }) => sql<object>`
      select from time_trackings record
      join users "user" on "user".account_id = ${accountId} and "user".id = record.user_id
      where record.account_id = ${accountId}
        and (record.id = case when ${id}::text ~ '^[0-9]+$' then ${id}::text::bigint end
          or record.uuid = case when ${id}::text !~ '^[0-9]+$' then ${id}::text::uuid end)
      for no key update of "user" for update of record`,
  ),
  break_id: recordLock(
    ({ accountId, id }) => sql<object>`
      select from breaks
      join time_trackings record on record.account_id = ${accountId} and record.id = breaks.time_tracking_id
      join users "user" on "user".account_id = ${accountId} and "user".id = record.user_id
      where breaks.account_id = ${accountId} and breaks.id = ${id}::bigint
      for no key update of "user" for update of record`,
  ),
};
