import { sql, type RawBuilder } from 'kysely';
import { rank, type Rank } from '../../core/permissions.ts';
import type { Db } from '../../db/connection.ts';
import type { Placeholders } from '../../db/placeholders.ts';

/** Who looks at a list and where, as values of its statement. */
export interface Viewer {
  readonly accountId: number;
  readonly userId: number | null;
  readonly areaIds: readonly number[];
  readonly workspaceId: number;
}

/**
 * The time trackings that a viewer of this rank sees: all of the workspace for its admins; otherwise their own, those they
 * follow, and those in the areas they administer. The sub-selects are arrays, so that each branch can use an index.
 */
export function visibleTo(db: Db, own: Rank, viewer: Placeholders<Viewer>) {
  const { accountId, workspaceId, userId } = viewer;
  const all = db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', accountId)
    .where('time_trackings.workspace_id', '=', workspaceId);
  if (own >= rank.workspaceAdmin) return all;
  const followed = sql`time_trackings.id = any(array(
    select follower.time_tracking_id from time_tracking_followers follower
    where follower.account_id = ${accountId} and follower.user_id = ${userId}))`;
  return all.where(sql<boolean>`(time_trackings.user_id = ${userId} or ${followed} or ${administeredBy(own, viewer)})`);
}

/** Whether a viewer of this rank administers a time tracking: any for workspace admins, for area admins those in their areas or of members of these. */
export function administeredBy(
  own: Rank,
  { accountId, areaIds }: Placeholders<Pick<Viewer, 'accountId' | 'areaIds'>>,
): RawBuilder<boolean> {
  if (own !== rank.areaAdmin) return own > rank.areaAdmin ? sql<boolean>`true` : sql<boolean>`false`;
  return sql<boolean>`(coalesce(time_trackings.area_id = any(${areaIds}::bigint[]), false) or time_trackings.user_id = any(array(
    select member.user_id from area_members member
    where member.account_id = ${accountId} and member.area_id = any(${areaIds}::bigint[]))))`;
}
