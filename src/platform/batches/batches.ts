import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { invalid, notFound } from '../core/errors.ts';
import { isUuid, type Id } from '../core/ids.ts';
import { authorize, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { enqueue } from '../jobs/queue.ts';

/** An item that failed, and the sentence that says why. */
export interface Failure {
  readonly id: number;
  readonly reason: string;
}

/**
 * Does one action to some items, inside the transaction that also records the progress, and returns the items that failed. If it
 * throws, everything it did is undone and it is called once for each item, so that items fail independently.
 */
export type BatchStep = (
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ids: readonly number[],
  input: never,
  batchId: string,
  now: Date,
) => Promise<Failure[]>;

export interface NewBatch {
  /** The name of the step, such as `time_trackings.confirm`. */
  readonly action: string;
  readonly itemType: 'time_tracking' | 'user' | 'notification' | 'absence' | 'event';
  readonly ids: readonly number[];
  /** The input of the step beside the ids. */
  readonly input: object;
}

/** Stores a batch and enqueues its job, in the caller's transaction. */
export async function startBatch(
  db: Db,
  actor: WorkspaceActor,
  batch: NewBatch,
  now: Date,
): Promise<{ message: string; batch_id: string }> {
  const batchId = randomUUID();
  const ids = [...new Set(batch.ids)];
  await db
    .insertInto('batches')
    .values({
      account_id: actor.accountId,
      id: batchId,
      workspace_id: actor.workspace.id,
      user_id: actor.userId!,
      action: batch.action,
      input: JSON.stringify(batch.input),
      item_type: batch.itemType,
      item_ids: ids,
      total: ids.length,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await enqueue(db, 'batch', { accountId: actor.accountId, batchId, from: 0, requestId: actor.requestId });
  return { message: 'The batch process is running.', batch_id: batchId };
}

const maxIds = 10_000;

/** The ids of a batch: an array, or an object whose keys are exactly 0 to n − 1, as clients that encode forms send it. */
export function idsInBatch(pointer: string, value: readonly Id[] | Readonly<Record<string, Id>>): Id[] {
  const entries = Object.entries(value);
  const isIndexed =
    Array.isArray(value) || entries.every(([key]) => /^(0|[1-9]\d*)$/.test(key) && Number(key) < entries.length);
  if (!isIndexed)
    throw invalid(
      'invalid_type',
      pointer,
      `${pointer} must be an array, or an object whose keys are exactly the numbers from 0 on.`,
    );
  if (entries.length > maxIds)
    throw invalid('too_many', pointer, `${pointer} must have at most ${maxIds} ids, and has ${entries.length}.`, {
      max_items: maxIds,
    });
  return entries.map(([, id]) => id);
}

const batchRows = (db: Db, accountId: number) =>
  db.selectFrom('batches').selectAll('batches').where('batches.account_id', '=', accountId);

const failuresOf = (db: Db, accountId: number, batchId: string) =>
  db
    .selectFrom('batch_items as item')
    .leftJoin('time_trackings as tracking', (join) =>
      join
        .on('tracking.account_id', '=', accountId)
        .onRef('tracking.id', '=', 'item.item_id')
        .on('item.item_type', '=', 'time_tracking'),
    )
    .where('item.account_id', '=', accountId)
    .where('item.batch_id', '=', batchId)
    // The API shows a punched time tracking under its UUID.
    .select([
      sql<string>`coalesce(tracking.uuid::text, item.item_id::text)`.as('id'),
      'item.item_type as type',
      'item.failure as reason',
    ])
    .orderBy('item.position')
    .execute();

export type BatchRow = Awaited<ReturnType<ReturnType<typeof batchRows>['executeTakeFirstOrThrow']>> & {
  readonly failures: Awaited<ReturnType<typeof failuresOf>>;
};

/** The progress of a batch of the actor's workspace; 404 and 403 otherwise. */
export async function findBatch(db: Db, actor: WorkspaceActor, ref: string): Promise<BatchRow> {
  const row = isUuid(ref)
    ? await batchRows(db, actor.accountId)
        .where('batches.id', '=', ref)
        .where('batches.workspace_id', '=', actor.workspace.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('batch action');
  authorize(actor, 'read', 'batch_action', row);
  return { ...row, failures: await failuresOf(db, actor.accountId, row.id) };
}
