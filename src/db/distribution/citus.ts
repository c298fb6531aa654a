import { sql, type DialectAdapter, type Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';

/** All handles on one database share its adapter. */
const answers = new WeakMap<DialectAdapter, Promise<boolean>>();

/** Whether the rows of tenants are distributed over several servers by Citus. Asked once for each database. */
export function isDistributed(db: Kysely<DB>): Promise<boolean> {
  const { adapter } = db.getExecutor();
  const answer = answers.get(adapter) ?? hasCitus(db);
  answers.set(adapter, answer);
  answer.catch(() => answers.delete(adapter));
  return answer;
}

async function hasCitus(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_extension where extname = 'citus') as found`.execute(db);
  return rows[0]!.found;
}
