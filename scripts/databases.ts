/* Databases on a server, or on a Citus coordinator and its workers, for tests and benchmarks. */
import pg from 'pg';

export function databaseUrl(server: string, name: string): string {
  const address = new URL(server);
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

/** The addresses of the workers, if the server is a Citus coordinator. */
export async function workersOf(server: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
    if (rowCount === 0) return [];
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by nodeid',
    );
    return rows.map(({ host, port }) => Object.assign(new URL(server), { hostname: host, port: String(port) }).href);
  } finally {
    await client.end();
  }
}

/** Each database is made on each server by itself. */
const alone = 'set citus.enable_create_database_propagation = off';

/** Makes a database of the coordinator on its workers too, with the extension, and joins them. */
export async function distributeDatabase(coordinator: string, workers: readonly string[], name: string): Promise<void> {
  for (const worker of workers) await onServer(worker, alone, `create database ${name}`);
  await makeCoordinator(coordinator, name);
  for (const worker of workers) await joinWorker(coordinator, worker, name);
}

/** Makes the extension in a database of a server, which other servers can then join. */
export const makeCoordinator = (server: string, name: string): Promise<void> =>
  addNode(server, name, server, 'citus_set_coordinator_host');

/** Makes the extension in the database of the same name on another server, and joins it as a worker. */
export const joinWorker = (coordinator: string, worker: string, name: string): Promise<void> =>
  addNode(coordinator, name, worker, 'citus_add_node');

async function addNode(coordinator: string, name: string, node: string, adding: string): Promise<void> {
  await onServer(databaseUrl(node, name), 'create extension citus');
  await oneAfterTheOther(coordinator, () =>
    onServer(databaseUrl(coordinator, name), `select ${adding}(${placeOf(node)})`),
  );
}

/** Where a server is, as values of a call of Citus. */
export function placeOf(server: string): string {
  const { hostname, port } = new URL(server);
  return `'${hostname}', ${port || 5432}`;
}

/** Citus copies roles when servers are joined, and fails if it does so twice at once. So processes wait for each other. */
async function oneAfterTheOther(server: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('punchcard.citus'))`);
    await work();
  } finally {
    await client.end();
  }
}

/** Drops a database from each of several servers. */
export async function dropFrom(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers)
    await onServer(server, ...(servers.length > 1 ? [alone] : []), `drop database if exists ${name} with (force)`);
}
