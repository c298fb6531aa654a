import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase, type Database } from '../../../src/platform/db/connection.ts';
import { migrate } from '../../../src/platform/db/migrate.ts';
import { openJobs } from '../../../src/platform/jobs/queue.ts';
import { jobHandlers } from '../../../src/programs/job_handlers.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { clearRecords } from '../contract/coverage.ts';
import { databaseUrl, workersOf } from '../../../scripts/databases.ts';
import { databasePrefix, dropDatabase } from './server_databases.ts';

/**
 * Creates the migrated database that every worker starts from: a file for the embedded database, a template database on
 * PostgreSQL. It is kept between runs and rebuilt when a migration or a dependency changes.
 */
export default async function setup(): Promise<(() => Promise<void>) | void> {
  const url = process.env['TEST_DATABASE_URL'];
  process.env['TEST_RUN'] = String(process.pid);
  clearRecords();
  const key = hashOf([
    'package-lock.json',
    ...readdirSync('src/platform/db/migrations', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/platform/db/migrations/${name}`),
    'src/programs/job_handlers.ts',
  ]);
  if (url) {
    // A copy of a distributed database would have the coordinator's rows only.
    if ((await workersOf(url)).length > 0) process.env['TEST_IS_DISTRIBUTED'] = 'yes';
    else await makeServerTemplate(url, `punchcard_template_${key}`);
    return () => dropDatabases(url, databasePrefix());
  }
  const folder = path.join(os.tmpdir(), 'punchcard-tests');
  const file = path.join(folder, `template-${key}.tar`);
  if (!existsSync(file)) await makeFile(folder, file);
  process.env['TEST_TEMPLATE'] = file;
}

const hashOf = (files: readonly string[]): string => {
  const hash = createHash('sha256').update(process.version);
  // The names of migrations are in the database too.
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

/** Migrates an empty database and sets up its queue. */
export async function prepare(database: Database, directUrl: string | undefined): Promise<void> {
  await migrate(database.db);
  const handlers = jobHandlers(database.db, { send: async () => {}, place: '', close: () => {} }, readConfig({}));
  const jobs = await openJobs(database, { directUrl, handlers, log: pino({ level: 'silent' }) });
  await jobs.stop();
}

async function makeFile(folder: string, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const database = await openDatabase({ memory: true });
  await prepare(database, undefined);
  await database.pool.query('checkpoint');
  const blob = await database.pglite!.dumpDataDir('none');
  writeFileSync(`${file}.${process.pid}`, Buffer.from(await blob.arrayBuffer()));
  renameSync(`${file}.${process.pid}`, file);
  await database.close();
}

async function makeServerTemplate(url: string, name: string): Promise<void> {
  process.env['TEST_TEMPLATE'] = name;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) {
    await admin.query(`create database ${name}_draft`);
    const draft = databaseUrl(url, `${name}_draft`);
    const database = await openDatabase({ url: draft, poolSize: 2 });
    await prepare(database, draft);
    await database.close();
    await admin.query(`alter database ${name}_draft rename to ${name}`);
  }
  await admin.end();
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  await admin.end();
  for (const { datname } of rows) await dropDatabase(datname);
}
