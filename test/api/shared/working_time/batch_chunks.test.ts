import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findBatch, startBatch, type BatchStep } from '../../../../src/platform/batches/batches.ts';
import { batchJobs } from '../../../../src/platform/batches/chunks.ts';
import { invalid } from '../../../../src/platform/core/errors.ts';
import type { WorkspaceActor } from '../../../../src/platform/core/permissions.ts';
import type { Db } from '../../../../src/platform/db/connection.ts';
import { actorOf } from '../../../support/records.ts';
import { newWorld, type World } from '../../../support/world.ts';

const now = new Date('2026-03-02T10:00:00Z');

interface Job {
  readonly accountId: number;
  readonly batchId: string;
  readonly from: number;
}

const patient = { maxItems: 200, targetDurationMs: Infinity };

/** A batch whose step inserts one row each time it processes an item. */
async function newBatch(world: World, count: number) {
  const { db, accountId } = world;
  const actor = await actorOf(world, world.admin);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const batch = { action: 'test.mark', itemType: 'notification', ids, input: { word: 'done' } } as const;
  const { batch_id: batchId } = await db
    .transaction()
    .execute((transaction) => startBatch(transaction, actor, batch, now));
  return {
    batchId,
    /** Runs one job. */
    run: (job: Job, step: BatchStep, limits = patient) =>
      batchJobs(db, { 'test.mark': step }, () => now, limits)['batch']!(job as never),
    /** The jobs that were enqueued for this batch, in order. */
    jobs: async (): Promise<Job[]> => {
      const { rows } = await sql<{ data: Job }>`
        select data from pgboss.job where name = 'batch' and data ->> 'batchId' = ${batchId} order by (data ->> 'from')::int, created_on`.execute(
        db,
      );
      return rows.map(({ data }) => data);
    },
    /** How often each item was processed. */
    marks: async (): Promise<Map<number, number>> => {
      const rows = await db.selectFrom('notifications').select('message').where('account_id', '=', accountId).execute();
      const counts = new Map<number, number>();
      for (const { message } of rows) counts.set(Number(message), (counts.get(Number(message)) ?? 0) + 1);
      return counts;
    },
    progress: () => findBatch(db, actor, batchId),
  };
}

async function mark(db: Db, { accountId, workspace, userId }: WorkspaceActor, id: number): Promise<void> {
  const row = {
    account_id: accountId,
    workspace_id: workspace.id,
    type: 'notification',
    user_id: userId!,
    title: 'Mark',
    message: String(id),
  };
  await db
    .insertInto('notifications')
    .values({ ...row, created_at: now, updated_at: now })
    .execute();
}

const markAll: BatchStep = async (db, actor, ids) => {
  for (const id of ids) await mark(db, actor, id);
  return [];
};

/** Marks items until it reaches a certain one, and then calls a function. */
const markUntil =
  (stop: number, then: () => Promise<void>): BatchStep =>
  async (db, actor, ids) => {
    for (const id of ids) {
      if (id === stop) await then();
      await mark(db, actor, id);
    }
    return [];
  };

const everyOneOnce = (count: number) => new Map(Array.from({ length: count }, (_, index) => [index + 1, 1]));

/** The error of a driver whose connection is lost. */
const connectionLost = () => Object.assign(new Error('terminating connection'), { code: '57P01' });

async function runToTheEnd(batch: Awaited<ReturnType<typeof newBatch>>, step: BatchStep): Promise<void> {
  for (let done = 0; done < (await batch.jobs()).length; done++) await batch.run((await batch.jobs())[done]!, step);
}

