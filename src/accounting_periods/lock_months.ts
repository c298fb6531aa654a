import { sql } from 'kysely';
import { lock } from '../db/locks.ts';
import { statement } from '../db/statement.ts';

/**
 * Waits for all changes of the time accounts of users, and keeps others from changing them until the transaction ends: see
 * migrations 0013 and 0015. The caller has locked the users before, because most changes begin with that.
 */
export const lockMonths = lock(
  statement<{ accountId: number; userIds: readonly number[] }, object>(
    (_db, { accountId, userIds }) => sql<object>`
      select pg_advisory_xact_lock(wanted.lock) from (
        select distinct month_lock(${accountId}, id) as lock from unnest(array[0]::bigint[] || ${userIds}::bigint[]) users (id)
        order by lock) wanted`,
  ),
);
