import type { WorkspaceActor } from '../../core/permissions.ts';
import type { Db } from '../../db/connection.ts';
import { readableBy } from '../../db/visibility.ts';

/** All that decides which trackings a list has. */
export type Viewer = Pick<WorkspaceActor, 'accountId' | 'userId' | 'rank' | 'areaIds'> & {
  readonly workspace: { readonly id: number; readonly time_zone: string };
};

/** The time trackings of the workspace that the actor may read. */
export const visibleTo = (db: Db, actor: Viewer) =>
  db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', actor.accountId)
    .where('time_trackings.workspace_id', '=', actor.workspace.id)
    .where(readableBy(actor, 'time_tracking'));
