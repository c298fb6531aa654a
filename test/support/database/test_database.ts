import { readFileSync } from 'node:fs';
import pg from 'pg';
import { openDatabase, type Database } from '../../../src/db/connection.ts';
import { databasePrefix, databaseUrl } from './template.ts';

export const serverUrl = process.env['TEST_DATABASE_URL'];

/** A database for this worker alone, made from the template. */
export async function openTestDatabase(): Promise<{ database: Database; directUrl: string | undefined }> {
  const template = process.env['TEST_TEMPLATE']!;
  if (!serverUrl)
    return {
      database: await openDatabase({ memory: true, template: new Blob([readFileSync(template)]) }),
      directUrl: undefined,
    };
  const name = `${databasePrefix()}${process.pid}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name} template ${template}`);
  await admin.end();
  const directUrl = databaseUrl(serverUrl, name);
  return { database: await openDatabase({ url: directUrl, poolSize: 10 }), directUrl };
}
