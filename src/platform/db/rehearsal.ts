import { sql } from 'kysely';
import type { OpenTransaction } from './open_transaction.ts';

/** Does work of which nothing stays but its result, and the locks that it has taken. It must not record events. */
export async function rehearsed<Result>(tx: OpenTransaction, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint rehearsal`.execute(tx);
  const result = await work();
  await sql`rollback to savepoint rehearsal`.execute(tx);
  return result;
}
