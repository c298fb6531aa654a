import { readFileSync } from 'node:fs';
import { openDatabase, type Database } from '../../../src/platform/db/connection.ts';
import { prepareTenantRole } from '../../../src/platform/db/tenant_role.ts';
import { isDistributed } from './distribution.ts';
import { createDatabase, databasePrefix, dropDatabase, serverUrl } from './server_databases.ts';
import { prepare } from './template.ts';

/** A database for this worker alone, made from the template. */
export async function openTestDatabase(): Promise<{ database: Database; directUrl: string | undefined }> {
  const template = process.env['TEST_TEMPLATE'];
  if (!serverUrl)
    return {
      database: await openDatabase({ memory: true, template: new Blob([readFileSync(template!)]) }),
      directUrl: undefined,
    };
  const name = `${databasePrefix()}${process.pid}`;
  await dropDatabase(name);
  const directUrl = await createDatabase(name, template);
  const database = await openDatabase({ url: directUrl, poolSize: 10 });
  if (isDistributed) {
    await prepare(database, directUrl);
    await prepareTenantRole(database.db);
  }
  return { database, directUrl };
}
