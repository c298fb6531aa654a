import { randomUUID } from 'node:crypto';
import pg from 'pg';

/*
 * Databases on the PostgreSQL of the tests. If it is a Citus coordinator, each database is made on its workers too, with the
 * extension, and the servers are joined.
 */

export const serverUrl = process.env['TEST_DATABASE_URL'];

/** The prefix of the names of this run's databases. */
export const databasePrefix = (): string => `punchcard_test_${process.env['TEST_RUN']}_`;

export const newDatabaseName = (): string => `${databasePrefix()}${randomUUID().slice(0, 8)}`;

export function databaseUrl(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Runs statements on a connection of their own. */
export async function onServer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a database and returns its address. A template is used on plain PostgreSQL only. */
export async function createDatabase(name: string, template?: string): Promise<string> {
  const url = serverUrl!;
  const workers = await workersOf(url);
  if (workers.length === 0) {
    await onServer(url, `create database ${name}${template ? ` template ${template}` : ''}`);
    return databaseUrl(url, name);
  }
  for (const server of [url, ...workers]) {
    await onServer(server, 'set citus.enable_create_database_propagation = off', `create database ${name}`);
    await onServer(databaseUrl(server, name), 'create extension citus');
  }
  await onServer(
    databaseUrl(url, name),
    `select citus_set_coordinator_host('${new URL(url).hostname}', ${new URL(url).port || 5432})`,
    ...workers.map((worker) => `select citus_add_node('${new URL(worker).hostname}', ${new URL(worker).port})`),
  );
  return databaseUrl(url, name);
}

export async function dropDatabase(name: string): Promise<void> {
  const workers = await workersOf(serverUrl!);
  const alone = workers.length > 0 ? ['set citus.enable_create_database_propagation = off'] : [];
  for (const server of [serverUrl!, ...workers])
    await onServer(server, ...alone, `drop database if exists ${name} with (force)`);
}

let workers: Promise<string[]> | undefined;

/** The addresses of the workers, if the server is a Citus coordinator. */
export const workersOf = (url: string): Promise<string[]> => (workers ??= findWorkers(url));

async function findWorkers(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
    if (rowCount === 0) return [];
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by nodeid',
    );
    return rows.map(({ host, port }) => {
      const address = new URL(url);
      [address.hostname, address.port] = [host, String(port)];
      return address.href;
    });
  } finally {
    await client.end();
  }
}
