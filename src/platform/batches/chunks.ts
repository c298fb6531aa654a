import { sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import { findActor } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forAccount, inSavepoint } from '../db/transactions.ts';
import { isDatabaseError, isRetryable, isUnreachable, problemBehind } from '../db/violations.ts';
import { enqueue, type JobHandlers } from '../jobs/queue.ts';
import type { BatchStep, Failure } from './batches.ts';

/*
 * A batch is executed in chunks. A chunk, its progress and the job for the next chunk are one transaction: if the process is
 * killed, either all of it is stored or nothing.
 *
 * A chunk has a time limit, because it keeps rows locked and other jobs wait for it. The cost of an item is unknown: one item
 * writes a row, another a thousand notes. So a chunk is executed in slices. The first slice is a single item. The size of each
 * further slice follows from the remaining time and the speed of the previous slice. Large slices cost little: 10,000
 * confirmations take less than three times as long as a single UPDATE.
 */

interface ChunkLimits {
  readonly maxItems: number;
  readonly targetDurationMs: number;
}

const defaultLimits: ChunkLimits = { maxItems: 8000, targetDurationMs: 800 };

/** A slice has at most so many times the items of the one before, because one item can be fast by chance. */
const maxGrowth = 4;

/** The data of the job for one chunk. */
interface ChunkJob {
  readonly accountId: number;
  readonly batchId: string;
  /** The position of the first item. */
  readonly from: number;
  /** The request that started the batch. */
  readonly requestId?: string;
}

type Steps = Readonly<Record<string, BatchStep>>;

/** The job that executes batches, one chunk at a time. */
export function batchJobs(db: Db, steps: Steps, clock: () => Date, limits = defaultLimits): JobHandlers {
  return {
    batch: async (job: ChunkJob) => {
      const unexpected = await forAccount(db, job.accountId, (transaction) =>
        runChunk(transaction, steps, job, limits, clock()),
      );
      // The chunk is committed, with these items as failures. The queue logs this error, retries, and finds the chunk done.
      if (unexpected.length > 0)
        throw new AggregateError(
          unexpected,
          `Unexpected errors in batch ${job.batchId}: ${unexpected.map(String).join('; ')}`,
        );
    },
  };
}

/** Executes a chunk and returns the errors that no item is to blame for. */
async function runChunk(
  db: OpenTransaction,
  steps: Steps,
  job: ChunkJob,
  { maxItems, targetDurationMs }: ChunkLimits,
  now: Date,
): Promise<unknown[]> {
  const { accountId, batchId, from, requestId } = job;
  const batch = await lockBatch(db, job, maxItems);
  // A job that comes a second time finds its chunk done.
  if (!batch || batch.state === 'finished' || batch.state === 'failed' || batch.done + batch.failed !== from) return [];

  const starter = await findActor(db, accountId, batch.workspace_id, batch.user_id);
  const actor = starter && { ...starter, requestId: job.requestId };
  const step = steps[batch.action];
  if (!actor || !step) {
    const reason = actor
      ? 'The service no longer knows this action.'
      : 'The user who started the batch no longer belongs to the workspace.';
    const itemIds = await itemIdsFrom(db, job);
    const failures = itemIds.map((id) => ({ id, reason }));
    await recordChunk(db, job, { itemType: batch.item_type, itemIds, failures, state: 'failed' }, now);
    return [];
  }
  const { done, failures, unexpected } = await runItems(batch.item_ids, targetDurationMs, (ids) =>
    inSavepoint(db, () => step(db, actor, ids, batch.input as never, batchId, now)),
  );
  const next = from + done;
  const isLast = next === batch.total;
  const itemIds = batch.item_ids.slice(0, done);
  const state = isLast ? 'finished' : 'running';
  await recordChunk(db, job, { itemType: batch.item_type, itemIds, failures, state }, now);
  const nextJob: ChunkJob = { accountId, batchId, from: next, requestId };
  if (!isLast) await enqueue(db, 'batch', nextJob);
  return unexpected;
}

