import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { isSettled } from '../events/settled.ts';
import { lockWebhook } from './webhooks.ts';

/*
 * Makes deliveries from events. A webhook remembers the last event that was considered. Its deliveries and its new position are
 * stored in one transaction: if the process is killed, either both are there or none.
 */

/** How many events one transaction considers. */
const chunkSize = 1_000;

interface Reached {
  readonly account_id: number;
  readonly id: number;
}

/** The place of an event in the order. */
interface Considered {
  readonly epoch: number;
  readonly transaction_id: string;
  readonly id: number;
}

const isNew = sql<boolean>`(events.epoch, events.transaction_id, events.id) > (webhook.epoch, webhook.transaction_id, webhook.event_id)`;

/** The active webhooks behind whose position there are settled events. It asks one index for each active webhook. */
async function webhooksWithNews(db: Db, accountId: number | null): Promise<Reached[]> {
  const owner = accountId ?? sql.ref('webhook.account_id');
  const isOwn = accountId === null ? sql`true` : sql`webhook.account_id = ${accountId}`;
  const { rows } = await sql<Reached>`
    select webhook.account_id, webhook.id from webhooks webhook
    where webhook.active and ${isOwn}
      and exists (
        select from events where events.account_id = ${owner} and ${isNew} and ${isSettled(owner)})
    order by webhook.account_id, webhook.id`.execute(db);
  return rows;
}

/** Makes the deliveries of all settled events that are new to their webhooks, of one account or of all. */
export async function dispatchEvents(db: Db, now: Date, accountId: number | null = null): Promise<void> {
  for (const webhook of await webhooksWithNews(db, accountId)) {
    let count: number;
    do count = await dispatchChunk(db, webhook, now);
    while (count === chunkSize);
  }
}

/** Returns how many events it has considered. A delivery about a record waits no shorter than the one before it. */
const dispatchChunk = (db: Db, { account_id: accountId, id }: Reached, now: Date): Promise<number> =>
  forAccount(db, accountId, async (tx) => {
    await lockWebhook(tx, { accountId, id });
    const { rows: considered } = await sql<Considered>`
      select events.epoch, events.transaction_id, events.id from webhooks webhook, events
      where webhook.account_id = ${accountId} and webhook.id = ${id} and webhook.active
        and events.account_id = ${accountId} and ${isNew} and ${isSettled(accountId)}
      order by events.epoch, events.transaction_id, events.id
      limit ${chunkSize}`.execute(tx);
    const last = considered.at(-1);
    if (!last) return 0;
    await sql`
      insert into webhook_deliveries (
        account_id, webhook_id, event_id, event, record_type, record_id, status, next_attempt_at, created_at)
      select ${accountId}, ${id}, events.id, events.name, events.record_type, coalesce(events.record_uuid::text, events.record_id),
        'waiting', greatest(${now}::timestamptz, (
          select max(earlier.next_attempt_at) from webhook_deliveries earlier
          where earlier.account_id = ${accountId} and earlier.webhook_id = ${id} and earlier.status = 'waiting'
            and earlier.record_id = coalesce(events.record_uuid::text, events.record_id)
            and earlier.record_type = events.record_type)), ${now}
      from webhooks webhook, events
      where webhook.account_id = ${accountId} and webhook.id = ${id}
        and events.account_id = ${accountId} and events.id = any(${considered.map((event) => event.id)}::bigint[])
        and ('*' = any(webhook.events) or events.name = any(webhook.events) or events.record_type || '.*' = any(webhook.events))
        and (webhook.workspace_ids is null or events.workspace_id = any(webhook.workspace_ids))
      order by events.epoch, events.transaction_id, events.id
      returning account_id`.execute(tx);
    await tx
      .updateTable('webhooks')
      .set({ epoch: last.epoch, transaction_id: last.transaction_id, event_id: last.id })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    return considered.length;
  });
