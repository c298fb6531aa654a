import { notFound } from '../core/errors.ts';
import { isUuid, numericId, type Id } from '../core/ids.ts';
import { authorize, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { factsOf, timeTrackingRows, type TimeTrackingRow } from './rows.ts';

/** One time tracking of the actor's workspace that he may read, by either form of its id; 404 and 403 otherwise. */
export async function findTimeTracking(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const name = nameOf(ref);
  const row = name && (await timeTrackingRows(db, actor).where(name.column, '=', name.value).executeTakeFirst());
  if (!row) throw notFound('time tracking');
  authorize(actor, 'read', 'time_tracking', factsOf(row));
  return row;
}

/** The same, with its row locked first: whoever changes a tracking or its breaks waits here for whoever is before him. */
export async function lockTimeTracking(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const name = nameOf(ref);
  if (name) {
    await db
      .selectFrom('time_trackings')
      .select('id')
      .where('account_id', '=', actor.accountId)
      .where('workspace_id', '=', actor.workspace.id)
      .where(name.column, '=', name.value)
      .forUpdate()
      .execute();
  }
  return findTimeTracking(db, actor, ref);
}

/** The column that a reference is about, or undefined where it can be no id of ours. */
function nameOf(ref: Id): { column: 'time_trackings.id' | 'time_trackings.uuid'; value: number | string } | undefined {
  const id = numericId(ref);
  if (id !== undefined) return { column: 'time_trackings.id', value: id };
  return isUuid(String(ref)) ? { column: 'time_trackings.uuid', value: String(ref) } : undefined;
}
