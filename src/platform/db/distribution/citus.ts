import { sql, type DialectAdapter, type Kysely } from 'kysely';
import type { DB } from '../../../../generated/db.ts';

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

/**
 * The statement with which a transaction keeps the rows of an account where they are until it ends. An isolation or a move of the
 * account waits for it, and it waits for them, before any other statement takes a snapshot. A statement that waited by itself would
 * look for the rows with a snapshot from before they came to their new place, and find none. Transactions share the lock: 5 is the
 * mode SHARE.
 */
export const holdInPlace = (accountId: number): string =>
  `select lock_shard_metadata(5, array[get_shard_id_for_distribution_column('accounts', ${BigInt(accountId)})])`;
