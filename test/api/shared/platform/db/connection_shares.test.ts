import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { DB } from '../../../../../generated/db.ts';
import { connectionShares } from '../../../../../src/platform/db/driver/connection_shares.ts';
import { newWorld } from '../../../../support/world.ts';

const database = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const turnOfEventLoop = () => new Promise(setImmediate);

/** Accounts that take connections and keep them until the test releases them. */
function accountsWith(limits: { connections: number; perAccount: number; timeoutMs?: number }) {
  const shares = connectionShares(database, { timeoutMs: 10_000, ...limits });
  /** The names that got a connection, in order. */
  const served: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    ...shares,
    served,
    /** Requests a connection under a name, and resolves when it was released. */
    ask: (accountId: number | undefined, name: string): Promise<unknown> =>
      shares
        .dbFor(accountId)
        .getExecutor()
        .provideConnection(async () => {
          served.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
        }),
    async end(name: string): Promise<void> {
      ends.get(name)!();
      await turnOfEventLoop();
    },
  };
}

describe('the connections of a database', () => {
  it('are left to others when one account has used its share', async () => {
    const { ask, end, served, waitingCount } = accountsWith({ connections: 4, perAccount: 2 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(1, name);
    void ask(2, 'b1');
    void ask(undefined, 'nobody1');
    await turnOfEventLoop();
    expect(served).toEqual(['a1', 'a2', 'b1', 'nobody1']);
    expect(waitingCount()).toBe(2);
    await end('a2');
    await end('b1');
    await end('nobody1');
    expect(served.slice(4)).toEqual(['a3']);
    await end('a1');
    expect(served.slice(4)).toEqual(['a3', 'a4']);
    expect(waitingCount()).toBe(0);
  });

  it('go to the account that uses the fewest', async () => {
    const { ask, end, served } = accountsWith({ connections: 3, perAccount: 2 });
    for (const name of ['a1', 'a2', 'a3']) void ask(1, name);
    for (const name of ['b1', 'b2']) void ask(2, name);
    void ask(3, 'c1');
    await turnOfEventLoop();
    expect(served).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(served.slice(3)).toEqual(['c1']);
    await end('a2');
    expect(served.slice(3)).toEqual(['c1', 'a3']);
    await end('c1');
    expect(served.slice(3)).toEqual(['c1', 'a3', 'b2']);
  });

  it('are given in turns to accounts that use equally many, however long their queues are', async () => {
    const { ask, end, served } = accountsWith({ connections: 1, perAccount: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(1, name);
    for (const name of ['b1', 'b2']) void ask(2, name);
    await turnOfEventLoop();
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name);
    expect(served).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('503 for a request that has waited too long, and the next one is served', async () => {
    const { ask, end, served, waitingCount } = accountsWith({ connections: 1, perAccount: 1, timeoutMs: 5 });
    void ask(1, 'a1');
    await expect(ask(2, 'b1')).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    expect(waitingCount()).toBe(0);
    await end('a1');
    void ask(2, 'b2');
    await turnOfEventLoop();
    expect(served).toEqual(['a1', 'b2']);
  });

  it('are released after work that throws', async () => {
    const { dbFor, ask, served } = accountsWith({ connections: 1, perAccount: 1 });
    const failing = dbFor(1)
      .getExecutor()
      .provideConnection(() => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    void ask(1, 'a1');
    await turnOfEventLoop();
    expect(served).toEqual(['a1']);
  });

  it('are not limited with a share of 0', async () => {
    const { db } = await newWorld();
    expect(connectionShares(db, { connections: 2, perAccount: 0, timeoutMs: 5 }).dbFor(1)).toBe(db);
  });
});
