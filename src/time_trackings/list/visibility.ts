import { sql, type RawBuilder } from 'kysely';
import { rank, type WorkspaceActor } from '../../core/permissions.ts';
import type { Db } from '../../db/connection.ts';

/** All that decides which trackings a list has. */
export type Viewer = Pick<WorkspaceActor, 'accountId' | 'userId' | 'rank' | 'areaIds'> & {
  readonly workspace: { readonly id: number; readonly time_zone: string };
};

/**
 * Everything for those who administer the workspace; otherwise one's own, what one follows, and what lies in the areas one
 * administers. The sub-selects come as arrays, so that each branch can go by an index.
 */
export function visibleTo(db: Db, actor: Viewer) {
  const { accountId, workspace, userId } = actor;
  const all = db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', accountId)
    .where('time_trackings.workspace_id', '=', workspace.id);
  if (actor.rank >= rank.workspaceAdmin) return all;
  const followed = sql`time_trackings.id = any(array(
    select follower.time_tracking_id from time_tracking_followers follower
    where follower.account_id = ${accountId} and follower.user_id = ${userId}))`;
  return all.where(sql<boolean>`(time_trackings.user_id = ${userId} or ${followed} or ${administeredBy(actor)})`);
}

/** What the actor administers: all that is here, or work done in his areas and that of their members. As the rules say it. */
export function administeredBy({
  accountId,
  areaIds,
  rank: own,
}: Pick<Viewer, 'accountId' | 'areaIds' | 'rank'>): RawBuilder<boolean> {
  if (own !== rank.areaAdmin) return own > rank.areaAdmin ? sql<boolean>`true` : sql<boolean>`false`;
  return sql<boolean>`(coalesce(time_trackings.area_id = any(${areaIds}::bigint[]), false) or time_trackings.user_id = any(array(
    select member.user_id from area_members member
    where member.account_id = ${accountId} and member.area_id = any(${areaIds}::bigint[]))))`;
}
