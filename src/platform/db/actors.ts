import { sql, type Expression } from 'kysely';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import { rank, rankOf, type Rank } from '../core/ranks.ts';
import type { Db } from './connection.ts';
import { hasSwitchedRole } from './visibility.ts';

/** The active users of an account, each with the rank and the areas that they have in the workspace, or in none where its id is 0. */
export const actorRows = (db: Db, accountId: number | Expression<number>, workspaceId: number | Expression<number>) =>
  db
    .selectFrom('users as user')
    .leftJoin('workspaces as workspace', (join) =>
      join
        .on('workspace.account_id', '=', accountId)
        .on('workspace.id', '=', workspaceId)
        .on('workspace.deleted_at', 'is', null),
    )
    .leftJoin('memberships as membership', (join) =>
      join
        .on('membership.account_id', '=', accountId)
        .onRef('membership.workspace_id', '=', 'workspace.id')
        .onRef('membership.user_id', '=', 'user.id'),
    )
    .where('user.account_id', '=', accountId)
    .where('user.status', '=', 'active')
    .where('user.deleted_at', 'is', null)
    .select([
      'user.account_id',
      'user.id as user_id',
      'user.username',
      'user.is_account_admin',
      'membership.role',
      'workspace.id',
      'workspace.time_zone',
      'workspace.locale',
      'workspace.allow_employees_edit_working_session_area',
      'workspace.allow_employee_edit_punched_working_sessions',
      'workspace.allow_employees_tag_working_sessions',
      'workspace.require_four_eyes',
      'workspace.max_backdating_days',
      sql<number[]>`array(
        select area.id from area_members member
        join areas area on area.account_id = ${accountId} and area.id = member.area_id
        where member.account_id = ${accountId} and member.user_id = "user".id
          and (area.workspace_id = workspace.id or ${workspaceId}::bigint = 0) and area.status = 'active')`.as(
        'area_ids',
      ),
      sql<Record<number, Rank>>`coalesce((
        select jsonb_object_agg(mine.workspace_id, case when ${hasSwitched(accountId, 'mine.workspace_id')} then ${sql.lit(rank.employee)} else mine.role end)
        from memberships mine
        where mine.account_id = ${accountId} and mine.user_id = "user".id), '{}')`.as('roles'),
      hasSwitched(accountId, 'workspace.id').as('is_assumed_employee'),
    ]);

const hasSwitched = (accountId: number | Expression<number>, workspaceId: string) =>
  hasSwitchedRole(accountId, sql.ref('user.id'), sql.ref(workspaceId));

export type ActorRow = Awaited<ReturnType<ReturnType<typeof actorRows>['executeTakeFirstOrThrow']>>;

/** The actor of a row, without the workspace if they have no role in it. */
export function actorIn(row: ActorRow): Actor {
  const { id, time_zone, locale } = row;
  const hasWorkspace = id !== null && (row.is_account_admin || row.role !== null);
  return {
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    rank: row.is_assumed_employee ? rank.employee : rankOf(row),
    heldRank: rankOf(row),
    areaIds: row.area_ids,
    roles: row.roles,
    workspace: hasWorkspace
      ? {
          id,
          time_zone: time_zone!,
          locale: locale!,
          allow_employees_edit_working_session_area: row.allow_employees_edit_working_session_area!,
          allow_employee_edit_punched_working_sessions: row.allow_employee_edit_punched_working_sessions!,
          allow_employees_tag_working_sessions: row.allow_employees_tag_working_sessions!,
          require_four_eyes: row.require_four_eyes!,
          max_backdating_days: row.max_backdating_days,
        }
      : null,
  };
}

/** A user in a workspace, with the rights they have now; undefined if they left the workspace. */
export async function findActor(
  db: Db,
  accountId: number,
  workspaceId: number,
  userId: number,
): Promise<WorkspaceActor | undefined> {
  const row = await actorRows(db, accountId, workspaceId).where('user.id', '=', userId).executeTakeFirst();
  const actor = row && actorIn(row);
  return actor?.workspace ? { ...actor, workspace: actor.workspace } : undefined;
}
