import type { Db } from '../../platform/db/connection.ts';
import { all, overAllAccounts } from '../../platform/db/distribution/all_accounts.ts';
import { claimDeliveries, type Claimed, type InFlight } from './claims.ts';
import { maxInFlight } from './in_flight.ts';
import { dispatchEvents } from './dispatch.ts';

/*
 * Where rows are distributed over several servers by account, a statement that joins tables is about one account. One simple
 * statement finds the accounts that may have something to do.
 */

/** Makes the deliveries of all settled events that are new to their webhooks, account by account. */
export const dispatchByAccount = (db: Db, now: Date): Promise<void> =>
  overAllAccounts(db, async (isAmong) => {
    const accounts = await db
      .selectFrom('webhooks')
      .select('account_id')
      .where('active', '=', true)
      .where(isAmong)
      .groupBy('account_id')
      .execute();
    await all(
      accounts.map(
        ({ account_id }) =>
          () =>
            dispatchEvents(db, now, account_id),
      ),
    );
  });

/** Claims deliveries that are due, account by account. Those that wait longest come first, and each gets its share of the room. */
export async function claimByAccount(
  db: Db,
  inFlight: readonly InFlight[],
  now: Date,
  start: (claimed: readonly Claimed[]) => void,
): Promise<void> {
  const taken = [...inFlight];
  await overAllAccounts(db, async (isAmong) => {
    const accounts = await db
      .selectFrom('webhook_deliveries')
      .select('account_id')
      .where('status', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .where(isAmong)
      .groupBy('account_id')
      .orderBy(({ fn }) => fn.min('next_attempt_at'))
      .execute();
    const most = Math.ceil((maxInFlight.total - taken.length) / accounts.length);
    const claims = accounts.map(({ account_id: accountId }) => async () => {
      const claimed = await claimDeliveries(db, taken, now, { accountId, most });
      taken.push(...claimed);
      start(claimed);
    });
    await all(claims);
  });
}
