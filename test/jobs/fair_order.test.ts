import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { enqueue, openJobs } from '../../src/jobs/queue.ts';
import { service } from '../support/service.ts';

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
  return { done, add, drain: jobs.drain };
}

/** Splits a list into turns of these lengths. Within a turn, the order is that of the moment, which clocks may not tell apart. */
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

  it('that arrive later come level with the next turn, neither before all others nor after them', async () => {
    const { add, done, drain } = await newQueue('latecomers', async ({ accountId, number }) => {
      if (accountId === 1 && number === 3) for (const late of [1, 2]) await add(2, late);
    });
    for (const number of [1, 2, 3, 4, 5, 6]) await add(1, number);
    await drain();
    expect(inTurns(done.slice(3), [2, 2, 1])).toEqual([['1/4', '2/1'], ['1/5', '2/2'], ['1/6']]);
  });

  it('of one account that continue each other let those of others in', async () => {
    const { add, done, drain } = await newQueue('chunks', async ({ accountId, number }) => {
      if (accountId === 1 && number < 4) await add(1, number + 1);
      if (accountId === 1 && number === 1) await add(2, 1);
    });
    await add(1, 1);
    await drain();
    expect(done).toEqual(['1/1', '1/2', '2/1', '1/3', '1/4']);
  });
});
