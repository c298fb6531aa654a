import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { attentive } from './driver/clients.ts';
import { embeddedPool, openEmbeddedFolder, openEmbeddedMemory } from './driver/embedded.ts';
import type { Embedded } from './driver/embedded_crash.ts';
import { typeParsers } from './driver/types.ts';

/** The handle that every verb works on: the pool for reads, the request's own transaction for writes. */
export type Db = Kysely<DB>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Where the data is, in words for the log. */
  readonly place: string;
  /** Set where the database is embedded. */
  readonly pglite?: Embedded;
  close(): Promise<void>;
}

/** `isPooled`: a pooler such as PgBouncer lies between, which hands a connection to another client after each transaction. */
export type Target =
  { url: string; poolSize: number; isPooled?: boolean } | { folder: string } | { memory: true; template?: Blob };

export const targetOf = (config: {
  databaseUrl: string | undefined;
  poolSize: number;
  preparedStatements: boolean;
  dataDir: string;
}): Target =>
  config.databaseUrl
    ? { url: config.databaseUrl, poolSize: config.poolSize, isPooled: !config.preparedStatements }
    : { folder: path.join(config.dataDir, 'db') };

export async function openDatabase(target: Target): Promise<Database> {
  if ('url' in target) return openServer(target);
  if ('memory' in target)
    return overPglite(await openEmbeddedMemory(target.template), 'an embedded database in memory', () => {});
  const { pglite, unlock } = await openEmbeddedFolder(target.folder);
  const database = overPglite(pglite, `the embedded database in ${target.folder}`, unlock);
  return { ...database, close: withChores(database) };
}

function openServer({ url, poolSize, isPooled = false }: Extract<Target, { url: string }>): Database {
  const Client = attentive(pg.Client, !isPooled);
  const options = {
    Client,
    connectionString: url,
    max: poolSize,
    types: typeParsers,
    connectionTimeoutMillis: 5_000,
    pipeline: !isPooled,
  };
  const pool = new pg.Pool(options as pg.PoolConfig);
  // A connection that breaks while idle is replaced at the next request, which reports what matters.
  pool.on('error', () => {});
  // One that breaks between two statements of a transaction fails the next of them; unheard, it would end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  if (!isPooled) pool.on('connect', keepPlans);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, place: `PostgreSQL at ${new URL(url).host}`, close: () => db.destroy() };
}

/**
 * A statement that has a name is planned once, for whatever values. PostgreSQL would rather plan it for the values of each call
 * where that looks cheaper, which it does for every page of a list; and to plan a page takes as long as to read it.
 */
const keepPlans = (client: pg.PoolClient): void =>
  void client.query('set plan_cache_mode = force_generic_plan').catch(() => {});

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

/** The embedded database has neither checkpointer nor autovacuum of its own. */
function withChores({ pool, close }: Database): () => Promise<void> {
  const chore = (statement: string, seconds: number) =>
    setInterval(() => void pool.query(statement).catch(() => {}), seconds * 1000).unref();
  const chores = [chore('checkpoint', 60), chore('vacuum (analyze)', 3600)];
  return async () => {
    chores.forEach(clearInterval);
    await close();
  };
}
