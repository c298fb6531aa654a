import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { overAllAccounts } from '../../platform/db/distribution/all_accounts.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { forNoAccount } from '../../platform/db/transactions.ts';

/** The number of events that one transaction removes. */
const pieceSize = 10_000;
const dayMs = 86_400_000;

/** Removes events that are older than their retention, account by account and in pieces. Only the owner of the tables can. */
export async function removeExpiredEvents(db: Db, retentionDays: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * dayMs);
  await overAllAccounts(db, async (isAmong) => {
    const accounts = await db
      .selectFrom('events')
      .select((eb) => ['account_id', eb.fn.max('id').as('last_id')])
      .where('at', '<', before)
      .where(isAmong)
      .groupBy('account_id')
      .orderBy('account_id')
      .execute();
    for (const { account_id, last_id } of accounts) {
      let removed: number;
      do removed = await removeEvents(db, account_id, before, last_id);
      while (removed === pieceSize);
    }
  });
}

/**
 * Removes a piece of the events of an account, and returns how many. Only those up to the last id are read: later ones are not old
 * enough. The same transaction stores how far they are removed, so that the feed can tell a cursor that has missed events.
 */
export async function removeEvents(db: Db, accountId: number, before: Date, lastId: number): Promise<number> {
  return forNoAccount(db, async (tx) => {
    const old = await tx
      .selectFrom('events')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '<=', lastId)
      .where('at', '<', before)
      .limit(pieceSize)
      .execute();
    const ids = old.map(({ id }) => id);
    await sql`
      insert into event_removals as place (account_id, epoch, transaction_id, id)
      select ${accountId}, epoch, transaction_id, id from events
      where account_id = ${accountId} and id = any(${ids}::bigint[])
      order by epoch desc, transaction_id desc, id desc limit 1
      on conflict (account_id) do update
        set epoch = excluded.epoch, transaction_id = excluded.transaction_id, id = excluded.id
        where (excluded.epoch, excluded.transaction_id, excluded.id) > (place.epoch, place.transaction_id, place.id)
      returning account_id`.execute(tx);
    await tx.deleteFrom('events').where('account_id', '=', accountId).where(isAnyOf('id', ids)).execute();
    return ids.length;
  });
}
