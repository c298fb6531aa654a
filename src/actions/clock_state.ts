import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { together } from '../db/pipeline.ts';
import { aroundRows, aroundTables, type Around } from '../working_time_rules/neighbours.ts';
import { hangingIds, storedBreaks, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { leastRest } from '../working_time_rules/rules.ts';

/*
 * All that decides what punches do: who is punched in or out, what runs, and what is around it. Whoever changes the times or
 * the breaks of a tracking holds its user; so does a punch, before it reads: punches at once take turns, and each sees what the
 * one before it did.
 */

/** Whom a punch is for: held as a member too, so that nobody leaves the workspace with something running. */
export interface HeldMember {
  readonly id: number;
  readonly area_ids: readonly number[];
}

export interface ClockState {
  readonly tracking: StoredTimeTracking | null;
  readonly lastPunch: { readonly action_type: string; readonly action_time: Date } | null;
  /** The trackings whose judgement may change, and those that matter to it, as they are before the punch. */
  readonly around: readonly Around[];
}

/** A clock that is to be locked. */
export interface AskedClock {
  readonly workspaceId: number;
  readonly userId: number;
  /** The moment of the punch, or now. */
  readonly at: Date;
  /** When it takes effect at the latest. */
  readonly until: Date;
}

export interface LockedClock {
  readonly user: HeldMember;
  readonly clock: ClockState;
}

/** Whether to wait for clocks that somebody else has locked, or to leave them out. */
export type Turns = 'wait' | 'skip';

/** Locks the clocks of members, each of another user, and reads them. By user; those who are no members are left out. */
export async function lockClocks(
  db: Db,
  accountId: number,
  asked: readonly AskedClock[],
  turns: Turns,
): Promise<Map<number, LockedClock>> {
  if (asked.length === 0) return new Map();
  const values = {
    accountId,
    userIds: asked.map(({ userId }) => userId),
    workspaceIds: asked.map(({ workspaceId }) => workspaceId),
    moments: asked.map(({ at }) => at),
    untils: asked.map(({ until }) => until),
  };
  const [members, states] = await together([held[turns](db, values), state(db, values)]);
  const clocks = new Map(states.map((row) => [row.user_id, clockOf(row)]));
  return new Map(members.map((user) => [user.id, { user, clock: clocks.get(user.id)! }]));
}

interface Values {
  accountId: number;
  userIds: readonly number[];
  workspaceIds: readonly number[];
  moments: readonly Date[];
  untils: readonly Date[];
}

const holding = (waiting: RawBuilder<unknown>) =>
  statement(
    (_db, { accountId, userIds, workspaceIds }: Placeholders<Values>) => sql<HeldMember>`
      select "user".id, array(
        select member.area_id from area_members member where member.account_id = ${accountId} and member.user_id = "user".id) as area_ids
      from unnest(${userIds}::bigint[], ${workspaceIds}::bigint[]) asked (user_id, workspace_id)
      join users "user" on "user".account_id = ${accountId} and "user".id = asked.user_id and "user".deleted_at is null
      join memberships membership
        on membership.account_id = ${accountId} and membership.workspace_id = asked.workspace_id and membership.user_id = "user".id
      for no key update of "user" ${waiting} for key share of membership ${waiting}`,
  );

const held = { wait: holding(sql``), skip: holding(sql`skip locked`) };

const clockOf = ({ running, last_punch, around }: StateRow): ClockState => ({
  tracking: running && {
    ...running,
    starts_at: new Date(running.starts_at),
    ends_at: null,
    actual_ends_at: dateOrNull(running.actual_ends_at),
  },
  lastPunch: last_punch && { ...last_punch, action_time: new Date(last_punch.action_time) },
  around: around.map((tracking) => ({
    ...tracking,
    starts_at: new Date(tracking.starts_at),
    ends_at: dateOrNull(tracking.ends_at),
  })),
});

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** As it comes from the database: JSON knows no times. */
type InJson<T> = {
  readonly [Key in keyof T]: T[Key] extends Date ? string : T[Key] extends Date | null ? string | null : T[Key];
};

interface StateRow {
  readonly user_id: number;
  readonly running: InJson<StoredTimeTracking> | null;
  readonly last_punch: InJson<NonNullable<ClockState['lastPunch']>> | null;
  readonly around: readonly InJson<Around>[];
}

const state = statement(
  (_db, { accountId, userIds, workspaceIds, moments, untils }: Placeholders<Values>) => sql<StateRow>`
    with asked as materialized (
      select * from unnest(${userIds}::bigint[], ${workspaceIds}::bigint[], ${moments}::timestamptz[], ${untils}::timestamptz[])
        with ordinality as asked (user_id, workspace_id, at, until, number)
    ), running as materialized (
      select asked.number, account_id, id, uuid, time_trackings.user_id, area_id, starts_at, ends_at, actual_ends_at, created_by,
        force_custom_break_duration, custom_break_s, ${storedBreaks} as stored_breaks,
        ${hangingIds('time_tracking_tags', 'tag_id')} as tag_ids, ${hangingIds('time_tracking_followers', 'user_id')} as follower_ids
      from asked
      join time_trackings on account_id = ${accountId} and time_trackings.workspace_id = asked.workspace_id
        and time_trackings.user_id = asked.user_id and ends_at is null
    ), range as materialized (
      select asked.number, asked.workspace_id, asked.user_id, coalesce(running.starts_at, asked.at) as starts_at,
        asked.until + ${sql.lit(leastRest)} * interval '1 second' as ends_at, asked.until
      from asked left join running on running.number = asked.number
    ), ${aroundTables(accountId)}, around as (
      select number, json_agg(found order by found.starts_at, found.id) as trackings from (${aroundRows(accountId)}) found group by number
    )
    select asked.user_id, row_to_json(running) as running, (
      select json_build_object('action_type', punch.action_type, 'action_time', punch.action_time)
      from actions punch where punch.account_id = ${accountId} and punch.time_tracking_id = running.id
      order by punch.action_time desc, punch.id desc limit 1) as last_punch,
      coalesce(around.trackings, '[]') as around
    from asked left join running on running.number = asked.number left join around on around.number = asked.number`,
);
