import { sql } from 'kysely';
import { lockFreeMembers, lockMembers, type Member } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { pipeline } from '../db/pipeline.ts';
import { statement } from '../db/statement.ts';
import { relatedIds, storedBreaks, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { nearbyRows, nearbyTables, type NearbyTracking } from '../working_time_rules/nearby_trackings.ts';
import { minRestSeconds } from '../working_time_rules/rules.ts';
import { maxAheadMs } from './clock.ts';

/*
 * The clock of a user: everything that decides what a punch does. A punch locks its user before it reads the clock, so punches
 * of one user happen one after the other and each sees the one before it.
 */

export interface LockedClock {
  readonly member: Member;
  /** The running time tracking. */
  readonly tracking: StoredTimeTracking | null;
  /** The last punch of the running time tracking. */
  readonly lastPunch: { readonly action_type: string; readonly action_time: Date } | null;
  /** The time trackings whose warnings may change, and those needed to check them, before the punch. */
  readonly nearby: readonly NearbyTracking[];
}

/** Whose clock a punch is for, and when it happens. */
export interface PunchTarget {
  readonly accountId: number;
  readonly workspaceId: number;
  readonly userId: number;
  readonly time: Date;
  readonly now: Date;
}

/** Locks and reads the clocks of different users of one account, by user id. Users outside the workspace have none. */
export const lockClocks = (tx: OpenTransaction, targets: readonly PunchTarget[]) => read(tx, targets, lockMembers);

/** The same without waiting: clocks that another transaction has locked are left out. */
export const lockFreeClocks = (tx: OpenTransaction, targets: readonly PunchTarget[]) =>
  read(tx, targets, lockFreeMembers);

async function read(
  tx: OpenTransaction,
  targets: readonly PunchTarget[],
  lock: typeof lockMembers,
): Promise<Map<number, LockedClock>> {
  if (targets.length === 0) return new Map();
  const values = {
    accountId: targets[0]!.accountId,
    userIds: targets.map(({ userId }) => userId),
    workspaceIds: targets.map(({ workspaceId }) => workspaceId),
    times: targets.map(({ time }) => time),
    // A punch takes effect at most this late.
    latestTimes: targets.map(({ time, now }) => new Date(Math.max(time.getTime(), now.getTime()) + maxAheadMs)),
  };
  const [members, rows] = await pipeline(tx, [lock.query(tx, values), clocks.query(tx, values)]);
  const rowOf = new Map(rows.map((row) => [row.user_id, row]));
  return new Map(members.map((member) => [member.id, { member, ...clockIn(rowOf.get(member.id)!) }]));
}

const clockIn = ({ running, last_punch, nearby }: ClockRow): Omit<LockedClock, 'member'> => ({
  tracking: running && {
    ...running,
    starts_at: new Date(running.starts_at),
    ends_at: null,
    actual_ends_at: dateOrNull(running.actual_ends_at),
  },
  lastPunch: last_punch && { ...last_punch, action_time: new Date(last_punch.action_time) },
  nearby: nearby.map((tracking) => ({
    ...tracking,
    starts_at: new Date(tracking.starts_at),
    ends_at: dateOrNull(tracking.ends_at),
  })),
});

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** JSON has no times, so they are texts. */
type InJson<T> = {
  readonly [Key in keyof T]: T[Key] extends Date ? string : T[Key] extends Date | null ? string | null : T[Key];
};

interface ClockRow {
  readonly user_id: number;
  readonly running: InJson<StoredTimeTracking> | null;
  readonly last_punch: InJson<NonNullable<LockedClock['lastPunch']>> | null;
  readonly nearby: readonly InJson<NearbyTracking>[];
}

interface ClockValues {
  accountId: number;
  userIds: readonly number[];
  workspaceIds: readonly number[];
  times: readonly Date[];
  latestTimes: readonly Date[];
}

const clocks = statement<ClockValues, ClockRow>(
  (_db, { accountId, userIds, workspaceIds, times, latestTimes }) => sql<ClockRow>`
    with punch as materialized (
      select * from unnest(${userIds}::bigint[], ${workspaceIds}::bigint[], ${times}::timestamptz[], ${latestTimes}::timestamptz[])
        with ordinality as punch (user_id, workspace_id, time, latest_time, number)
    ), running as materialized (
      select punch.number, account_id, id, uuid, time_trackings.user_id, area_id, starts_at, ends_at, actual_ends_at, created_by,
        force_custom_break_duration, custom_break_s, ${storedBreaks} as stored_breaks,
        ${relatedIds('time_tracking_tags', 'tag_id')} as tag_ids, ${relatedIds('time_tracking_followers', 'user_id')} as follower_ids
      from punch
      join time_trackings on account_id = ${accountId} and time_trackings.workspace_id = punch.workspace_id
        and time_trackings.user_id = punch.user_id and ends_at is null
    ), range as materialized (
      select punch.number, punch.workspace_id, punch.user_id, coalesce(running.starts_at, punch.time) as starts_at,
        punch.latest_time + ${sql.lit(minRestSeconds)} * interval '1 second' as ends_at, punch.latest_time as until
      from punch left join running on running.number = punch.number
    ), ${nearbyTables(accountId)}, nearby as (
      select range_number, json_agg(found order by found.starts_at, found.id) as trackings from (${nearbyRows(accountId)}) found group by range_number
    )
    select punch.user_id, row_to_json(running) as running, (
      select json_build_object('action_type', action.action_type, 'action_time', action.action_time)
      from actions action where action.account_id = ${accountId} and action.time_tracking_id = running.id
      order by action.action_time desc, action.id desc limit 1) as last_punch,
      coalesce(nearby.trackings, '[]') as nearby
    from punch left join running on running.number = punch.number left join nearby on nearby.range_number = punch.number`,
);
