import { sql, type DialectAdapter, type Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';

/** The answers so far. All handles on one database share its adapter. */
const answers = new WeakMap<DialectAdapter, boolean>();

/** Whether the rows of tenants are distributed over several servers by Citus. Asked once for each database. */
export async function isDistributed(db: Kysely<DB>): Promise<boolean> {
  const { adapter } = db.getExecutor();
  const known = answers.get(adapter);
  if (known !== undefined) return known;
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as found`.execute(db);
  answers.set(adapter, rows[0]!.found);
  return rows[0]!.found;
}
