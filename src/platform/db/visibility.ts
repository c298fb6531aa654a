import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Value } from './placeholders.ts';
import { isAccountAdmin, isAreaAdmin, isWorkspaceAdmin, rank, type Rank } from '../core/ranks.ts';

/*
 * The SQL twin of the table of rights: the same rules as `read` and the acts of admins there, as conditions on whole tables.
 * A test compares the two on random actors and records.
 */

/** An actor in SQL. The rank decides the text of a condition; the rest can be values or placeholders. */
interface ActorInSql {
  readonly rank: Actor['rank'];
  readonly accountId: Value<number>;
  readonly userId: Value<number | null>;
  readonly areaIds: Value<readonly number[]>;
}

type Condition = RawBuilder<boolean>;

/** Where the rows of a noun keep what the rules ask for. */
interface Source {
  readonly userId: Expression<unknown>;
  /** The area of the record itself, beside those of its user. */
  readonly areaId?: (accountId: Value<number>) => Expression<unknown>;
  readonly followers?: { readonly table: string; readonly recordId: string; readonly id: string };
}

const sources = {
  user: { userId: sql.ref('users.id') },
  time_tracking: {
    userId: sql.ref('time_trackings.user_id'),
    areaId: () => sql.ref('time_trackings.area_id'),
    followers: { table: 'time_tracking_followers', recordId: 'time_tracking_id', id: 'time_trackings.id' },
  },
  action: { userId: sql.ref('actions.user_id') },
  absence: {
    userId: sql.ref('absences.user_id'),
    followers: { table: 'absence_followers', recordId: 'absence_id', id: 'absences.id' },
  },
  accounting_period: { userId: sql.ref('accounting_periods.user_id') },
  // A warning is also in the area of its time tracking.
  notification: {
    userId: sql.ref('notifications.user_id'),
    areaId: (accountId) => sql`(
      select tracking.area_id from time_trackings tracking
      where tracking.account_id = ${accountId} and tracking.id = notifications.time_tracking_id)`,
  },
  deleted_record: { userId: sql.ref('deleted_records.user_id'), areaId: () => sql.ref('deleted_records.area_id') },
  working_time_violation: {
    userId: sql.ref('working_time_violations.user_id'),
    areaId: (accountId) => sql`(
      select tracking.area_id from time_trackings tracking
      where tracking.account_id = ${accountId} and tracking.id = working_time_violations.time_tracking_id)`,
  },
} satisfies Record<string, Source>;

type Noun = keyof typeof sources;

/** The rows that the actor may read: their own, those they follow, and those they administer. Users are members of the workspace. */
export function readableBy(actor: ActorInSql, noun: Noun): Condition {
  const administered = administeredBy(actor, noun);
  const { userId, followers }: Source = sources[noun];
  const own = sql<boolean>`${userId} = ${actor.userId}`;
  if (noun === 'notification')
    return sql<boolean>`case notifications.type when 'trigger_warning' then ${administered} else ${own} end`;
  if (isWorkspaceAdmin(actor)) return administered;
  return anyOf([administered, own, ...(followers ? [followedBy(actor, followers)] : [])]);
}

/** The rows that the actor administers: all, those in their areas whose user does not rank higher, or none. */
export function administeredBy(actor: Omit<ActorInSql, 'userId'>, noun: Noun): Condition {
  if (isWorkspaceAdmin(actor)) return sql<boolean>`true`;
  if (!isAreaAdmin(actor)) return sql<boolean>`false`;
  const { accountId, areaIds } = actor;
  const { userId, areaId }: Source = sources[noun];
  const isNotHigher = sql<boolean>`${userId} <> all(array(
    select admin.id from users admin where admin.account_id = ${accountId} and admin.is_account_admin
    union all select higher.user_id from memberships higher
    where higher.account_id = ${accountId} and higher.role > ${sql.lit(rank.areaAdmin)} and higher.workspace_id in (
      select area.workspace_id from areas area where area.account_id = ${accountId} and area.id = any(${areaIds}::bigint[]))))`;
  const ofMember = sql<boolean>`${userId} = any(array(
    select member.user_id from area_members member
    where member.account_id = ${accountId} and member.area_id = any(${areaIds}::bigint[])))`;
  const isInAreas = areaId
    ? anyOf([sql<boolean>`coalesce(${areaId(accountId)} = any(${areaIds}::bigint[]), false)`, ofMember])
    : ofMember;
  return sql<boolean>`(${isInAreas} and ${isNotHigher})`;
}

