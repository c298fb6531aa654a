import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { noteOutcome, switchOff } from './switch_off.ts';
import { maxInFlight } from './in_flight.ts';
import { nextAttempt, patienceMs } from './retries.ts';
import type { DeliveryRow } from './deliveries.ts';
import type { Outcome } from './send.ts';
import { lockWebhook } from './webhooks.ts';

/** A delivery that this process is to try now. */
export interface Claimed extends DeliveryRow {
  readonly first_attempt_at: Date;
  readonly url: string;
  readonly secret: string;
}

/** Which webhooks this process sends to at the moment, one entry for each delivery on its way. */
export interface InFlight {
  readonly account_id: number;
  readonly webhook_id: number;
}

/** After this time another process may try a claimed delivery again. It is longer than an attempt takes. */
const claimSeconds = 60;

/** The deliveries of one account or of all, and how many of them at most. */
interface Share {
  readonly accountId: number | null;
  readonly most?: number;
}

/**
 * Claims deliveries that are due, at most one for each webhook and record: the first that waits. An attempt counts from here, so
 * that the result of an attempt that took too long cannot replace that of the next one.
 */
export async function claimDeliveries(
  db: Db,
  inFlight: readonly InFlight[],
  now: Date,
  { accountId, most = maxInFlight.total }: Share,
): Promise<Claimed[]> {
  const room = Math.min(maxInFlight.total - inFlight.length, most);
  if (room <= 0) return [];
  const isOwn = (table: string) => (accountId === null ? sql`true` : sql`${sql.ref(table)}.account_id = ${accountId}`);
  const { rows } = await sql<Claimed>`
    with sending as (
      select * from unnest(
        ${inFlight.map(({ account_id }) => account_id)}::bigint[], ${inFlight.map(({ webhook_id }) => webhook_id)}::bigint[]
      ) as flight (account_id, webhook_id)
    ), due as (
      select first.*,
        row_number() over (partition by first.account_id order by first.next_attempt_at, first.id) + (
          select count(*) from sending where sending.account_id = first.account_id) as place_in_account
      from webhooks webhook
      cross join lateral (
        select delivery.account_id, delivery.id, delivery.next_attempt_at from webhook_deliveries delivery
        where ${isOwn('delivery')} and delivery.account_id = webhook.account_id and delivery.webhook_id = webhook.id
          and delivery.status = 'waiting' and delivery.next_attempt_at <= ${now}
          and (webhook.active or delivery.event_id is null)
          and not exists (
            select from webhook_deliveries earlier
            where ${isOwn('earlier')} and earlier.account_id = webhook.account_id and earlier.webhook_id = webhook.id and earlier.status = 'waiting'
              and earlier.record_id = delivery.record_id and earlier.record_type = delivery.record_type
              and earlier.id < delivery.id)
        order by delivery.next_attempt_at, delivery.id
        limit greatest(0, ${maxInFlight.perWebhook} - (
          select count(*) from sending
          where sending.account_id = webhook.account_id and sending.webhook_id = webhook.id))
      ) first
      where ${isOwn('webhook')}
    ), claimed as (
      select account_id, id from webhook_deliveries
      where ${isOwn('webhook_deliveries')} and (account_id, id) in (
          select account_id, id from due where place_in_account <= ${maxInFlight.perAccount}
          order by place_in_account, next_attempt_at limit ${room})
        and status = 'waiting' and next_attempt_at <= ${now}
      for update skip locked
    )
    update webhook_deliveries delivery
    set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${now}), last_attempt_at = ${now},
      next_attempt_at = ${now}::timestamptz + ${claimSeconds} * interval '1 second'
    from claimed, webhooks webhook
    where ${isOwn('delivery')} and ${isOwn('webhook')}
      and delivery.account_id = claimed.account_id and delivery.id = claimed.id
      and webhook.account_id = delivery.account_id and webhook.id = delivery.webhook_id
    returning delivery.*, webhook.url, webhook.secret`.execute(db);
  return rows;
}

const isSuccess = ({ status }: Outcome): boolean => status !== null && status >= 200 && status < 300;

/** Stores what came of an attempt, and decides what becomes of the delivery and its webhook. */
export const storeOutcome = (db: Db, claimed: Claimed, outcome: Outcome, now: Date): Promise<void> =>
  forAccount(db, claimed.account_id, async (tx) => {
    const { account_id: accountId, webhook_id: webhookId } = claimed;
    await lockWebhook(tx, { accountId, id: webhookId });
    const isGone = outcome.status === 410;
    const isPing = claimed.event_id === null;
    const next =
      isSuccess(outcome) || isGone || isPing
        ? null
        : nextAttempt(claimed.failures + 1, { firstAt: claimed.first_attempt_at, now });
    const stored = await tx
      .updateTable('webhook_deliveries')
      .set({
        status: isSuccess(outcome) ? 'delivered' : next ? 'waiting' : 'failed',
        next_attempt_at: next,
        failures: isSuccess(outcome) ? claimed.failures : claimed.failures + 1,
        response_status: outcome.status,
        response_body: outcome.body,
        error: isSuccess(outcome) ? null : (outcome.error ?? `The receiver returned ${outcome.status}.`),
      })
      .where('account_id', '=', accountId)
      .where('id', '=', claimed.id)
      .where('attempts', '=', claimed.attempts)
      .where('status', '=', 'waiting')
      .returning('id')
      .executeTakeFirst();
    if (!stored) return;
    // The deliveries behind it become due together with it, or now if it needs no other attempt.
    await tx
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: next ?? now })
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', webhookId)
      .where('record_id', '=', claimed.record_id)
      .where('record_type', '=', claimed.record_type)
      .where('status', '=', 'waiting')
      .where('id', '>', claimed.id)
      .execute();
    if (isPing && !isGone) return;
    const webhook = { accountId, webhookId };
    const failingSince = await noteOutcome(tx, webhook, isSuccess(outcome) ? null : now);
    if (isGone) await switchOff(tx, webhook, 'gone', now);
    else if (failingSince && now.getTime() - failingSince.getTime() >= patienceMs)
      await switchOff(tx, webhook, 'failing', now);
  });
