import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase, type Database } from '../../src/platform/db/connection.ts';
import { cursorOf } from '../../src/platform/db/list/cursors.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { cacheMonthsOf } from '../../src/days/balance/month_cache_job.ts';
import { startCitus } from '../citus.ts';
import { databaseUrl, onServer } from '../databases.ts';
import { startCluster } from '../cluster.ts';
import { fillingStatements, type DataSet, type Filling, type Tenant } from './data_set.ts';
import type { Cursors, ShownIds } from './requests.ts';

/*
 * The data set is loaded into a database once, and every run works on a copy of it, so that all runs start from the same rows.
 */

/** Settings of a production server: durable, with enough memory for the data set, without JIT for short queries. */
const serverSettings = ['shared_buffers=1GB', 'max_wal_size=4GB', 'jit=off'];

interface BenchServer {
  readonly url: string;
  stop(): Promise<void>;
}

const given = (url: string): BenchServer => ({ url, stop: async () => {} });

/** The server in DATABASE_URL, or a temporary one. */
export async function openServer(folder: string | undefined): Promise<BenchServer> {
  const url = process.env['DATABASE_URL'];
  if (url) return given(url);
  return startCluster({ ...(folder ? { folder: path.resolve(folder) } : {}), settings: serverSettings });
}

/** The coordinator in DATABASE_URL, or a temporary one with three workers. */
export async function openCoordinator(): Promise<BenchServer> {
  const url = process.env['DATABASE_URL'];
  return url ? given(url) : startCitus([...serverSettings, 'shared_buffers=256MB']);
}

/** A copy of the data set, for one run to read and write. */
export async function copyOfDataSet(
  server: string,
  dataSet: DataSet,
  purpose: string,
  say: (text: string) => void,
): Promise<{ url: string; remove: () => Promise<void> }> {
  const original = `punchcard_bench_${dataSet.name}`;
  const copy = `${original}_${purpose}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const fingerprint = fingerprintOf(dataSet);
    const { rows } = await client.query<{ comment: string | null }>(
      `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1`,
      [original],
    );
    if (rows[0]?.comment !== fingerprint) {
      await client.query(`drop database if exists ${original} with (force)`);
      await client.query(`create database ${original}`);
      await fillServer(databaseUrl(server, original), dataSet, say);
      await client.query(`comment on database ${original} is '${fingerprint}'`);
    }
    say('Copying the data set.');
    await client.query(`drop database if exists ${copy} with (force)`);
    await client.query(`create database ${copy} template ${original} strategy file_copy`);
  } finally {
    await client.end();
  }
  const remove = (): Promise<void> => onServer(server, `drop database if exists ${copy} with (force)`);
  return { url: databaseUrl(server, copy), remove };
}

/** Changes with the schema and with the data set, which are then loaded again. */
function fingerprintOf(dataSet: DataSet): string {
  const root = path.resolve(import.meta.dirname, '../..');
  const hash = createHash('sha256').update(JSON.stringify(dataSet));
  const migrations = readdirSync(path.join(root, 'src/platform/db/migrations'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const files = ['scripts/bench/data_set.ts', ...migrations.map((name) => `src/platform/db/migrations/${name}`)];
  for (const file of files) hash.update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

async function fillServer(url: string, dataSet: DataSet, say: (text: string) => void): Promise<void> {
  const database = await openDatabase({ url, poolSize: 1 });
  try {
    await fill(database, fillingStatements(dataSet), say);
  } finally {
    await database.close();
  }
}

/** Migrates an empty database and fills it. */
export async function fill(
  { db, pool }: Database,
  statements: readonly Filling[],
  say: (text: string) => void,
): Promise<void> {
  await migrate(db);
  for (const { about, text } of statements) {
    const begin = Date.now();
    await pool.query(text);
    say(`Loaded ${about}, ${((Date.now() - begin) / 1000).toFixed(1)} s.`);
  }
  await sql`vacuum (analyze)`.execute(db);
}

/** Ids of time trackings as v3 shows them, up to 500 from all over each workspace. */
export async function someShownIds(url: string): Promise<ShownIds> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ workspace_id: number; ids: string[] }>(`
    select workspace_id::integer, (array_agg(coalesce(uuid::text, id::text) order by id))[:500] as ids from time_trackings
    where ends_at is not null and id % 97 = 0 group by workspace_id`);
  await client.end();
  return Object.fromEntries(rows.map(({ workspace_id, ids }) => [workspace_id, ids]));
}

/** The cursor of a page of each workspace. The smaller ones have none. */
export async function deepCursors(url: string, page = 1_000): Promise<Cursors> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ workspace_id: number; place: string }>(
    `
    select workspace_id::integer,
      json_build_array('time_trackings.id', to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), id::text)::text as place
    from (
      select workspace_id, starts_at, id, row_number() over (partition by account_id, workspace_id order by starts_at, id) as position
      from time_trackings) tracking
    where position = $1`,
    [(page - 1) * 20],
  );
  await client.end();
  return Object.fromEntries(rows.map(({ workspace_id, place }) => [workspace_id, cursorOf(place)]));
}

/** Caches the months of the users whose time accounts are measured, as the job does. */
export async function cacheMonths(url: string, { accountId, workspaces }: Tenant): Promise<void> {
  const { db, close } = await openDatabase({ url, poolSize: 1 });
  for (const { firstUser, users } of workspaces.slice(0, 2))
    for (let first = 0; first < users; first += 50) {
      const ids = Array.from({ length: Math.min(50, users - first) }, (_, index) => firstUser + first + index);
      await cacheMonthsOf(db, accountId, ids, '2026-07-01');
    }
  await close();
}
