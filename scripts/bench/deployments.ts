import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/db/connection.ts';
import { databaseUrl as databaseUrlOf } from '../databases.ts';
import { startCluster } from '../cluster.ts';
import { startOursAndWait } from './contenders.ts';
import { quickDataSet } from './data_set.ts';
import { copyOfDataSet, fill, someShownIds } from './database.ts';
import type { LoadGenerator } from './loading.ts';
import type { Options } from './options.ts';
import { startPgBouncer } from './pgbouncer.ts';
import type { Server } from './processes.ts';
import { measureReads, type Figures } from './rounds.ts';
import { readRows, type ReadRow } from './rows.ts';

/* Compares Punchcard with itself in other deployments. */

type Say = (text: string) => void;

const representative = ['show', 'list_small', 'list_large', 'list_user_large'];
const chosen = (rows: readonly ReadRow[]): ReadRow[] => rows.filter(({ name }) => representative.includes(name));

async function closing<T>(stops: (() => Promise<void>)[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Starts a process, to be stopped with the others. */
async function started(stops: (() => Promise<void>)[], environment: Record<string, string>): Promise<Server> {
  const server = await startOursAndWait(environment);
  stops.push(() => server.stop());
  return server;
}

/** Compares PgBouncer in transaction mode, and two processes on one database, with one process that is connected directly. */
export function measureAround(
  generator: LoadGenerator,
  databaseUrl: string,
  rows: readonly ReadRow[],
  options: Options,
  say: Say,
): Promise<Figures> {
  const stops: (() => Promise<void>)[] = [];
  return closing(stops, async () => {
    const bouncer = await startPgBouncer(databaseUrl);
    if (bouncer) stops.push(() => bouncer.stop());
    else say('PgBouncer is not installed (on Debian: apt-get install pgbouncer) and is left out.');
    const one = await started(stops, { DATABASE_URL: databaseUrl });
    const two = await started(stops, { DATABASE_URL: databaseUrl });
    const behind =
      bouncer &&
      (await started(stops, {
        DATABASE_URL: bouncer.url,
        DATABASE_DIRECT_URL: databaseUrl,
        PREPARED_STATEMENTS: 'off',
      }));
    const servers = { direct: [one], ...(behind ? { PgBouncer: [behind] } : {}), 'two processes': [one, two] };
    return measureReads(generator, servers, chosen(rows), options, say);
  });
}

/** Compares a process that has a standby for its reads with one that has none. The standby is on this machine too. */
export function measureStandby(
  generator: LoadGenerator,
  databaseUrl: string,
  rows: readonly ReadRow[],
  options: Options,
  say: Say,
): Promise<Figures> {
  const stops: (() => Promise<void>)[] = [];
  return closing(stops, async () => {
    const standby = await startCluster({ standbyOf: databaseUrl });
    stops.push(() => standby.stop());
    const alone = await started(stops, { DATABASE_URL: databaseUrl });
    const readUrl = databaseUrlOf(standby.url, new URL(databaseUrl).pathname.slice(1));
    const withStandby = await started(stops, { DATABASE_URL: databaseUrl, DATABASE_READ_URL: readUrl });
    return measureReads(generator, { alone: [alone], standby: [withStandby] }, chosen(rows), options, say);
  });
}

/** A folder with an embedded database that holds the small data set. */
export async function embeddedFolder(say: Say): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-embedded-'));
  say('Filling an embedded database.');
  const database = await openDatabase({ folder: path.join(folder, 'db') });
  await fill(database, quickDataSet, say);
  await database.close();
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The embedded database next to PostgreSQL, both with the small data set. */
export function measureEmbedded(
  generator: LoadGenerator,
  server: string,
  folder: string,
  options: Options,
  say: Say,
): Promise<Figures> {
  const stops: (() => Promise<void>)[] = [];
  return closing(stops, async () => {
    const copy = await copyOfDataSet(server, quickDataSet, 'embedded', say);
    stops.push(copy.remove);
    const onServer = await started(stops, { DATABASE_URL: copy.url });
    const embedded = await started(stops, { DATA_DIR: folder });
    const rows = chosen(readRows(quickDataSet, await someShownIds(copy.url)));
    return measureReads(generator, { PostgreSQL: [onServer], embedded: [embedded] }, rows, options, say);
  });
}
