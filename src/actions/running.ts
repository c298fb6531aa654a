import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { TimeTrackingRow } from '../time_trackings/rows.ts';
import { readTimeTracking } from '../time_trackings/time_trackings.ts';

/** A running tracking of the actor's workspace, locked first and then read, so that punches at once take turns. */
export async function lockRunning(db: Db, actor: WorkspaceActor, id: number): Promise<TimeTrackingRow | undefined> {
  const locked = await db
    .selectFrom('time_trackings')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where('id', '=', id)
    .where('ends_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return locked && readTimeTracking(db, actor, locked.id);
}
