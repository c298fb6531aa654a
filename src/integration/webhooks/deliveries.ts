import { invalid, notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { overAllAccounts } from '../../platform/db/distribution/all_accounts.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { findWebhook } from './webhooks.ts';

type Scope = Pick<Actor, 'accountId'>;

const columns = listColumns('listWebhookDeliveries', 'webhook_deliveries');

const deliveryRows = (db: Db, accountId: number) =>
  db.selectFrom('webhook_deliveries').where('webhook_deliveries.account_id', '=', accountId).selectAll();

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveryRows>['executeTakeFirstOrThrow']>>;

/** The value of the header `webhook-id`. */
export const messageIdOf = ({ message_id }: Pick<DeliveryRow, 'message_id'>): string => `msg_${message_id}`;

/** The deliveries of a webhook, sent and waiting. */
export async function listDeliveries(db: Db, scope: Scope, webhookRef: Id, selection: Selection) {
  const webhook = await findWebhook(db, scope, webhookRef);
  const visible = db
    .selectFrom('webhook_deliveries')
    .where('webhook_deliveries.account_id', '=', scope.accountId)
    .where('webhook_deliveries.webhook_id', '=', webhook.id);
  const rows = deliveryRows(db, scope.accountId);
  return list(db, { visible, rows, id: 'webhook_deliveries.id', columns, timeZone: 'UTC' }, selection);
}

/** Makes a delivery of the type `ping`, which is tried once. */
export async function pingWebhook(tx: OpenTransaction, scope: Scope, ref: Id, now: Date): Promise<DeliveryRow> {
  const webhook = await findWebhook(tx, scope, ref);
  return tx
    .insertInto('webhook_deliveries')
    .values({
      account_id: scope.accountId,
      webhook_id: webhook.id,
      event: 'ping',
      record_type: 'webhook',
      record_id: String(webhook.id),
      status: 'waiting',
      next_attempt_at: now,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Sends a delivery again as if it were new, with the same message id. */
export async function redeliver(
  tx: OpenTransaction,
  scope: Scope,
  webhookRef: Id,
  ref: Id,
  now: Date,
): Promise<DeliveryRow> {
  const webhook = await findWebhook(tx, scope, webhookRef);
  const row = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', next_attempt_at: now, first_attempt_at: null, failures: 0 })
    .where('account_id', '=', scope.accountId)
    .where('webhook_id', '=', webhook.id)
    .where('id', '=', numericId(ref) ?? null)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('delivery');
  if (!webhook.active)
    throw invalid(
      'wrong_state',
      'base',
      `The webhook ${webhook.id} is switched off. Switch it on before you redeliver.`,
    );
  return row;
}

/** How long deliveries are kept. */
const retentionDays = 30;

/** Removes the deliveries whose time is over. */
export async function removeOldDeliveries(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * 86_400_000);
  await overAllAccounts(db, async (isAmong) => {
    await db.deleteFrom('webhook_deliveries').where('created_at', '<', before).where(isAmong).execute();
  });
}
