import type { ConnectionProvider, Kysely } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../../../generated/db.ts';
import { unavailable } from '../../core/errors.ts';
import { handleWith } from './handles.ts';

/*
 * Requests of one account hold a part of the connections at most, so that some are left for others. Those beyond their share
 * wait in the line of their account. A connection that gets free goes to the line whose account holds the fewest, and among
 * equals to the one that was served longest ago. A long line delays its own account and no other.
 *
 * Invariant: somebody waits only while no connection is free or their account has its share.
 */

export interface ConnectionShares {
  /** A handle on the database whose connections count for this account. Requests without an account share one line. */
  readonly dbFor: (accountId: number | undefined) => Kysely<DB>;
  /** How many requests wait for a connection. */
  readonly waitingCount: () => number;
}

interface Limits {
  /** How many connections there are. */
  readonly connections: number;
  /** How many of them one account may hold. 0 for all, and without lines. */
  readonly perAccount: number;
  /** After how long a wait ends in 503. */
  readonly timeoutMs: number;
}

/** The requests of one account. */
interface Line {
  readonly accountId: number;
  held: number;
  /** Those who wait, the first in front. Each is called once it has a connection. */
  readonly waiting: (() => void)[];
}

const noAccount = 0;

/** Shares the connections of a pool among accounts, of which each may hold so many. */
export const sharesOf = (database: { db: Kysely<DB>; pool: pg.Pool }, perAccount: number): ConnectionShares => {
  const { max: connections, connectionTimeoutMillis } = database.pool.options;
  return connectionShares(database.db, { connections, perAccount, timeoutMs: connectionTimeoutMillis! });
};

/** Shares the connections of a database among accounts. */
export function connectionShares(db: Kysely<DB>, { connections, perAccount, timeoutMs }: Limits): ConnectionShares {
  if (perAccount === 0) return { dbFor: () => db, waitingCount: () => 0 };
  const share = Math.min(perAccount, connections);
  const lines = new Map<number, Line>();
  /** Lines in which somebody waits, in the order in which they were served last. */
  const waitingLines = new Set<Line>();
  let free = connections;

  const lineOf = (accountId: number): Line => {
    const known = lines.get(accountId);
    if (known) return known;
    const line = { accountId, held: 0, waiting: [] };
    lines.set(accountId, line);
    return line;
  };

  const forgetIfEmpty = ({ accountId, held, waiting }: Line): void => {
    if (held === 0 && waiting.length === 0) lines.delete(accountId);
  };

  const hold = (line: Line): void => {
    line.held += 1;
    free -= 1;
  };

  const waitIn = (line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const serve = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(serve), 1);
        if (line.waiting.length === 0) waitingLines.delete(line);
        forgetIfEmpty(line);
        reject(unavailable());
      }, timeoutMs);
      line.waiting.push(serve);
      waitingLines.add(line);
    });

  const serveNext = (): void => {
    let next: Line | undefined;
    for (const line of waitingLines) if (line.held < share && line.held < (next?.held ?? Infinity)) next = line;
    if (!next) return;
    hold(next);
    const serve = next.waiting.shift()!;
    waitingLines.delete(next);
    if (next.waiting.length > 0) waitingLines.add(next);
    serve();
  };

  const release = (line: Line): void => {
    line.held -= 1;
    free += 1;
    if (waitingLines.size > 0) serveNext();
    forgetIfEmpty(line);
  };

  const all = db.getExecutor();
  const providerFor = (accountId: number): ConnectionProvider => ({
    async provideConnection(consume) {
      const line = lineOf(accountId);
      if (free > 0 && line.held < share) hold(line);
      else await waitIn(line);
      try {
        return await all.provideConnection(consume);
      } finally {
        release(line);
      }
    },
  });

  return {
    dbFor: (accountId = noAccount) => handleWith(db, providerFor(accountId)),
    waitingCount: () => [...waitingLines].reduce((sum, { waiting }) => sum + waiting.length, 0),
  };
}
