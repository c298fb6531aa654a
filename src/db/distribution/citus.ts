import { sql, type DialectAdapter } from 'kysely';
import type { Db } from '../connection.ts';

/** The answers so far. All handles on one database share its adapter. */
const answers = new WeakMap<DialectAdapter, Promise<boolean>>();

/** Whether the rows of the database are distributed over several servers by account. It is asked once. */
export async function isDistributed(db: Db): Promise<boolean> {
  const { adapter } = db.getExecutor();
  const known = answers.get(adapter);
  if (known) return known;
  const asked = hasCitus(db);
  answers.set(adapter, asked);
  // The next call asks again.
  asked.catch(() => answers.delete(adapter));
  return asked;
}

async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from pg_extension where extname = 'citus')`.execute(db);
  return rows[0]!.exists;
}
