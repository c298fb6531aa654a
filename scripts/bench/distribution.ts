import { openDatabase } from '../../src/platform/db/connection.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { distributeDatabase, dropFrom, workersOf } from '../databases.ts';
import { eightTenants } from './data_set.ts';
import { copyOfDataSet, openCoordinator, someShownIds } from './database.ts';
import type { LoadGenerator } from './loading.ts';
import type { Pace } from './options.ts';
import { readRows, writeRows } from './requests.ts';
import { measure, type Figures } from './rounds.ts';
import { startOurs, type Server } from './servers.ts';

/*
 * Compares eight companies that are distributed over the workers of a Citus coordinator with the same companies on the
 * coordinator alone. Each company has a connection of its own.
 */

const measured = ['show', 'list_large', 'punch', 'create'];

export async function measureDistribution(
  generator: LoadGenerator,
  pace: Pace,
  say: (text: string) => void,
): Promise<Figures> {
  const { url: coordinator, stop } = await openCoordinator();
  const ends = [stop];
  try {
    const workers = await workersOf(coordinator);
    if (workers.length < 3) throw new Error(`DATABASE_URL has ${workers.length} workers of Citus, not three.`);
    const plain = await copyOfDataSet(coordinator, eightTenants, 'plain', say);
    ends.push(plain.remove);
    const { url } = await copyOfDataSet(coordinator, eightTenants, 'distributed', say);
    const name = new URL(url).pathname.slice(1);
    ends.push(() => dropFrom([coordinator, ...workers], name));
    await dropFrom(workers, name);
    await distributeDatabase(coordinator, workers, name);
    await distributeRows(url, say);
    const started = async (address: string): Promise<Server> => {
      const server = await startOurs({ DATABASE_URL: address });
      ends.push(() => server.stop());
      return server;
    };
    const servers = { plain: [await started(plain.url)], Citus: [await started(url)] };
    const rows = [...readRows(eightTenants, await someShownIds(plain.url)), ...writeRows(eightTenants)];
    const chosen = rows.filter((row) => measured.includes(row.name));
    return await measure(generator, servers, chosen, { ...pace, connections: eightTenants.tenants.length }, say);
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
