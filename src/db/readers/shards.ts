import { sql } from 'kysely';
import { withTimeout } from '../../core/async/with_timeout.ts';
import { AppError } from '../../core/errors.ts';
import { recentlyUsed } from '../../core/remember.ts';
import { openDatabase, type Database, type Db } from '../connection.ts';
import { drawIds, type DrawIds } from '../distribution/draw_ids.ts';
import { sharesOf, type ConnectionShares } from '../driver/connection_shares.ts';
import { handleWith } from '../driver/handles.ts';
import { tenantRoleOf } from '../tenant_role.ts';
import type { Readers } from './readers.ts';
import { inShard, type Entrance } from './shard_connection.ts';

/*
 * Where rows are distributed, the worker that has the rows of an account answers reads about it. Through the coordinator, two
 * servers plan every statement at every call, and a page of a list takes them 5 ms. The worker plans it like any other server and
 * takes 1 ms. For this, a connection sets its search path to the views of the shard (distribution/shard_views.ts), so that the same
 * statements read the shard itself. READ_SHARDS=off has the coordinator answer all reads.
 *
 * Each read first asks the worker whether it still has the shard, and whether it knows how all transactions ended. Otherwise the
 * coordinator answers. Where the shard has moved, has no views or cannot be reached, it is passed over until the next look at the
 * cluster. These connections are read-only: a write to a shard by its name could reach one that has just moved.
 *
 * Transactions that write have connections of their own: see `host.ts`.
 */

interface Target {
  /** The address of the coordinator. Those of the workers differ from it by host and port. */
  readonly url: string;
  /** The number of connections to each worker. */
  readonly poolSize: number;
  readonly perAccount: number;
  readonly statementTimeoutMs: number;
}

/** Connections to a worker, which accounts share. */
interface Connections {
  readonly database: Database;
  readonly dbFor: ConnectionShares['dbFor'];
}

interface Worker {
  readonly forReads: Connections;
  readonly forWrites: Connections;
}

/** How often to look which worker has which shard. */
const lookIntervalMs = 10_000;
/** How long a worker may take to answer the look. */
const lookTimeoutMs = 2_000;
/** How long the coordinator may take to draw ids. */
const drawTimeoutMs = 200;
const maxKnownAccounts = 100_000;

