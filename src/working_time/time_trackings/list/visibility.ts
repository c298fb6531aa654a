import type { Rank } from '../../../platform/core/ranks.ts';
import type { Db } from '../../../platform/db/connection.ts';
import type { ValuesOrPlaceholders } from '../../../platform/db/placeholders.ts';
import { readableBy } from '../../../platform/db/visibility.ts';

/** The reader of a list and their workspace, as values of its statement. */
export interface Viewer {
  readonly accountId: number;
  readonly userId: number | null;
  readonly areaIds: readonly number[];
  readonly workspaceId: number;
}

/** The time trackings of the workspace that a viewer of this rank may read. */
export function visibleTo(
  db: Db,
  rank: Rank,
  { accountId, userId, areaIds, workspaceId }: ValuesOrPlaceholders<Viewer>,
) {
  return db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', accountId)
    .where('time_trackings.workspace_id', '=', workspaceId)
    .where(readableBy({ rank, accountId, userId, areaIds }, 'time_tracking'));
}
