import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openDatabase, databaseTargetOf, type Database } from '../../../src/db/connection.ts';
import { serverUrl } from '../database/test_database.ts';
import { temporaryFolder } from './process.ts';
import { databasePrefix, databaseUrl } from '../database/template.ts';

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
  const name = `${databasePrefix()}${randomUUID().slice(0, 8)}`;
  const url = serverUrl && databaseUrl(serverUrl, name);
  if (url) await onServer(`create database ${name}`);
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
      if (url) await onServer(`drop database if exists ${name} with (force)`);
      remove();
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}
