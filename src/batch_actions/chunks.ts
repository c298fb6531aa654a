import { sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import { actorIn, actorRows } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forAccount } from '../db/transactions.ts';
import { isDatabaseError, isRetryable, isUnreachable, problemBehind } from '../db/violations.ts';
import { enqueue, type JobHandlers } from '../jobs/queue.ts';
import type { BatchStep, Failure } from './batches.ts';

/** How large chunks are. */
interface ChunkSizes {
  /** How many items the first one has. */
  readonly first: number;
  readonly most: number;
  /** So long one may take: the patience of another user, who wants to change the same. */
  readonly patienceMilliseconds: number;
}

const usualSizes: ChunkSizes = { first: 4000, most: 8000, patienceMilliseconds: 800 };

interface Chunk {
  readonly accountId: number;
  readonly batchId: string;
  /** The position of its first item. */
  readonly from: number;
  /** How many it may have. */
  readonly size?: number;
}

/**
 * The job that does batches, a chunk at a time. A chunk, its progress and the job for the next chunk are one transaction, so
 * that a process killed at any moment leaves either all of it or nothing.
 */
export function batchJobs(
  db: Db,
  steps: Readonly<Record<string, BatchStep>>,
  clock: () => Date,
  sizes = usualSizes,
): JobHandlers {
  return {
    batch: async (chunk: Chunk) => {
      const faults: unknown[] = [];
      const sized = { ...chunk, ...sizes, size: Math.min(chunk.size ?? sizes.first, sizes.most) };
      await forAccount(db, chunk.accountId, (transaction) => doChunk(transaction, steps, sized, clock(), faults));
      // The items are reported as failed and the batch goes on. The queue logs this, tries again, and finds the chunk done.
      if (faults.length > 0)
        throw new AggregateError(faults, `Faults of ours in batch ${chunk.batchId}: ${faults.map(String).join('; ')}`);
    },
  };
}

type SizedChunk = Chunk & ChunkSizes & { readonly size: number };

async function doChunk(
  db: OpenTransaction,
  steps: Readonly<Record<string, BatchStep>>,
  chunk: SizedChunk,
  now: Date,
  faults: unknown[],
): Promise<void> {
  const { accountId, batchId, from, size } = chunk;
  const begun = performance.now();
  // Workers wait for each other at this lock. One whose chunk is done already sees that another is next, and stops.
  const batch = await lockBatch(db, chunk);
  if (!batch || batch.state === 'finished' || batch.state === 'failed' || batch.done + batch.failed !== from) return;

  const actor = await actorOf(db, accountId, batch.workspace_id, batch.user_id);
  const step = steps[batch.action];
  if (!actor || !step) {
    const { item_ids } = await db
      .selectFrom('batches')
      .select('item_ids')
      .where('account_id', '=', accountId)
      .where('id', '=', batchId)
      .executeTakeFirstOrThrow();
    const reason = actor
      ? 'The service no longer knows this action.'
      : 'The user who started the batch no longer belongs to the workspace.';
    const failures = item_ids.slice(from).map((id) => ({ id, reason }));
    return record(db, chunk, { ...batch, item_ids: item_ids.slice(from), failures, state: 'failed' }, now);
  }
  const ids = batch.item_ids;
  const doItems = (some: readonly number[]) =>
    undoable(db, () => step(db, actor, some, batch.input as never, batchId, now));
  const failures =
    ids.length === 0 ? [] : await doItems(ids).catch((error: unknown) => oneByOne(ids, doItems, error, faults));
  const next = from + ids.length;
  await record(db, chunk, { ...batch, failures, state: next < batch.total ? 'running' : 'finished' }, now);
  if (next === batch.total) return;
  const pace = chunk.patienceMilliseconds / (performance.now() - begun);
  await enqueue(db, 'batch', {
    accountId,
    batchId,
    from: next,
    size: Math.ceil(Math.min(chunk.most, Math.max(size * pace, size / 4))),
  });
}

/** The batch, with the ids of this chunk's items alone. */
async function lockBatch(db: OpenTransaction, { accountId, batchId, from, size }: SizedChunk) {
  return db
    .selectFrom('batches')
    .select(['state', 'workspace_id', 'user_id', 'action', 'input', 'item_type', 'total', 'done', 'failed'])
    .select(sql<number[]>`item_ids[${from}::integer + 1 : ${from}::integer + ${size}::integer]`.as('item_ids'))
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst();
}

/** What became of a chunk. */
interface Outcome {
  readonly item_type: string;
  readonly item_ids: readonly number[];
  readonly failures: readonly Failure[];
  readonly state: 'running' | 'finished' | 'failed';
}

/** Something in the chunk failed: done one at a time, every other item succeeds. */
async function oneByOne(
  ids: readonly number[],
  doItems: (ids: readonly number[]) => Promise<Failure[]>,
  first: unknown,
  faults: unknown[],
): Promise<Failure[]> {
  if (isPassing(first)) throw first;
  const failures: Failure[] = [];
  for (const id of ids) {
    try {
      failures.push(...(await doItems([id])));
    } catch (error) {
      if (isPassing(error)) throw error;
      const reason = reasonFor(error);
      if (reason === undefined) faults.push(error);
      failures.push({ id, reason: reason ?? 'Something went wrong on our side.' });
    }
  }
  return failures;
}

/** What will be gone when the job is tried again is no fault of an item. */
const isPassing = (error: unknown): boolean => isRetryable(error) || isUnreachable(error);

function reasonFor(error: unknown): string | undefined {
  if (error instanceof AppError) return error.message;
  return isDatabaseError(error) ? problemBehind(error)?.title : undefined;
}

/** Work that leaves nothing behind when it throws, inside a transaction that goes on. */
async function undoable<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint step`.execute(db);
  try {
    const result = await work();
    await sql`release savepoint step`.execute(db);
    return result;
  } catch (error) {
    await sql`rollback to savepoint step`.execute(db);
    throw error;
  }
}

/** Counts the items of a chunk, and writes down why some of them failed. */
async function record(
  db: Db,
  { accountId, batchId, from }: Chunk,
  { item_type, item_ids, failures, state }: Outcome,
  now: Date,
): Promise<void> {
  if (failures.length > 0) {
    const positions = new Map(item_ids.map((id, index) => [id, from + index]));
    await sql`
      insert into batch_items (account_id, batch_id, position, item_id, item_type, failure)
      select ${accountId}, ${batchId}, failed.position, failed.id, ${item_type}, failed.reason
      from unnest(${failures.map(({ id }) => positions.get(id))}::integer[], ${failures.map(({ id }) => id)}::bigint[],
        ${failures.map(({ reason }) => reason)}::text[]) failed (position, id, reason)`.execute(db);
  }
  await sql`
    update batches set state = ${state}, done = done + ${item_ids.length - failures.length}, failed = failed + ${failures.length}, updated_at = ${now}
    where account_id = ${accountId} and id = ${batchId}`.execute(db);
}

/** Who started the batch, with the rights he has now. */
async function actorOf(
  db: Db,
  accountId: number,
  workspaceId: number,
  userId: number,
): Promise<WorkspaceActor | undefined> {
  const row = await actorRows(db, workspaceId)
    .where('user.account_id', '=', accountId)
    .where('user.id', '=', userId)
    .executeTakeFirst();
  const actor: Actor | undefined = row && actorIn(row);
  return actor?.workspace ? { ...actor, workspace: actor.workspace } : undefined;
}
