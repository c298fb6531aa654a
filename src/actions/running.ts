import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { TimeTrackingRow } from '../time_trackings/rows.ts';
import { hold, readTimeTracking } from '../time_trackings/time_trackings.ts';

/** A running tracking of the actor's workspace, locked first and then read, so that punches at once take turns. */
export async function lockRunning(db: Db, actor: WorkspaceActor, id: number): Promise<TimeTrackingRow | undefined> {
  const isLocked = await hold(db, actor, { column: 'time_trackings.id', value: id });
  const tracking = isLocked ? await readTimeTracking(db, actor, id) : undefined;
  return tracking?.ends_at === null ? tracking : undefined;
}
