import { sql } from 'kysely';
import { numericId, type Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { together } from '../db/together.ts';
import { aroundRows, aroundTables, type Around } from '../time_trackings/around.ts';
import { hangingIds, storedBreaks, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { leastRest } from '../time_trackings/warning_rules.ts';
import { mostAhead } from './clock.ts';

/*
 * All that decides what a punch does: who is punched in or out, what runs, and what is around it. Whoever changes the times or
 * the breaks of a tracking holds its user; so does a punch, before it reads: punches at once take turns, and each sees what the
 * one before it did.
 */

/** Whom a punch is for: held as a member too, so that nobody leaves the workspace with something running. */
export interface HeldMember {
  readonly id: number;
  readonly area_ids: readonly number[];
}

const held = statement(
  (_db, { accountId, workspaceId, userId }: { accountId: number; workspaceId: number; userId: number }) => sql<HeldMember>`
    select "user".id, array(
      select member.area_id from area_members member where member.account_id = ${accountId} and member.user_id = ${userId}) as area_ids
    from users "user"
    join memberships membership on membership.account_id = ${accountId} and membership.workspace_id = ${workspaceId} and membership.user_id = "user".id
    where "user".account_id = ${accountId} and "user".id = ${userId} and "user".deleted_at is null
    for no key update of "user" for key share of membership`,
);

export interface ClockState {
  readonly tracking: StoredTimeTracking | null;
  readonly lastPunch: { readonly action_type: string; readonly action_time: Date } | null;
  /** The trackings whose judgement may change, and those that matter to it, as they are before the punch. */
  readonly around: readonly Around[];
}

/** Locks the clock of a member of the workspace, and reads it; `at` is the moment of the punch, or now. */
export async function lockClock(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  ref: Id,
  at: Date,
  now: Date,
): Promise<{ user: HeldMember; clock: ClockState } | { user: undefined; clock: null }> {
  const userId = numericId(ref);
  if (userId === undefined) return { user: undefined, clock: null };
  const asked = { accountId, workspaceId: workspace.id, userId };
  // A punch takes effect this much later at most.
  const until = new Date(Math.max(at.getTime(), now.getTime()) + mostAhead);
  const [[user], [shown]] = await together<[HeldMember, StateRow]>(db, held.query(db, asked), state.query(db, { ...asked, at, until }));
  return user ? { user, clock: clockOf(shown!) } : { user: undefined, clock: null };
}

const clockOf = ({ running, last_punch, around }: StateRow): ClockState => ({
  tracking: running && { ...running, starts_at: new Date(running.starts_at), ends_at: null, actual_ends_at: dateOrNull(running.actual_ends_at) },
  lastPunch: last_punch && { ...last_punch, action_time: new Date(last_punch.action_time) },
  around: around.map((tracking) => ({ ...tracking, starts_at: new Date(tracking.starts_at), ends_at: dateOrNull(tracking.ends_at) })),
});

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** As it comes from the database: JSON knows no times. */
type InJson<T> = { readonly [Key in keyof T]: T[Key] extends Date ? string : T[Key] extends Date | null ? string | null : T[Key] };

interface StateRow {
  readonly running: InJson<StoredTimeTracking> | null;
  readonly last_punch: InJson<NonNullable<ClockState['lastPunch']>> | null;
  readonly around: readonly InJson<Around>[];
}

interface Asked {
  accountId: number;
  workspaceId: number;
  userId: number;
  at: Date;
  until: Date;
}

const state = statement((_db, values: Asked) => {
  const { accountId, workspaceId, userId, at, until } = values;
  return sql<StateRow>`
    with running as materialized (
      select account_id, id, uuid, user_id, area_id, starts_at, ends_at, actual_ends_at, created_by, force_custom_break_duration, custom_break_s,
        ${storedBreaks} as stored_breaks, ${hangingIds('time_tracking_tags', 'tag_id')} as tag_ids, ${hangingIds('time_tracking_followers', 'user_id')} as follower_ids
      from time_trackings
      where account_id = ${accountId} and workspace_id = ${workspaceId} and user_id = ${userId} and ends_at is null
    ), range as materialized (
      select ${userId}::bigint as user_id, coalesce((select running.starts_at from running), ${at}::timestamptz) as starts_at,
        ${until}::timestamptz + ${sql.lit(leastRest)} * interval '1 second' as ends_at, 1 as number
    ), ${aroundTables(values)}
    select (select row_to_json(running) from running) as running, (
      select json_build_object('action_type', punch.action_type, 'action_time', punch.action_time)
      from actions punch where punch.account_id = ${accountId} and punch.time_tracking_id = (select running.id from running)
      order by punch.action_time desc, punch.id desc limit 1) as last_punch,
      coalesce((select json_agg(around) from (${aroundRows(values)}) around), '[]') as around`;
});
