import { sql } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { factsOf, type TimeTrackingRow } from '../time_trackings/rows.ts';
import { findTimeTracking, lockTimeTracking } from '../time_trackings/time_trackings.ts';
import { editTimeTracking } from '../time_trackings/update.ts';

const columns = listColumns('listBreaks', 'breaks');

const breakRows = (db: Db, accountId: number) =>
  db
    .selectFrom('breaks')
    .innerJoin('time_trackings as tracking', (join) =>
      join.on('tracking.account_id', '=', accountId).onRef('tracking.id', '=', 'breaks.time_tracking_id'),
    )
    .where('breaks.account_id', '=', accountId)
    .selectAll('breaks')
    .select(sql<string>`coalesce(tracking.uuid::text, tracking.id::text)`.as('time_tracking_shown_id'));

export type BreakRow = Awaited<ReturnType<ReturnType<typeof breakRows>['executeTakeFirstOrThrow']>>;

export const breaksByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<BreakRow[]> =>
  rowsByIds(breakRows(db, accountId), 'breaks.id', ids);

/** One break of a time tracking that the actor may read. */
export async function findBreak(db: Db, actor: WorkspaceActor, trackingRef: Id, ref: Id): Promise<BreakRow> {
  const { id } = await findTimeTracking(db, actor, trackingRef);
  return breakOf(db, actor, id, ref);
}

async function breakOf(db: Db, { accountId }: Actor, trackingId: number, ref: Id): Promise<BreakRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await breakRows(db, accountId)
          .where('breaks.id', '=', id)
          .where('breaks.time_tracking_id', '=', trackingId)
          .executeTakeFirst();
  if (!row) throw notFound('break');
  return row;
}

/** The breaks of a time tracking that the actor may read. */
export async function listBreaks(db: Db, actor: WorkspaceActor, trackingRef: Id, selection: Selection) {
  const { id } = await findTimeTracking(db, actor, trackingRef);
  const visible = db
    .selectFrom('breaks')
    .where('breaks.account_id', '=', actor.accountId)
    .where('breaks.time_tracking_id', '=', id);
  const rows = breakRows(db, actor.accountId);
  return list(db, { visible, rows, id: 'breaks.id', columns, timeZone: actor.workspace.time_zone }, selection);
}

/** The times of the one break are at the top of the request. */
const pointerPrefix = () => '';

/** Adds a break to a time tracking that the actor may update. */
export async function createBreak(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  trackingRef: Id,
  input: { starts_at: string; ends_at: string },
  now: Date,
): Promise<BreakRow> {
  const tracking = await lockForUpdate(tx, actor, trackingRef);
  const { newBreakIds } = await editTimeTracking(
    tx,
    actor,
    tracking,
    { breaks_attributes: [input] },
    now,
    pointerPrefix,
  );
  return breakOf(tx, actor, tracking.id, newBreakIds[0]!);
}

/** Changes the given times. An end closes an open break. */
export async function updateBreak(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  trackingRef: Id,
  ref: Id,
  change: { starts_at?: string; ends_at?: string },
  now: Date,
): Promise<BreakRow> {
  const tracking = await lockForUpdate(tx, actor, trackingRef);
  const { id } = await breakOf(tx, actor, tracking.id, ref);
  await editTimeTracking(tx, actor, tracking, { breaks_attributes: [{ ...change, id }] }, now, pointerPrefix);
  return breakOf(tx, actor, tracking.id, id);
}

/** Deletes a break and returns it as it was. */
export async function deleteBreak(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  trackingRef: Id,
  ref: Id,
  now: Date,
): Promise<BreakRow> {
  const tracking = await lockForUpdate(tx, actor, trackingRef);
  const row = await breakOf(tx, actor, tracking.id, ref);
  await editTimeTracking(
    tx,
    actor,
    tracking,
    { breaks_attributes: [{ id: row.id, _destroy: true }] },
    now,
    pointerPrefix,
  );
  return row;
}

async function lockForUpdate(tx: OpenTransaction, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const tracking = await lockTimeTracking(tx, actor, ref);
  authorize(actor, 'update', 'time_tracking', factsOf(tracking));
  return tracking;
}
