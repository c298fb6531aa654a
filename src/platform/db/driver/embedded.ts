import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { builtFile, isBuilt } from '../../core/own_files.ts';
import { clientClass, renewConnections } from './clients.ts';
import { openEmbedded, type Embedded } from './embedded_crash.ts';
import { lockFolder } from './folder_lock.ts';
import { copyTemplate } from './template.ts';
import { typeParsers } from './types.ts';

/** The PostgreSQL major that this version of the embedded database reads and writes. */
const embeddedMajor = '18';

/** Opens the embedded database in a folder, durably, or refuses when another process has it open. */
export async function openEmbeddedFolder(folder: string): Promise<{ pglite: Embedded; unlock: () => void }> {
  fs.mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  try {
    const versionFile = path.join(folder, 'PG_VERSION');
    if (isBuilt && !fs.existsSync(versionFile)) await copyTemplate(builtFile('template'), folder);
    const major = fs.existsSync(versionFile) ? fs.readFileSync(versionFile, 'utf8').trim() : embeddedMajor;
    if (major !== embeddedMajor) {
      throw new Error(
        `The data folder ${folder} was written by PostgreSQL ${major}, and this version reads ${embeddedMajor}. Start the release that wrote it, dump the data, and load it here.`,
      );
    }
    return { pglite: await openEmbedded({ fs: new DurableFolder(folder), startParams: durableParameters }), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens an embedded database in memory, for tests and for reading the schema. */
export const openEmbeddedMemory = (template?: Blob): Promise<Embedded> =>
  openEmbedded({
    ...(template ? { loadDataDir: template } : {}),
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  });

const settings = [
  'wal_sync_method=fsync',
  'shared_buffers=32MB',
  'max_wal_size=64MB',
  'min_wal_size=32MB',
  // Otherwise each checkpoint writes a new file for them, and PostgreSQL crashes where the disk has no space for it.
  'max_active_replication_origins=0',
  // Planning for the values of each call takes longer than most statements. The first start is a quarter faster without it.
  'plan_cache_mode=force_generic_plan',
];

const durableParameters = [
  // -F would turn fsync off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...settings.flatMap((setting) => ['-c', setting]),
];

/** PGlite's folder has a stub in place of fsync; an acknowledged commit must outlive a power cut. */
class DurableFolder extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const result = await super.init(pglite, options);
    type Stream = { nfd?: number; node: unknown };
    interface Module {
      NODEFS: {
        stream_ops: { fsync?: (stream: Stream) => number };
        realPath(node: unknown): string;
        /** Turns an error of Node into one that PostgreSQL understands; any other would pass through it and leave it broken. */
        tryFSOperation(work: () => void): void;
      };
    }
    const hooks = result.emscriptenOpts.preRun as ((module: Module) => void)[];
    hooks.push(({ NODEFS }) => {
      NODEFS.stream_ops.fsync = (stream) => {
        const { nfd } = stream;
        if (nfd !== undefined) NODEFS.tryFSOperation(() => fs.fsyncSync(nfd));
        else syncPath(NODEFS.realPath(stream.node));
        return 0;
      };
    });
    return result;
  }
}

function syncPath(file: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    fs.fsyncSync(descriptor);
  } catch {
    // Directories cannot be synced on every platform; their files were.
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** A real `pg.Pool` over the one session that PGlite has. */
export function embeddedPool(pglite: PGlite): pg.Pool {
  class Client extends clientClass({ hasNames: true }) {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, ...yieldingConfig(pglite), types: typeParsers });
    }
  }
  const options = {
    Client,
    max: 1,
    idleTimeoutMillis: 0,
    // Using the pool inside a transaction would wait for itself for ever; this turns that into an error.
    connectionTimeoutMillis: 15_000,
    onConnect: async (client: pg.ClientBase) => {
      await client.query('rollback');
      // The names of the client before. The session goes on: it listens for the queue.
      await client.query('deallocate all');
    },
  };
  const pool = new pg.Pool(options as pg.PoolConfig);
  // After a crash every query reports it; unheard, these would end the process before it has told its callers.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  renewConnections(pool);
  return pool;
}

/** PGlite resolves everything in micro-tasks; without a pause, queries in a row would starve timers and sockets. */
function yieldingConfig(pglite: PGlite): object {
  const config = createPgConfig(pglite);
  const connection = config.connection as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const method of ['sync', 'query']) {
    const original = connection[method]!.bind(connection);
    connection[method] = (...values) => void setImmediate(original, ...values);
  }
  // A connection that has ended hears no errors any more, and what it had still to send fails after a crash.
  const emit = connection['emit']!.bind(connection);
  connection['emit'] = (event, ...values) =>
    event === 'error' && config.connection.listenerCount('error') === 0 ? false : emit(event, ...values);
  return config;
}
