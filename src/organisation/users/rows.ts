import { sql } from 'kysely';
import { noWorkspaceId } from '../../platform/core/ids.ts';
import { rankOf, type Rank } from '../../platform/core/ranks.ts';
import type { Db } from '../../platform/db/connection.ts';
import { city, text, time, type Columns } from '../../platform/db/list/filters.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { hasSwitchedRole, readableFieldValue } from '../../platform/db/visibility.ts';
import { userZone } from '../../days/balance/user_days.ts';
import { vacationRows } from './vacation_account.ts';

/** Where users are read: in one workspace, or in the whole account. */
export interface UserScope {
  readonly accountId: number;
  readonly workspace: { readonly id: number } | null;
  /** Values of data profiles that this rank may not see are left out. */
  readonly rank: Rank;
}

/**
 * The users of an account, with everything that both APIs show of them in the scope. Every sub-select filters by the account
 * itself: it then uses an index, and cannot reach into another account.
 */
export function userRows(db: Db, { accountId, workspace, rank }: UserScope) {
  const isHere = (alias: string) =>
    workspace === null ? sql`true` : sql`${sql.ref(`${alias}.workspace_id`)} = ${workspace.id}`;
  return db
    .selectFrom('users')
    .leftJoin('memberships as membership', (join) =>
      join
        .on('membership.account_id', '=', accountId)
        .on('membership.workspace_id', '=', workspace?.id ?? noWorkspaceId)
        .onRef('membership.user_id', '=', 'users.id'),
    )
    .where('users.account_id', '=', accountId)
    .selectAll('users')
    .select([
      'membership.role',
      hasSwitchedRole(accountId, sql.ref('users.id'), workspace?.id ?? noWorkspaceId).as('is_assumed_employee'),
      sql<string>`coalesce(membership.identifier_pin, (
        select first.identifier_pin from memberships first
        where first.account_id = ${accountId} and first.user_id = users.id order by first.workspace_id limit 1), '')`.as(
        'identifier_pin',
      ),
      sql<number>`coalesce((
        select max(other.role) from memberships other
        where other.account_id = ${accountId} and other.user_id = users.id), 1)`.as('highest_role'),
      sql<number[]>`array(
        select area.id from area_members member
        join areas area on area.account_id = ${accountId} and area.id = member.area_id
        where member.account_id = ${accountId} and member.user_id = users.id and area.status = 'active' and ${isHere('area')}
        order by area.id)`.as('area_ids'),
      sql<number[]>`array(
        select workspace.id from memberships member
        join workspaces workspace on workspace.account_id = ${accountId} and workspace.id = member.workspace_id
        where member.account_id = ${accountId} and member.user_id = users.id and workspace.deleted_at is null
        order by workspace.id)`.as('workspace_ids'),
      sql<number[]>`array(
        select type.id from user_absence_types usable
        join absence_types type on type.account_id = ${accountId} and type.id = usable.absence_type_id
        where usable.account_id = ${accountId} and usable.user_id = users.id and type.active and ${isHere('type')}
        order by type.id)`.as('absence_type_ids'),
      sql<number[]>`array(
        select tag.id from user_tags tagging
        join tags tag on tag.account_id = ${accountId} and tag.id = tagging.tag_id
        where tagging.account_id = ${accountId} and tagging.user_id = users.id and ${isHere('tag')}
        order by tag.id)`.as('tag_ids'),
      // Only answers about a workspace show an action.
      sql<string | null>`(
        select action.id from actions action
        where action.account_id = ${accountId} and action.workspace_id = ${workspace?.id ?? noWorkspaceId} and action.user_id = users.id
        order by action.action_time desc, action.id desc limit 1)`.as('last_action_id'),
      sql<number[]>`array(
        select value.id from custom_field_values value
        where value.account_id = ${accountId} and value.user_id = users.id and ${readableFieldValue(rank, accountId)} order by value.id)`.as(
        'custom_field_value_ids',
      ),
      sql<string | null>`(
        select coalesce(tracking.uuid::text, tracking.id::text) from time_trackings tracking
        where tracking.account_id = ${accountId} and tracking.user_id = users.id and tracking.ends_at is null and ${isHere('tracking')}
        order by tracking.starts_at desc limit 1)`.as('running_time_tracking'),
      // By the clock of the database, because processes on several machines share it. An absence lasts to the end of its last second.
      sql<number | null>`(
        select absence.id from absences absence
        where absence.account_id = ${accountId} and absence.user_id = users.id and absence.confirmation_status = 'confirmed'
          and absence.starts_at <= now() and absence.ends_at > now() - interval '1 second' and ${isHere('absence')}
        order by absence.starts_at, absence.id limit 1)`.as('current_absence_id'),
      userZone(accountId).as('zone'),
      vacationRows(accountId, sql.ref('users.id')).as('vacation'),
    ]);
}

export type UserRow = Awaited<ReturnType<ReturnType<typeof userRows>['executeTakeFirstOrThrow']>>;

/** The facts about a user that the table of rights asks for. */
export const factsOfUser = (row: UserRow) => ({
  id: row.id,
  rank: rankOf(row),
  highestRole: row.highest_role,
  area_ids: row.area_ids,
  workspace_ids: row.workspace_ids,
});

/** The columns that lists of users can be filtered and sorted by. */
export const userColumns: Columns = listColumns('listUsers', 'users', {
  email: text(sql`coalesce(users.email, '')`),
  time_zone: city('users.time_zone'),
  created_at: time('users.created_at'),
  updated_at: time('users.updated_at'),
});
