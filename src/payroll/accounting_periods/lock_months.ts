import { sql } from 'kysely';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';

/**
 * Waits for all changes of the time accounts of users, and keeps others from changing them until the transaction ends: see
 * month_lock in the schema. The caller has locked the users before, because most changes begin with that. It reads the account,
 * because the lock must be taken where the rows of the account are.
 */
export async function lockMonths(
  tx: OpenTransaction,
  { accountId, userIds }: { readonly accountId: number; readonly userIds: readonly number[] },
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(wanted.lock) from (
      select distinct month_lock(account.id, member.id) as lock
      from accounts account cross join unnest(array[0]::bigint[] || ${userIds}::bigint[]) member (id)
      where account.id = ${accountId} order by lock) wanted`.execute(tx);
}
