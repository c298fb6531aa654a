import { readFileSync } from 'node:fs';
import { openDatabase, type Database } from '../../../src/platform/db/connection.ts';
import { createDatabaseOnOneServer, serverUrl } from './server_databases.ts';

/** An empty database on one server. To create an embedded database takes seconds, to empty one does not. */
export async function emptyDatabase(): Promise<Database> {
  if (serverUrl) return openDatabase({ url: await createDatabaseOnOneServer(), poolSize: 3 });
  const template = new Blob([readFileSync(process.env['TEST_TEMPLATE']!)]);
  const database = await openDatabase({ memory: true, template });
  await database.pool.query('drop schema public cascade; drop schema pgboss cascade; create schema public');
  return database;
}
