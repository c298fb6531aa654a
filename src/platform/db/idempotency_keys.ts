import type { Db } from './connection.ts';
import { overAllAccounts } from './distribution/all_accounts.ts';

/** How long a key and the response to its request are kept. */
export const keyLifetimeHours = 24;

/** The key of a request: one per user of an account. */
export interface IdempotencyKey {
  readonly account_id: number;
  readonly user_id: number;
  readonly key: string;
}

const expiredBefore = (now: Date): Date => new Date(now.getTime() - keyLifetimeHours * 3600 * 1000);

/** Claims a key for a request, unless another request has claimed it. Waits for a concurrent transaction with the same key. */
export async function claimKey(
  db: Db,
  key: IdempotencyKey & { readonly request_hash: string },
  now: Date,
): Promise<boolean> {
  await db
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', key.account_id)
    .where('user_id', '=', key.user_id)
    .where('key', '=', key.key)
    .where('created_at', '<', expiredBefore(now))
    .execute();
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ ...key, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Stores the response to the request that claimed the key. */
export async function storeResponse(
  db: Db,
  { account_id, user_id, key }: IdempotencyKey,
  response: { readonly status: number; readonly headers: string; readonly body: string | null },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set(response)
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .execute();
}

/** The request that claimed the key, with the response to it. */
export const findClaimedKey = (db: Db, { account_id, user_id, key }: IdempotencyKey) =>
  db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();

/** Deletes the keys that have expired. */
export async function deleteExpiredKeys(db: Db, now: Date): Promise<void> {
  await overAllAccounts(db, async (isAmong) => {
    await db.deleteFrom('idempotency_keys').where('created_at', '<', expiredBefore(now)).where(isAmong).execute();
  });
}
