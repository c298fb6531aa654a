import { sql } from 'kysely';
import { recentlyUsed } from '../../core/remember.ts';
import { AppError } from '../../core/errors.ts';
import { openDatabase, type Db } from '../connection.ts';
import { sharesOf } from '../driver/connection_shares.ts';
import { handleWith } from '../driver/handles.ts';
import { NotReachedError, type Readers } from './readers.ts';

/*
 * Where Citus distributes rows, every worker knows the tables of the whole cluster and carries out any statement about them. The
 * worker that has the rows of an account does so without a message to another server. It stays right after the rows have moved, and
 * is then only slower. What the coordinator alone has, such as directories and the queue, is missing on a worker: see `readers.ts`.
 */

interface Target {
  /** The address of the coordinator. Those of the workers differ from it by host and port. */
  readonly url: string;
  /** The number of connections to each worker. */
  readonly poolSize: number;
  readonly perAccount: number;
  readonly statementTimeoutMs: number;
}

/** How long the place of an account is remembered. */
const placeLifetimeMs = 60_000;
const maxKnownAccounts = 100_000;

/** For how long a worker is left alone after it could not be reached. */
const restMs = 5_000;

/** Opens the workers that have the rows of accounts, each when it is first needed. */
export function openWorkers(coordinator: Db, { perAccount, ...target }: Target): Readers {
  const counts = { answered: 0, passed: 0 };
  const places = recentlyUsed<number, { address: string; untilMs: number }>(maxKnownAccounts);
  const workers = new Map<string, ReturnType<typeof openWorker>>();

  const openWorker = async (url: string) => {
    const database = await openDatabase({ ...target, url });
    return { database, shares: sharesOf(database, perAccount), restsUntilMs: 0 };
  };

  const workerAt = (address: string): ReturnType<typeof openWorker> => {
    const worker = workers.get(address) ?? openWorker(address);
    workers.set(address, worker);
    return worker;
  };

  async function addressOf(accountId: number): Promise<string> {
    const known = places.get(accountId);
    if (known && performance.now() < known.untilMs) return known.address;
    const address = await placeOf(coordinator, accountId, target.url);
    places.set(accountId, { address, untilMs: performance.now() + placeLifetimeMs });
    return address;
  }

  return {
    kind: 'workers',
    place: 'the workers that have their rows',
    counts,
    async dbFor(accountId) {
      const worker = await workerAt(await addressOf(accountId));
      if (performance.now() < worker.restsUntilMs) {
        counts.passed++;
        return undefined;
      }
      counts.answered++;
      const { db } = worker.database;
      const executor = worker.shares.dbFor(accountId).getExecutor();
      return handleWith(db, {
        async provideConnection(consume) {
          let isConnected = false;
          try {
            return await executor.provideConnection((connection) => {
              isConnected = true;
              return consume(connection);
            });
          } catch (error) {
            // To wait too long for a share of the connections says nothing about the worker.
            if (isConnected || error instanceof AppError) throw error;
            worker.restsUntilMs = performance.now() + restMs;
            throw new NotReachedError(error);
          }
        },
      });
    },
    async close() {
      await Promise.all([...workers.values()].map(async (worker) => (await worker).database.close()));
    },
  };
}

/** The address of the worker that has the rows of an account. */
async function placeOf(coordinator: Db, accountId: number, url: string): Promise<string> {
  const { rows } = await sql<{ host: string; port: number }>`
    select nodename as host, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('accounts', ${accountId}::bigint) and noderole = 'primary'`.execute(
    coordinator,
  );
  const { host, port } = rows[0]!;
  return Object.assign(new URL(url), { hostname: host, port: String(port) }).href;
}
