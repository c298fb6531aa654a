import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fastSettings, findBinaries, startCluster, type Cluster } from './cluster.ts';
import { joinWorker, makeCoordinator } from './databases.ts';

/** A Citus coordinator with its workers, each a server of its own. */
export interface Citus {
  /** The address of the coordinator. */
  readonly url: string;
  readonly workers: readonly Cluster[];
  /** Starts one more worker and joins it. */
  addWorker(): Promise<Cluster>;
  stop(): Promise<void>;
}

const citusSettings = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=300',
  // Each database has a background worker of Citus.
  'max_worker_processes=32',
];

/** The database that every new server has. */
const database = 'postgres';

/** Few shards, so that migrations are quick. */
const quickSettings = [...fastSettings, 'citus.shard_count=4'];

/** Starts a Citus coordinator with three workers, in temporary folders. */
export async function startCitus(given: readonly string[] = quickSettings): Promise<Citus> {
  requireCitus();
  const settings = [...given, ...citusSettings];
  const servers: Cluster[] = [];
  const start = async (): Promise<Cluster> => {
    const server = await startCluster({ settings });
    servers.push(server);
    return server;
  };
  const stop = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.stop())));
  try {
    const { url } = await start();
    await makeCoordinator(url, database);
    const workers: Cluster[] = [];
    const addWorker = async (): Promise<Cluster> => {
      const worker = await start();
      await joinWorker(url, worker.url, database);
      workers.push(worker);
      return worker;
    };
    while (workers.length < 3) await addWorker();
    return { url, workers, addWorker, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A server that lacks the library of the extension would end without a word. */
function requireCitus(): void {
  const binaries = findBinaries();
  const folder = execFileSync(path.join(binaries, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim();
  if (existsSync(path.join(folder, 'extension/citus.control'))) return;
  console.error(`Citus is not installed into the PostgreSQL in ${binaries}. Install it, or set DATABASE_URL.`);
  process.exit(1);
}
