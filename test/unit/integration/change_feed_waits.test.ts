import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../../src/platform/db/connection.ts';
import type { Position } from '../../../src/integration/events/feed/position.ts';
import type { lastPosition } from '../../../src/integration/events/feed/read.ts';
import { openWaits } from '../../../src/integration/events/feed/waits.ts';

const at = (id: number): Position => ({ epoch: 1, transactionId: '700', id });

/** Throws at any use: between two look-ups nothing may ask for a connection. */
const untouched = new Proxy({} as Db, {
  get: (_target, name) => {
    throw new Error(`A wait used db.${String(name)}.`);
  },
});

describe('requests that wait for news', () => {
  const looking = vi.fn<typeof lastPosition>();
  beforeEach(() => {
    vi.useFakeTimers();
    looking.mockReset().mockResolvedValue(at(1));
  });
  afterEach(() => void vi.useRealTimers());

  const waitingFor = (waits: ReturnType<typeof openWaits>, accountId: number, count: number) => {
    const ended: number[] = [];
    const all = Array.from({ length: count }, async (_, number) => {
      const untilMs = performance.now() + 30_000;
      await waits.forNews({ db: untouched, accountId, since: at(1), untilMs, isAborted: () => false });
      ended.push(number);
    });
    return { ended, all: Promise.all(all) };
  };

  it('share one look-up a second, and use the database for nothing else', async () => {
    const waits = openWaits(() => false, looking);
    const { ended, all } = waitingFor(waits, 1, 20);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looking.mock.calls.map(([, accountId]) => accountId)).toEqual([1, 1, 1, 1, 1]);
    expect(ended).toEqual([]);
    looking.mockResolvedValue(at(2));
    await vi.advanceTimersByTimeAsync(1_000);
    await all;
    expect([looking.mock.calls.length, ended.length]).toEqual([6, 20]);
    // Nobody waits any more, so that nobody looks.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looking).toHaveBeenCalledTimes(6);
  });

  it('of another account have look-ups of their own', async () => {
    const waits = openWaits(() => false, looking);
    looking.mockImplementation(async (_db, accountId) => at(accountId));
    const [first, second] = [waitingFor(waits, 1, 3), waitingFor(waits, 2, 3)];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(looking.mock.calls.map(([, accountId]) => accountId)).toEqual([1, 2]);
    await second.all;
    expect([first.ended.length, second.ended.length]).toEqual([0, 3]);
    await vi.advanceTimersByTimeAsync(30_000);
    await first.all;
  });

  it('all fail if their look-up fails, and the next ones wait anew', async () => {
    const waits = openWaits(() => false, looking);
    looking.mockRejectedValueOnce(new Error('gone'));
    const failing = waitingFor(waits, 1, 2);
    const refused = expect(failing.all).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    const next = waitingFor(waits, 1, 1);
    looking.mockResolvedValue(at(2));
    await vi.advanceTimersByTimeAsync(1_000);
    await next.all;
    expect(next.ended).toEqual([0]);
  });
});