/** The rows that the actor may confirm: those they administer, without their own where the workspace requires four eyes. */
export function confirmableBy(
  actor: ActorInSql & Pick<Actor, 'workspace'>,
  noun: 'time_tracking' | 'absence',
): Condition {
  const administered = administeredBy(actor, noun);
  if (actor.workspace?.require_four_eyes !== true) return administered;
  return sql<boolean>`(${administered} and ${sources[noun].userId} is distinct from ${actor.userId})`;
}

/** The shifts that the actor plans: all, those in their areas, or none. */
export function plannedBy({ rank, areaIds }: Pick<ActorInSql, 'rank' | 'areaIds'>): Condition {
  if (isWorkspaceAdmin({ rank })) return sql<boolean>`true`;
  if (!isAreaAdmin({ rank })) return sql<boolean>`false`;
  return sql<boolean>`coalesce(shifts.area_id = any(${areaIds}::bigint[]), false)`;
}

/** The shifts that the actor may read: those that are no drafts, and those they plan. */
export const readableShift = (actor: Pick<ActorInSql, 'rank' | 'areaIds'>): Condition =>
  sql<boolean>`(shifts.visible is distinct from false or ${plannedBy(actor)})`;

/** Whether an actor of this rank reads all records of their workspace. */
export const readsWholeWorkspace = (rank: Rank): boolean => isWorkspaceAdmin({ rank });

/** The memberships of users who administer something. Expects the column of the role. */
export const isAdminRole = (role: Expression<unknown>): Condition =>
  sql<boolean>`${role} >= ${sql.lit(rank.areaAdmin)}`;

/** The values of custom fields, called `value`, that a rank may see. The fields that it may not see are looked up once for all users. */
export const readableFieldValue = (rank: Rank, accountId: number): Condition =>
  isAccountAdmin({ rank })
    ? sql<boolean>`true`
    : sql<boolean>`value.custom_field_id <> all(array(
        select field.id from custom_fields field
        join data_profiles profile on profile.account_id = ${accountId} and profile.id = field.data_profile_id
        where field.account_id = ${accountId} and profile.least_rank > ${rank}))`;

/** The data profiles that the actor may see. */
export const readableDataProfile = (actor: Pick<ActorInSql, 'rank'>): Condition =>
  sql<boolean>`data_profiles.least_rank <= ${actor.rank}`;

/** The rank of a user in a workspace, as the table of rights asks for it. */
export const userRank = (accountId: unknown, userId: Expression<unknown>, workspaceId: unknown): RawBuilder<Rank> =>
  sql<Rank>`coalesce((
    select case when ranked.is_account_admin then ${sql.lit(rank.accountAdmin)} else held.role end
    from users ranked
    left join memberships held
      on held.account_id = ${accountId} and held.workspace_id = ${workspaceId} and held.user_id = ranked.id
    where ranked.account_id = ${accountId} and ranked.id = ${userId}), ${sql.lit(rank.employee)})`;

/** Whether a user has switched their role in a workspace, and is an employee there for the time being. */
export const hasSwitchedRole = (
  accountId: unknown,
  userId: Expression<unknown>,
  workspaceId: unknown,
): RawBuilder<boolean> =>
  sql<boolean>`exists (
    select from assumed_roles assumed
    where assumed.account_id = ${accountId} and assumed.user_id = ${userId} and assumed.workspace_id = ${workspaceId})`;

/** The areas that the table of rights asks for: those of a user, and that of the record itself. */
export const areasOf = (
  accountId: unknown,
  userId: Expression<unknown>,
  areaId: Expression<unknown>,
): RawBuilder<number[]> =>
  sql<number[]>`array(
    select member.area_id from area_members member where member.account_id = ${accountId} and member.user_id = ${userId}
    union select ${areaId} where ${areaId} is not null)`;

/** The workspaces that the actor may read: those they are a member of; all of the account for an account admin. */
export const readableWorkspace = (actor: Omit<ActorInSql, 'areaIds'>): Condition =>
  isAccountAdmin(actor)
    ? sql<boolean>`true`
    : sql<boolean>`exists (
        select from memberships member
        where member.account_id = ${actor.accountId} and member.workspace_id = workspaces.id and member.user_id = ${actor.userId})`;

// The sub-selects come as arrays, so that each branch of an `or` can use an index.
const followedBy = (
  { accountId, userId }: Pick<ActorInSql, 'accountId' | 'userId'>,
  { table, recordId, id }: NonNullable<Source['followers']>,
): Condition => sql<boolean>`${sql.ref(id)} = any(array(
  select follower.${sql.ref(recordId)} from ${sql.table(table)} follower
  where follower.account_id = ${accountId} and follower.user_id = ${userId}))`;

const anyOf = (conditions: readonly Condition[]): Condition => sql<boolean>`(${sql.join(conditions, sql` or `)})`;