describe('a batch', () => {
  it('is done in chunks, each with its progress and the job for the next', async () => {
    const batch = await newBatch(await newWorld(), 450);
    expect(await batch.progress()).toMatchObject({ state: 'queued', total: 450, done: 0 });
    const sizes: number[] = [];
    const step: BatchStep = (db, actor, ids, input, batchId, at) => {
      sizes.push(ids.length);
      expect(input).toEqual({ word: 'done' });
      expect([batchId, at]).toEqual([batch.batchId, now]);
      return markAll(db, actor, ids, input, batchId, at);
    };
    await batch.run((await batch.jobs())[0]!, step);
    expect(await batch.progress()).toMatchObject({ state: 'running', done: 200 });
    expect((await batch.jobs()).map(({ from }) => from)).toEqual([0, 200]);
    await runToTheEnd(batch, step);
    expect(sizes).toEqual([1, 4, 16, 64, 115, 1, 4, 16, 64, 115, 1, 4, 16, 29]);
    expect(await batch.progress()).toMatchObject({ state: 'finished', done: 450, failed: 0, failures: [] });
    expect(await batch.marks()).toEqual(everyOneOnce(450));
  });

  it('ends a chunk when its time is over, however much its items write', async () => {
    const batch = await newBatch(await newWorld(), 60);
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms);
    onTestFinished(() => void vi.restoreAllMocks());
    // Item 1 to 40 take 10 ms each, and the others a second.
    const step: BatchStep = (db, actor, ids, ...rest) => {
      for (const id of ids) ms += id > 40 ? 1_000 : 10;
      return markAll(db, actor, ids, ...rest);
    };
    const limits = { maxItems: 200, targetDurationMs: 100 };
    for (let done = 0; done < (await batch.jobs()).length; done++)
      await batch.run((await batch.jobs())[done]!, step, limits);
    const froms = (await batch.jobs()).map(({ from }) => from);
    expect(froms).toEqual([0, 10, 20, 30, ...Array.from({ length: 20 }, (_, index) => 40 + index)]);
    expect(await batch.marks()).toEqual(everyOneOnce(60));
    expect(await batch.progress()).toMatchObject({ state: 'finished', done: 60 });
  });

  it('ends a chunk in time also where all of its items fail', async () => {
    const batch = await newBatch(await newWorld(), 100);
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ms);
    onTestFinished(() => void vi.restoreAllMocks());
    const step: BatchStep = async (_db, _actor, ids) => {
      ms += 10 * ids.length;
      throw invalid('wrong_state', 'id', 'No item works.');
    };
    await batch.run((await batch.jobs())[0]!, step, { maxItems: 200, targetDurationMs: 100 });
    expect(await batch.progress()).toMatchObject({ state: 'running', done: 0, failed: 6 });
  });

  it('without items is finished at once', async () => {
    const batch = await newBatch(await newWorld(), 0);
    await runToTheEnd(batch, markAll);
    expect(await batch.progress()).toMatchObject({ state: 'finished', total: 0, done: 0 });
  });

  it('of exactly one chunk has one job', async () => {
    const batch = await newBatch(await newWorld(), 200);
    await runToTheEnd(batch, markAll);
    expect(await batch.jobs()).toHaveLength(1);
    expect(await batch.progress()).toMatchObject({ state: 'finished', done: 200 });
  });

  it('loses and repeats nothing when the process crashes in the middle of a chunk', async () => {
    const batch = await newBatch(await newWorld(), 250);
    const [first] = await batch.jobs();
    await batch.run(first!, markAll);
    const second = (await batch.jobs())[1]!;
    const dying = markUntil(225, async () => {
      throw connectionLost();
    });
    await expect(batch.run(second, dying)).rejects.toThrow('terminating connection');
    expect((await batch.marks()).size).toBe(200);
    expect(await batch.progress()).toMatchObject({ state: 'running', done: 200 });
    await batch.run(second, markAll);
    expect(await batch.marks()).toEqual(everyOneOnce(250));
    expect(await batch.progress()).toMatchObject({ state: 'finished', done: 250 });
  });

  it('does nothing when the job of a committed chunk runs again', async () => {
    const batch = await newBatch(await newWorld(), 450);
    const [first] = await batch.jobs();
    await batch.run(first!, markAll);
    await batch.run(first!, markAll);
    expect((await batch.jobs()).map(({ from }) => from)).toEqual([0, 200]);
    await runToTheEnd(batch, markAll);
    await batch.run(first!, markAll);
    expect(await batch.marks()).toEqual(everyOneOnce(450));
    expect(await batch.progress()).toMatchObject({ state: 'finished', done: 450 });
  });

  it('gives a chunk to one of two workers that have the same job', async () => {
    const batch = await newBatch(await newWorld(), 300);
    const [first] = await batch.jobs();
    await Promise.all([batch.run(first!, markAll), batch.run(first!, markAll)]);
    expect((await batch.marks()).size).toBe(200);
    expect((await batch.jobs()).map(({ from }) => from)).toEqual([0, 200]);
    await runToTheEnd(batch, markAll);
    expect(await batch.marks()).toEqual(everyOneOnce(300));
  });

  it('reports failing items with their reasons and processes the others once', async () => {
    const batch = await newBatch(await newWorld(), 210);
    const step: BatchStep = async (db, actor, ids) => {
      const failures = [];
      for (const id of ids) {
        if (id === 7) failures.push({ id, reason: 'Seven is running.' });
        else await mark(db, actor, id);
        if (id === 100) throw invalid('wrong_state', 'id', 'One hundred is too many.');
        if (id === 205) throw new Error('a fault of ours');
      }
      return failures;
    };
    await batch.run((await batch.jobs())[0]!, step);
    await expect(batch.run((await batch.jobs())[1]!, step)).rejects.toThrow('a fault of ours');
    const expected = everyOneOnce(210);
    for (const id of [7, 100, 205]) expected.delete(id);
    expect(await batch.marks()).toEqual(expected);
    expect(await batch.progress()).toMatchObject({
      state: 'finished',
      done: 207,
      failed: 3,
      failures: [
        { id: '7', type: 'notification', reason: 'Seven is running.' },
        { id: '100', type: 'notification', reason: 'One hundred is too many.' },
        { id: '205', type: 'notification', reason: 'Something went wrong on our side.' },
      ],
    });
  });

  it('processes a chunk item by item after a fault that does not recur', async () => {
    const batch = await newBatch(await newWorld(), 50);
    let hasFailed = false;
    const step = markUntil(25, async () => {
      if (hasFailed) return;
      hasFailed = true;
      throw new Error('once');
    });
    await runToTheEnd(batch, step);
    expect(await batch.marks()).toEqual(everyOneOnce(50));
    expect(await batch.progress()).toMatchObject({ state: 'finished', done: 50, failed: 0 });
  });

  it('reports a constraint violation in the words of the API', async () => {
    const batch = await newBatch(await newWorld(), 2);
    await runToTheEnd(batch, (db, actor, ids) =>
      markAll(db, ids.includes(2) ? { ...actor, userId: 0 } : actor, ids, {} as never, batch.batchId, now),
    );
    expect(await batch.progress()).toMatchObject({
      done: 1,
      failures: [{ id: '2', reason: 'The request refers to a record that has just been removed.' }],
    });
  });

  it('fails as a whole when its user has left the workspace', async () => {
    const world = await newWorld();
    const batch = await newBatch(world, 250);
    await batch.run((await batch.jobs())[0]!, markAll);
    await world.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('account_id', '=', world.accountId)
      .where('id', '=', world.admin.id)
      .execute();
    await runToTheEnd(batch, markAll);
    const progress = await batch.progress();
    expect(progress).toMatchObject({ state: 'failed', total: 250, done: 200, failed: 50 });
    expect(progress.failures[0]).toMatchObject({
      id: '201',
      reason: 'The user who started the batch no longer belongs to the workspace.',
    });
    expect((await batch.marks()).size).toBe(200);
  });
});