/** Locks the batch, so that workers with the same job wait for each other, and reads the ids of this chunk alone. */
const lockBatch = (db: OpenTransaction, { accountId, batchId, from }: ChunkJob, maxItems: number) =>
  db
    .selectFrom('batches')
    .select(['state', 'workspace_id', 'user_id', 'action', 'input', 'item_type', 'total', 'done', 'failed'])
    .select(sql<number[]>`item_ids[${from}::integer + 1 : ${from}::integer + ${maxItems}::integer]`.as('item_ids'))
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst();

async function itemIdsFrom(db: Db, { accountId, batchId, from }: ChunkJob): Promise<number[]> {
  const { item_ids } = await db
    .selectFrom('batches')
    .select('item_ids')
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  return item_ids.slice(from);
}

/**
 * Executes items in slices until the time is over, and at least one. If a slice throws, each of its items is executed by itself,
 * so that items fail independently.
 */
async function runItems(
  ids: readonly number[],
  targetDurationMs: number,
  run: (ids: readonly number[]) => Promise<Failure[]>,
): Promise<{ done: number; failures: Failure[]; unexpected: unknown[] }> {
  const failures: Failure[] = [];
  const unexpected: unknown[] = [];
  const endsAt = performance.now() + targetDurationMs;
  let done = 0;
  let size = 1;
  /** The items of a slice that has thrown, up to this position. */
  let aloneUntil = 0;
  while (done < ids.length && (done === 0 || performance.now() < endsAt)) {
    const slice = ids.slice(done, done < aloneUntil ? done + 1 : done + size);
    const startedAt = performance.now();
    try {
      failures.push(...(await run(slice)));
    } catch (error) {
      if (isTransient(error)) throw error;
      if (slice.length > 1) {
        aloneUntil = done + slice.length;
        continue;
      }
      const reason = reasonFor(error);
      if (reason === undefined) unexpected.push(error);
      failures.push({ id: slice[0]!, reason: reason ?? 'Something went wrong on our side.' });
    }
    done += slice.length;
    const itemMs = (performance.now() - startedAt) / slice.length;
    size = Math.ceil(Math.min(slice.length * maxGrowth, (endsAt - performance.now()) / itemMs));
  }
  return { done, failures, unexpected };
}

/** Whether a retry of the job can succeed. No item is to blame for such an error. */
const isTransient = (error: unknown): boolean => isRetryable(error) || isUnreachable(error);

function reasonFor(error: unknown): string | undefined {
  if (error instanceof AppError) return error.message;
  return isDatabaseError(error) ? problemBehind(error)?.title : undefined;
}

interface ChunkResult {
  readonly itemType: string;
  readonly itemIds: readonly number[];
  readonly failures: readonly Failure[];
  readonly state: 'running' | 'finished' | 'failed';
}

/** Counts the items of a chunk and stores the reasons of those that failed. */
async function recordChunk(
  db: Db,
  { accountId, batchId, from }: ChunkJob,
  { itemType, itemIds, failures, state }: ChunkResult,
  now: Date,
): Promise<void> {
  if (failures.length > 0) {
    const positions = new Map(itemIds.map((id, index) => [id, from + index]));
    await sql`
      insert into batch_items (account_id, batch_id, position, item_id, item_type, failure)
      select ${accountId}, ${batchId}, failed.position, failed.id, ${itemType}, failed.reason
      from unnest(${failures.map(({ id }) => positions.get(id))}::integer[], ${failures.map(({ id }) => id)}::bigint[],
        ${failures.map(({ reason }) => reason)}::text[]) failed (position, id, reason)
      returning account_id`.execute(db);
  }
  await sql`
    update batches set state = ${state}, done = done + ${itemIds.length - failures.length}, failed = failed + ${failures.length}, updated_at = ${now}
    where account_id = ${accountId} and id = ${batchId}`.execute(db);
}
