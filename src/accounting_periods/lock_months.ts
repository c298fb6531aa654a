import { sql } from 'kysely';
import { lock } from '../db/locks.ts';
import { statement } from '../db/statement.ts';

/**
 * Waits for all changes of the time accounts of users, and keeps others from changing them until the transaction ends: see
 * migrations 0013 and 0015. The caller has locked the users before, because most changes begin with that. It reads the account,
 * because the lock must be taken where the rows of the account are.
 */
export const lockMonths = lock(
  statement<{ accountId: number; userIds: readonly number[] }, object>(
    (_db, { accountId, userIds }) => sql<object>`
      select pg_advisory_xact_lock(wanted.lock) from (
        select distinct month_lock(account.id, member.id) as lock
        from accounts account cross join unnest(array[0]::bigint[] || ${userIds}::bigint[]) member (id)
        where account.id = ${accountId} order by lock) wanted`,
  ),
);
