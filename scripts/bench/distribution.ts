import { openDatabase } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { distributeDatabase, dropFrom, workersOf } from '../databases.ts';
import { startOursAndWait } from './contenders.ts';
import { adminId, quickDataSet, tokenOf } from './data_set.ts';
import { copyOfDataSet, someShownIds } from './database.ts';
import type { LoadGenerator } from './loading.ts';
import type { Options } from './options.ts';
import type { Server } from './processes.ts';
import { measureReads, measureWrites, type Figures } from './rounds.ts';
import { readRows, writeRows, type ReadRow } from './rows.ts';

/* Compares a database that is distributed over the workers of a Citus coordinator with one on the coordinator alone. */

const measuredReads = ['show', 'list_small', 'list_large', 'list_user_large', 'absences'];

const users: ReadRow = {
  name: 'users',
  about: 'list 20 users',
  requests: [
    { method: 'GET', path: '/api/v3/workspaces/1/users', headers: { authorization: `Bearer ${tokenOf(adminId)}` } },
  ],
};

/** Undefined where the server is no coordinator. */
export async function measureDistribution(
  generator: LoadGenerator,
  serverUrl: string,
  options: Options,
  say: (text: string) => void,
): Promise<{ figures: Figures; about: Record<string, string> } | undefined> {
  const workers = await workersOf(serverUrl);
  if (workers.length === 0) {
    say('DATABASE_URL is no Citus coordinator. Its comparison is left out.');
    return undefined;
  }
  const ends: (() => Promise<void>)[] = [];
  try {
    const plain = await copyOfDataSet(serverUrl, quickDataSet, 'plain', say);
    ends.push(plain.remove);
    const { url } = await copyOfDataSet(serverUrl, quickDataSet, 'distributed', say);
    const name = new URL(url).pathname.slice(1);
    ends.push(() => dropFrom([serverUrl, ...workers], name));
    await dropFrom(workers, name);
    await distributeDatabase(serverUrl, workers, name);
    await distributeRows(url, say);
    const servers: Record<string, Server[]> = {};
    for (const [who, address] of [
      ['plain', plain.url],
      ['Citus', url],
    ] as const) {
      const server = await startOursAndWait({ DATABASE_URL: address, KEEP_MONTHS: 'off' });
      ends.push(() => server.stop());
      servers[who] = [server];
    }
    const reads = readRows(quickDataSet, await someShownIds(plain.url)).filter(({ name }) => measuredReads.includes(name)); // prettier-ignore
    const writes = writeRows(quickDataSet);
    const figures = {
      ...(await measureReads(generator, servers, [...reads, users], options, say)),
      ...(await measureWrites(generator, servers, writes, options, say)),
    };
    return { figures, about: Object.fromEntries([...reads, users, ...writes].map((row) => [row.name, row.about])) };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Distributes a filled database, as an operator does. */
async function distributeRows(url: string, say: (text: string) => void): Promise<void> {
  const database = await openDatabase({ url, poolSize: 1 });
  try {
    const begin = Date.now();
    await migrate(database.db);
    say(`Distributed the rows, ${((Date.now() - begin) / 1000).toFixed(1)} s.`);
  } finally {
    await database.close();
  }
}
