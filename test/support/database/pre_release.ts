import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Database } from '../../../src/platform/db/connection.ts';
import { sharedTenantRole } from '../../../src/platform/db/tenant_role.ts';

const file = path.resolve(import.meta.dirname, '../../fixtures/pre_release.sql.gz');

/** Fills an empty database with the dump of the last pre-release: its schema, its queue and its demo organisation. */
export async function loadPreRelease({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const dump = gunzipSync(readFileSync(file)).toString('utf8');
  const client = await pool.connect();
  try {
    await client.query(
      `do $$ begin create role ${sharedTenantRole} nologin; exception when duplicate_object or unique_violation then null; end $$`,
    );
    await client.query(dump);
    // The dump empties the search path of the session.
    await client.query('reset all');
  } finally {
    client.release();
  }
}
