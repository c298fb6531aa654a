import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../../generated/db.ts';
import { clientClass, renewConnections } from './driver/clients.ts';
import { embeddedPool, openEmbeddedFolder, openEmbeddedMemory } from './driver/embedded.ts';
import type { Embedded } from './driver/embedded_crash.ts';
import { limitTransactions, timeoutSetting } from './driver/statement_timeout.ts';
import { typeParsers } from './driver/types.ts';

/** The handle that every verb works on: the pool for reads, the transaction of the request for writes. */
export type Db = Kysely<DB>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Where the data is, as the log says it. */
  readonly place: string;
  /** Set where the database is embedded. */
  readonly pglite?: Embedded;
  close(): Promise<void>;
}

interface ServerTarget {
  readonly url: string;
  readonly poolSize: number;
  /** Whether a pooler such as PgBouncer is in between, and gives the connection to another client after each transaction. */
  readonly isPooled?: boolean;
  /** How long a statement may take. Without it, or with 0, as long as the server allows. */
  readonly statementTimeoutMs?: number;
}

export type Target = ServerTarget | { folder: string } | { memory: true; template?: Blob };

export const databaseTargetOf = (config: {
  databaseUrl: string | undefined;
  poolSize: number;
  preparedStatements: boolean;
  dataDir: string;
}): Exclude<Target, { memory: true }> =>
  config.databaseUrl
    ? { url: config.databaseUrl, poolSize: config.poolSize, isPooled: !config.preparedStatements }
    : { folder: path.join(config.dataDir, 'db') };

export async function openDatabase(target: Target): Promise<Database> {
  if ('url' in target) return openServer(target);
  if ('memory' in target)
    return overPglite(await openEmbeddedMemory(target.template), 'an embedded database in memory', () => {});
  const { pglite, unlock } = await openEmbeddedFolder(target.folder);
  const database = overPglite(pglite, `the embedded database in ${target.folder}`, unlock);
  return { ...database, close: withMaintenance(database) };
}

function openServer(target: ServerTarget): Database {
  const { url, poolSize, isPooled = false, statementTimeoutMs = 0 } = target;
  const options = {
    Client: clientClass({ hasNames: !isPooled }),
    connectionString: url,
    max: poolSize,
    types: typeParsers,
    connectionTimeoutMillis: 5_000,
    pipeline: !isPooled,
  };
  const pool = new pg.Pool(options as pg.PoolConfig);
  // The pool replaces a connection that breaks while idle. Without a listener, the event would end the process.
  pool.on('error', () => {});
  // Where a connection breaks during a transaction, its next statement fails and reports the error.
  pool.on('connect', (client) => void client.on('error', () => {}));
  renewConnections(pool);
  const db: Db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  if (isPooled) limitTransactions(db, statementTimeoutMs);
  else pool.on('connect', (client) => prepareConnection(client, target));
  return { db, pool, place: `PostgreSQL at ${new URL(url).host}`, close: () => db.destroy() };
}

/**
 * PostgreSQL plans a named statement once, for any values. Without this setting it would plan every page of a list for the
 * values of the call, because that looks cheaper to it; planning a page takes as long as reading it. Citus must plan for the
 * values, because the account decides which worker a statement is for.
 */
const keepPlans = `select set_config('plan_cache_mode', 'force_generic_plan', false)
  where not exists (select from pg_extension where extname = 'citus')`;

/**
 * A statement takes one processor, and no time to compile itself. Compiling takes longer than nearly every statement of ours,
 * and with parallel workers one slow list would take the processors from everybody else.
 */
const staySmall = ['set jit = off', 'set max_parallel_workers_per_gather = 0'];

/** Settings of the connection, which go out before its first statement. */
function prepareConnection(client: pg.PoolClient, { statementTimeoutMs = 0 }: ServerTarget): void {
  const limits = statementTimeoutMs > 0 ? [timeoutSetting(statementTimeoutMs)] : [];
  const settings = [keepPlans, ...staySmall, ...limits];
  client.query(settings.join('; ')).catch(() => {});
}

function overPglite(pglite: Embedded, place: string, afterwards: () => void): Database {
  const pool = embeddedPool(pglite);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => {
    await db.destroy();
    await pglite.close();
    afterwards();
  };
  return { db, pool, place, pglite, close };
}

/** The embedded database has neither a checkpointer nor autovacuum. */
function withMaintenance({ pool, close }: Database): () => Promise<void> {
  const every = (seconds: number, statement: string) =>
    setInterval(() => void pool.query(statement).catch(() => {}), seconds * 1000).unref();
  const timers = [every(60, 'checkpoint'), every(3600, 'vacuum (analyze)')];
  return async () => {
    timers.forEach(clearInterval);
    await close();
  };
}
