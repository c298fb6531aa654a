import fs from 'node:fs';
import path from 'node:path';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { attentive } from './clients.ts';
import { lockFolder } from './folder_lock.ts';
import { typeParsers } from './types.ts';

/** The PostgreSQL major that this version of the embedded database reads and writes. */
const embeddedMajor = '18';

/** Opens the embedded database in a folder, durably, or refuses when another process has it open. */
export async function openEmbeddedFolder(folder: string): Promise<{ pglite: PGlite; unlock: () => void }> {
  fs.mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  try {
    const versionFile = path.join(folder, 'PG_VERSION');
    const major = fs.existsSync(versionFile) ? fs.readFileSync(versionFile, 'utf8').trim() : embeddedMajor;
    if (major !== embeddedMajor) {
      throw new Error(
        `The data folder ${folder} was written by PostgreSQL ${major}, and this version reads ${embeddedMajor}. Start the release that wrote it, dump the data, and load it here.`,
      );
    }
    return { pglite: await opened({ fs: new DurableFolder(folder), startParams: durableParameters }), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens an embedded database in memory, for tests and for reading the schema. */
export const openEmbeddedMemory = (template?: Blob): Promise<PGlite> =>
  opened({
    ...(template ? { loadDataDir: template } : {}),
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  });

async function opened(options: PGliteOptions): Promise<PGlite> {
  const pglite = new Embedded(options);
  await pglite.waitReady;
  return pglite;
}

/** PGlite looks up all types for queries through itself, which takes a third of the time of opening. Ours go through `pg`. */
class Embedded extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

const durableParameters = [
  // -F would turn fsync off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['wal_sync_method=fsync', 'shared_buffers=32MB', 'max_wal_size=64MB', 'min_wal_size=32MB'].flatMap((setting) => [
    '-c',
    setting,
  ]),
];

/** PGlite's folder has a stub in place of fsync; an acknowledged commit must outlive a power cut. */
class DurableFolder extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const result = await super.init(pglite, options);
    type Stream = { nfd?: number; node: unknown };
    type Module = { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: unknown): string } };
    const hooks = result.emscriptenOpts.preRun as ((module: Module) => void)[];
    hooks.push(({ NODEFS }) => {
      NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fs.fsyncSync(stream.nfd);
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
  class Client extends attentive(pg.Client) {
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
      await client.query('discard all');
    },
  };
  return new pg.Pool(options as pg.PoolConfig);
}

/** PGlite resolves everything in micro-tasks; without a pause, queries in a row would starve timers and sockets. */
function yieldingConfig(pglite: PGlite): object {
  const config = createPgConfig(pglite);
  const connection = config.connection as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const method of ['sync', 'query']) {
    const original = connection[method]!.bind(connection);
    connection[method] = (...values) => void setImmediate(original, ...values);
  }
  return config;
}
