import { notFound } from '../../platform/core/errors.ts';
import { isUuid, numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { timeTrackingLock } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { statement } from '../../platform/db/statement.ts';
import { lookUp } from '../../platform/db/transactions.ts';
import { factsOf, timeTrackingById, timeTrackingRows, type TimeTrackingRow } from './rows.ts';

/** One time tracking of the actor's workspace that they may read, by either form of its id; 404 and 403 otherwise. */
export async function findTimeTracking(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const key = keyOf(ref);
  const { rows } = key ? await db.executeQuery(rowQuery(db, actor, key)) : { rows: [] };
  return readable(actor, rows);
}

/** The same after locking it and its user, until the transaction ends. */
export async function lockTimeTracking(tx: OpenTransaction, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const key = keyOf(ref);
  if (!key) throw notFound('time tracking');
  const scope = { accountId: actor.accountId, workspaceId: actor.workspace.id };
  const [locked, rows] = await lookUp(tx, [timeTrackingLock(tx, scope, key), rowQuery(tx, actor, key)]);
  const row = readable(actor, rows);
  // It moved to another user between the two queries.
  return locked.length > 0 ? row : lockTimeTracking(tx, actor, ref);
}

/** A time tracking that the actor may sign. */
export async function findSignable(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const row = await findTimeTracking(db, actor, ref);
  authorize(actor, 'sign', 'time_tracking', factsOf(row));
  return row;
}

/** The owner of notes and files: a time tracking that the actor may read. */
export async function ownerNamed(db: Db, actor: WorkspaceActor, ref: Id): Promise<{ time_tracking_id: number }> {
  return { time_tracking_id: (await findTimeTracking(db, actor, ref)).id };
}

/** Time trackings that other records refer to, by id. */
export const timeTrackingsByIds = async (
  db: Db,
  { accountId, workspace }: Actor,
  ids: readonly number[],
): Promise<TimeTrackingRow[]> =>
  workspace === null
    ? []
    : rowsByIds(timeTrackingRows(db, { accountId, workspaceId: workspace.id }), 'time_trackings.id', ids);

/** The two forms of an id: a number, or the UUID of a punched time tracking. */
type Key = { readonly id: number } | { readonly uuid: string };

/** Undefined where the reference cannot be an id. */
function keyOf(ref: Id): Key | undefined {
  const id = numericId(ref);
  if (id !== undefined) return { id };
  return isUuid(String(ref)) ? { uuid: String(ref) } : undefined;
}

function readable(actor: WorkspaceActor, [row]: readonly TimeTrackingRow[]): TimeTrackingRow {
  if (!row) throw notFound('time tracking');
  authorize(actor, 'read', 'time_tracking', factsOf(row));
  return row;
}

const rowQuery = (db: Db, { accountId, workspace }: WorkspaceActor, key: Key) => {
  const scope = { accountId, workspaceId: workspace.id };
  return 'id' in key ? timeTrackingById.query(db, { ...scope, ...key }) : rowByUuid.query(db, { ...scope, ...key });
};

const rowByUuid = statement<{ accountId: number; workspaceId: number; uuid: string }, TimeTrackingRow>(
  (db, { accountId, workspaceId, uuid }) =>
    timeTrackingRows(db, { accountId, workspaceId }).where('time_trackings.uuid', '=', uuid),
);
