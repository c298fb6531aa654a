import { sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import { actorIn, actorRows } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/tenancy.ts';
import { isDatabaseError, isRetryable, isUnreachable, problemBehind } from '../db/violations.ts';
import { enqueue, type JobHandlers } from '../jobs/queue.ts';
import type { BatchStep, Failure } from './batches.ts';

/** So many items a transaction has time for, and another user the patience. */
const largestChunk = 1000;

interface Chunk {
  readonly accountId: number;
  readonly batchId: string;
  /** The position of its first item. */
  readonly from: number;
}

/**
 * The job that does batches, a chunk at a time. A chunk, its progress and the job for the next chunk are one transaction, so
 * that a process killed at any moment leaves either all of it or nothing.
 */
export function batchJobs(db: Db, steps: Readonly<Record<string, BatchStep>>, clock: () => Date, chunkSize = largestChunk): JobHandlers {
  return {
    batch: async (chunk: Chunk) => {
      const faults: unknown[] = [];
      await forAccount(db, chunk.accountId, (transaction) => doChunk(transaction, steps, { ...chunk, size: chunkSize }, clock(), faults));
      // The items are reported as failed and the batch goes on. The queue logs this, tries again, and finds the chunk done.
      if (faults.length > 0) throw new AggregateError(faults, `Faults of ours in batch ${chunk.batchId}: ${faults.map(String).join('; ')}`);
    },
  };
}

async function doChunk(db: Db, steps: Readonly<Record<string, BatchStep>>, chunk: Chunk & { size: number }, now: Date, faults: unknown[]): Promise<void> {
  const { accountId, batchId } = chunk;
  // The lock makes workers take turns. One that comes with a chunk already done sees that another one is next, and leaves.
  const batch = await db.selectFrom('batches').selectAll().where('account_id', '=', accountId).where('id', '=', batchId).forUpdate().executeTakeFirst();
  if (!batch || batch.state === 'finished' || batch.state === 'failed') return;
  const rest = db
    .selectFrom('batch_items')
    .select(['position', 'item_id'])
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .where('failure', 'is', null);
  // One more than the chunk has, to know what comes after it.
  const items = await rest
    .orderBy('position')
    .limit(chunk.size + 1)
    .execute();
  if (items.length > 0 && items[0]!.position !== chunk.from) return;

  const next = items[chunk.size];
  const ids = items.slice(0, chunk.size).map((item) => item.item_id);
  const actor = await actorOf(db, accountId, batch.workspace_id, batch.user_id);
  const step = steps[batch.action];
  if (!actor || !step) {
    const everything = await rest.execute();
    const reason = actor ? 'The service no longer knows this action.' : 'The user who started the batch no longer belongs to the workspace.';
    const failures = everything.map((item) => ({ id: item.item_id, reason }));
    return record(db, chunk, { failures, done: 0, last: -1, state: 'failed' }, now);
  }
  const doItems = (some: readonly number[]) => undoable(db, () => step(db, actor, some, batch.input as never, batchId, now));
  const failures = ids.length === 0 ? [] : await doItems(ids).catch((error: unknown) => oneByOne(ids, doItems, error, faults));
  const outcome = { failures, done: ids.length - failures.length, last: items.at(next ? -2 : -1)?.position ?? -1 };
  await record(db, chunk, { ...outcome, state: next ? 'running' : 'finished' }, now);
  if (next) await enqueue(db, 'batch', { accountId, batchId, from: next.position });
}

interface Outcome {
  readonly failures: readonly Failure[];
  readonly done: number;
  /** The position of the last item that was tried. */
  readonly last: number;
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

/** Failed items stay with their reason; done ones, up to the last position of the chunk, go. */
async function record(db: Db, { accountId, batchId }: Chunk, outcome: Outcome, now: Date): Promise<void> {
  const { failures, done, last, state } = outcome;
  if (failures.length > 0) {
    await sql`
      update batch_items set failure = failed.reason
      from unnest(${failures.map(({ id }) => id)}::bigint[], ${failures.map(({ reason }) => reason)}::text[]) as failed (id, reason)
      where account_id = ${accountId} and batch_id = ${batchId} and item_id = failed.id`.execute(db);
  }
  await sql`
    delete from batch_items where account_id = ${accountId} and batch_id = ${batchId} and position <= ${last} and failure is null`.execute(db);
  await sql`
    update batches set state = ${state}, done = done + ${done}, failed = failed + ${failures.length}, updated_at = ${now}
    where account_id = ${accountId} and id = ${batchId}`.execute(db);
}

/** Who started the batch, with the rights he has now. */
async function actorOf(db: Db, accountId: number, workspaceId: number, userId: number): Promise<WorkspaceActor | undefined> {
  const row = await actorRows(db, workspaceId).where('user.account_id', '=', accountId).where('user.id', '=', userId).executeTakeFirst();
  const actor: Actor | undefined = row && actorIn(row);
  return actor?.workspace ? { ...actor, workspace: actor.workspace } : undefined;
}