export async function openShards(coordinator: Db, { perAccount, ...target }: Target): Promise<Readers> {
  const counts = { answered: 0, passed: 0 };
  const workers = new Map<string, Promise<Worker>>();
  const shards = recentlyUsed<number, number>(maxKnownAccounts);
  let workerOf = new Map<number, Worker>();
  let known = '';
  let lookAgainAtMs = 0;

  const connectionsTo = async (url: string, readsShards: boolean): Promise<Connections> => {
    const database = await openDatabase({ ...target, url, readsShards });
    return { database, dbFor: sharesOf(database, perAccount).dbFor };
  };

  const openWorker = async (address: string): Promise<Worker> => ({
    forReads: await connectionsTo(address, true),
    forWrites: await connectionsTo(address, false),
  });

  /** The worker at an address, if it answers and separates accounts by the same role. */
  const usable = async (address: string, role: string | undefined): Promise<Worker | undefined> => {
    if (!workers.has(address)) workers.set(address, openWorker(address));
    const worker = await workers.get(address)!;
    const isSame = tenantRoleOf(worker.forReads.database.db).then(
      (own) => own === role,
      () => false,
    );
    return (await withTimeout(isSame, { timeoutMs: lookTimeoutMs, fallback: false })) ? worker : undefined;
  };

  async function look(): Promise<void> {
    lookAgainAtMs = performance.now() + lookIntervalMs;
    const role = await tenantRoleOf(coordinator);
    const places = await placesOf(coordinator, target.url);
    const addresses = [...new Set(places.map(({ address }) => address))];
    const found = new Map(await Promise.all(addresses.map(async (one) => [one, await usable(one, role)] as const)));
    // An account whose shard was split is in another shard now.
    const all = places.map(({ shard }) => shard).join();
    if (all !== known) shards.clear();
    known = all;
    workerOf = new Map(
      places.flatMap(({ shard, address }) => {
        const worker = found.get(address);
        return worker ? [[shard, worker]] : [];
      }),
    );
  }

  async function shardOf(accountId: number): Promise<number> {
    const remembered = shards.get(accountId);
    if (remembered !== undefined) return remembered;
    const before = known;
    const shard = await shardIn(coordinator, accountId);
    if (known === before) shards.set(accountId, shard);
    return shard;
  }

  /** Takes note of what the worker says about a shard during a read, which may have several statements. */
  const noteOn = (shard: number): ((entered: Entrance) => void) => {
    let isCounted = false;
    return ({ isHere, isSettled }) => {
      if (!isHere) workerOf.delete(shard);
      if (!isCounted) counts[isHere && isSettled ? 'answered' : 'passed']++;
      isCounted = true;
    };
  };

  const readerOn = (worker: Worker, shard: number, accountId: number): Db => {
    const executor = worker.forReads.dbFor(accountId).getExecutor();
    const note = noteOn(shard);
    return handleWith(worker.forReads.database.db, {
      async provideConnection(consume) {
        let isConnected = false;
        try {
          return await executor.provideConnection((connection) => {
            isConnected = true;
            return consume(inShard(connection, shard, note));
          });
        } catch (error) {
          // To wait for a share of the connections says nothing about the shard.
          if (!isConnected && !(error instanceof AppError)) workerOf.delete(shard);
          throw error;
        }
      },
    });
  };

  async function workerFor(accountId: number): Promise<{ shard: number; worker: Worker } | undefined> {
    if (performance.now() > lookAgainAtMs) look().catch(() => {});
    const shard = await shardOf(accountId);
    const worker = workerOf.get(shard);
    if (!worker) counts.passed++;
    return worker && { shard, worker };
  }

  await look();
  const drawing = await openDatabase({ ...target, poolSize: 1 });
  const drawInTime: DrawIds = async (counts) => {
    const drawn = await withTimeout(drawIds(drawing.db, counts), { timeoutMs: drawTimeoutMs, fallback: undefined });
    if (!drawn) throw new Error('The coordinator draws no ids now.');
    return drawn;
  };
  return {
    kind: 'shards',
    place: 'the workers that have their rows',
    counts,
    async dbFor(accountId) {
      const found = await workerFor(accountId);
      return found && readerOn(found.worker, found.shard, accountId);
    },
    async hostFor(accountId) {
      const found = await workerFor(accountId);
      if (!found) return undefined;
      const { shard, worker } = found;
      return { db: worker.forWrites.dbFor(accountId), shard, drawIds: drawInTime, note: noteOn(shard) };
    },
    async close() {
      const opened = (await Promise.all(workers.values())).flatMap(({ forReads, forWrites }) => [forReads, forWrites]);
      await Promise.all([drawing, ...opened.map(({ database }) => database)].map((database) => database.close()));
    },
  };
}

interface Place {
  readonly shard: number;
  readonly address: string;
}

/** Where the shards of accounts are. Those of all other tables are beside them. */
async function placesOf(coordinator: Db, url: string): Promise<Place[]> {
  const { rows } = await sql<{ shard: number; host: string; port: number }>`
    select shardid as shard, nodename as host, nodeport as port
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where logicalrelid = 'accounts'::regclass and noderole = 'primary' and groupid > 0
    order by shardid`.execute(coordinator);
  return rows.map(({ shard, host, port }) => ({
    shard,
    address: Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
  }));
}

async function shardIn(coordinator: Db, accountId: number): Promise<number> {
  const { rows } = await sql<{ shard: number }>`
    select get_shard_id_for_distribution_column('accounts', ${accountId}::bigint) as shard`.execute(coordinator);
  return rows[0]!.shard;
}
