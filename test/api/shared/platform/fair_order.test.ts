import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { enqueue, enqueueAll, openJobs } from '../../../../src/platform/jobs/queue.ts';
import { service } from '../../../support/service.ts';

interface Errand {
  readonly accountId: number;
  readonly number: number;
}

/** A queue that records the jobs it runs. */
async function newQueue(name: string, onRun: (errand: Errand) => Promise<void> = async () => {}) {
  const { database, directUrl } = await service();
  const done: string[] = [];
  const handler = async (errand: Errand): Promise<void> => {
    done.push(`${errand.accountId}/${errand.number}`);
    await onRun(errand);
  };
  const jobs = await openJobs(database, { directUrl, handlers: { [name]: handler }, log: pino({ level: 'silent' }) });
  onTestFinished(jobs.stop);
  const add = (accountId: number, number: number) =>
    database.db.transaction().execute((tx) => enqueue(tx, name, { accountId, number }));
  const addAll = (accountId: number, numbers: readonly number[]) =>
    database.db.transaction().execute((tx) =>
      enqueueAll(
        tx,
        name,
        accountId,
        numbers.map((number) => ({ accountId, number })),
      ),
    );
  return { done, add, addAll, drain: jobs.drain };
}

/** Splits a list into turns of these lengths. The order within a turn is undefined, because times can be equal. */
const inTurns = (done: readonly string[], lengths: readonly number[]): string[][] => {
  const rest = [...done];
  return lengths.map((length) => rest.splice(0, length).sort());
};

describe('jobs', () => {
  it('of accounts take turns, however many each has', async () => {
    const { add, done, drain } = await newQueue('turns');
    for (const number of [1, 2, 3, 4]) await add(1, number);
    await add(2, 1);
    await add(3, 1);
    await add(2, 2);
    await drain();
    expect(inTurns(done, [3, 2, 1, 1])).toEqual([['1/1', '2/1', '3/1'], ['1/2', '2/2'], ['1/3'], ['1/4']]);
  });

  it('of accounts take turns, if many are added at once', async () => {
    const { add, addAll, done, drain } = await newQueue('turns_at_once');
    await addAll(1, []);
    await addAll(1, [1, 2, 3]);
    await addAll(1, [4]);
    await addAll(2, [1, 2]);
    await add(3, 1);
    await drain();
    expect(inTurns(done, [3, 2, 1, 1])).toEqual([['1/1', '2/1', '3/1'], ['1/2', '2/2'], ['1/3'], ['1/4']]);
  });

  it('that arrive later join the next turn, neither before nor after all others', async () => {
    const { add, done, drain } = await newQueue('latecomers', async ({ accountId, number }) => {
      if (accountId === 1 && number === 3) for (const late of [1, 2]) await add(2, late);
    });
    for (const number of [1, 2, 3, 4, 5, 6]) await add(1, number);
    await drain();
    expect(inTurns(done.slice(3), [2, 2, 1])).toEqual([['1/4', '2/1'], ['1/5', '2/2'], ['1/6']]);
  });

  it('of one account that follow each other let other accounts in between', async () => {
    const { add, done, drain } = await newQueue('chunks', async ({ accountId, number }) => {
      if (accountId === 1 && number < 4) await add(1, number + 1);
      if (accountId === 1 && number === 1) await add(2, 1);
    });
    await add(1, 1);
    await drain();
    expect(done).toEqual(['1/1', '1/2', '2/1', '1/3', '1/4']);
  });
});
