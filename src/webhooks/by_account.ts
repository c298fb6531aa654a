import type { Db } from '../db/connection.ts';
import { claimDeliveries, maxInFlight, type Claimed, type InFlight } from './claims.ts';
import { dispatchEvents } from './dispatch.ts';

/*
 * Where rows are distributed over several servers by account, a statement that joins tables is about one account. One simple
 * statement finds the accounts that may have something to do.
 */

/** Makes the deliveries of all settled events that are new to their webhooks, account by account. */
export async function dispatchByAccount(db: Db, now: Date): Promise<void> {
  const accounts = await db
    .selectFrom('webhooks')
    .select('account_id')
    .where('active', '=', true)
    .groupBy('account_id')
    .execute();
  for (const { account_id } of accounts) await dispatchEvents(db, now, account_id);
}

/** Claims deliveries that are due, account by account. Those that wait longest come first, and each gets its share of the room. */
export async function claimByAccount(db: Db, inFlight: readonly InFlight[], now: Date): Promise<Claimed[]> {
  const accounts = await db
    .selectFrom('webhook_deliveries')
    .select('account_id')
    .where('status', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .groupBy('account_id')
    .orderBy(({ fn }) => fn.min('next_attempt_at'))
    .execute();
  const share = Math.ceil((maxInFlight.total - inFlight.length) / accounts.length);
  const claimed: Claimed[] = [];
  for (const { account_id } of accounts)
    claimed.push(
      ...(await claimDeliveries(db, [...inFlight, ...claimed], now, { accountId: account_id, most: share })),
    );
  return claimed;
}
