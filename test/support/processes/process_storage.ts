import { openDatabase, databaseTargetOf, type Database } from '../../../src/platform/db/connection.ts';
import { createDatabase, dropDatabase, newDatabaseName, serverUrl } from '../database/server_databases.ts';
import { temporaryFolder } from './process.ts';

/** The data of processes of the service: a folder, and a database on the PostgreSQL of the tests if there is one. */
export interface ProcessStorage {
  readonly folder: string;
  /** Set if the database is on a server. */
  readonly url: string | undefined;
  /** The settings that point a process to it. */
  readonly environment: Record<string, string>;
  /** Opens the database; an embedded one only while no process uses it. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** Creates storage with an empty database. */
export async function newProcessStorage(): Promise<ProcessStorage> {
  const { folder, remove } = temporaryFolder();
  const name = newDatabaseName();
  const url = serverUrl && (await createDatabase(name));
  return {
    folder,
    url,
    environment: {
      DATA_DIR: folder,
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      SIGN_UPS_PER_HOUR: '0',
      ...(url ? { DATABASE_URL: url } : {}),
    },
    open: () =>
      openDatabase(databaseTargetOf({ databaseUrl: url, poolSize: 4, preparedStatements: true, dataDir: folder })),
    async remove() {
      if (url) await dropDatabase(name);
      remove();
    },
  };
}
