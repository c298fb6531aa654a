import { randomUUID } from 'node:crypto';
import { databaseUrl, distributeDatabase, dropFrom, onServer, workersOf } from '../../../scripts/databases.ts';

/*
 * Databases on the PostgreSQL of the tests. If it is a Citus coordinator, each database is made on its workers too, with the
 * extension, and the servers are joined.
 */

export const serverUrl = process.env['TEST_DATABASE_URL'];

/** The prefix of the names of this run's databases. */
export const databasePrefix = (): string => `punchcard_test_${process.env['TEST_RUN']}_`;

export const newDatabaseName = (): string => `${databasePrefix()}${randomUUID().slice(0, 8)}`;

/** Creates a database and returns its address. A template is used on plain PostgreSQL only. */
export async function createDatabase(name: string, template?: string): Promise<string> {
  await onServer(serverUrl!, `create database ${name}${template ? ` template ${template}` : ''}`);
  const workers = await workersOfTests();
  if (workers.length > 0) await distributeDatabase(serverUrl!, workers, name);
  return databaseUrl(serverUrl!, name);
}

/** Creates a database that is not distributed, also if the others are. */
export async function createDatabaseOnOneServer(): Promise<string> {
  const name = newDatabaseName();
  await onServer(serverUrl!, `create database ${name}`);
  return databaseUrl(serverUrl!, name);
}

export const dropDatabase = async (name: string): Promise<void> =>
  dropFrom([serverUrl!, ...(await workersOfTests())], name);

let workers: Promise<string[]> | undefined;

const workersOfTests = (): Promise<string[]> => (workers ??= workersOf(serverUrl!));
