import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase, type Database, type Db } from '../connection.ts';
import { isDistributed } from '../distribution/citus.ts';
import { sharesOf } from '../driver/connection_shares.ts';
import type { Readers } from './readers.ts';

/*
 * A standby that answers reads. A read must see everything that any process committed before it arrived. So the primary is asked
 * for its position in the log first, which takes it a tenth of a millisecond. Reads that arrive while it is being asked share the
 * next answer. The standby answers if it has replayed the log up to there, or does so soon. Otherwise the primary answers, and the
 * standby is left alone for a while.
 *
 * Credentials are always looked up on the primary.
 */

interface Target {
  readonly url: string;
  readonly poolSize: number;
  readonly isPooled: boolean;
  readonly perAccount: number;
  readonly statementTimeoutMs: number;
  /** How long a read waits for the standby at most. */
  readonly waitMs: number;
}

/** For how long the standby is left alone after it was behind or could not be asked. */
const restMs = 1_000;
const pollMs = 2;

/** Opens the standby of a database. One that cannot be reached now may be back later, so only a wrong one is refused. */
export async function openStandby(primary: Db, { waitMs, perAccount, ...target }: Target): Promise<Readers> {
  const database = await openDatabase(target);
  try {
    await requireStandbyOf(primary, database);
  } catch (error) {
    if (error instanceof WrongStandbyError) {
      await database.close();
      throw error;
    }
  }
  const shares = sharesOf(database, perAccount);
  const counts = { answered: 0, passed: 0 };
  let replayed = -1;
  let restsUntilMs = 0;

  /** The checks of all reads that arrived while another check ran are one, which begins after they arrived. */
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean> | undefined;
  const check = (): Promise<boolean> => {
    next ??= running.then(() => {
      next = undefined;
      const result = hasReached().catch(() => false);
      running = result;
      return result;
    });
    return next;
  };

  async function hasReached(): Promise<boolean> {
    const wanted = await positionOf(primary);
    const untilMs = performance.now() + waitMs;
    while (replayed < wanted) {
      replayed = await replayedBy(database.db);
      if (replayed >= wanted) break;
      if (performance.now() > untilMs) return false;
      await pause(pollMs);
    }
    return true;
  }

  return {
    kind: 'standby',
    place: `${database.place} while it is up to date`,
    counts,
    async dbFor(accountId, isWrite) {
      if (isWrite) return undefined;
      const isCurrent = performance.now() >= restsUntilMs && (await check());
      if (!isCurrent && performance.now() >= restsUntilMs) restsUntilMs = performance.now() + restMs;
      counts[isCurrent ? 'answered' : 'passed']++;
      return isCurrent ? shares.dbFor(accountId) : undefined;
    },
    close: database.close,
  };
}

export class WrongStandbyError extends Error {}

async function requireStandbyOf(primary: Db, { db, place }: Database): Promise<void> {
  if (await isDistributed(primary))
    throw new WrongStandbyError(
      'DATABASE_READ_URL is set, but DATABASE_URL leads to a Citus coordinator, whose standby has no rows of companies. Leave DATABASE_READ_URL empty.',
    );
  const here = await identityOf(primary);
  const there = await identityOf(db);
  if (there.cluster !== here.cluster || there.name !== here.name)
    throw new WrongStandbyError(
      `DATABASE_READ_URL leads to ${place}, which is no copy of the database in DATABASE_URL. Set it to a streaming standby of that server, with the same database name.`,
    );
}

const identityOf = async (db: Db): Promise<{ cluster: string; name: string }> =>
  (
    await sql<{ cluster: string; name: string }>`
      select system_identifier::text as cluster, current_database() as name from pg_control_system()`.execute(db)
  ).rows[0]!;

/** Up to where the log contains every commit that was acknowledged. */
const positionOf = async (db: Db): Promise<number> =>
  (
    await sql<{ position: number }>`
      select pg_wal_lsn_diff(
        case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end,
        '0/0')::float8 as position`.execute(db)
  ).rows[0]!.position;

/** Up to where the standby shows the log. A server that is no standby any more shows none of it. */
const replayedBy = async (db: Db): Promise<number> =>
  (
    await sql<{ position: number }>`
      select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 else -1 end as position
    `.execute(db)
  ).rows[0]!.position;
