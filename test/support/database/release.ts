import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Database, Db } from '../../../src/db/connection.ts';
import { sharedTenantRole } from '../../../src/db/tenant_role.ts';

const folder = path.resolve(import.meta.dirname, '../../fixtures');

/** Fills an empty database with the dump of a release: its schema, its queue and its demo organisation. */
export async function loadRelease({ pool }: Pick<Database, 'pool'>, release: '0.1.0'): Promise<void> {
  const dump = gunzipSync(readFileSync(path.join(folder, `${release}.sql.gz`))).toString('utf8');
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

/** Describes the schema in lines that can be compared. */
export async function schemaOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
    union all select format('%s %s %s', tablename, policyname, qual) from pg_policies
    union all select format('%s %s', relname, relrowsecurity) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by line`.execute(db);
  return rows.map(({ line }) => line);
}
