import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/connection.ts';

/** Lists the tables with rows of accounts. */
export async function tenantTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'account_id' order by 1`.execute(
    db,
  );
  return ['accounts', ...rows.map(({ name }) => name)];
}

const ownRows = (table: string, accountId: number) =>
  sql`${sql.table(table)} as entry where ${sql.ref(table === 'accounts' ? 'id' : 'account_id')} = ${accountId}`;

/** The number of rows of an account in each table and a digest of them. Equal digests mean that nothing was written. */
export async function accountDigest(db: Db, accountId: number): Promise<Record<string, string>> {
  const tables = await tenantTables(db);
  const parts = tables.map(
    (
      table,
    ) => sql`select ${table} as name, count(*) || ' ' || coalesce(md5(string_agg(entry::text, '|' order by entry::text)), '') as digest
      from ${ownRows(table, accountId)}`,
  );
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** The tables in which two digests differ. */
export const changedTables = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((table) => before[table] !== after[table]);
