import { sql } from 'kysely';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { jobActor } from '../../platform/events/record.ts';
import { notifyAll } from '../../platform/notifications/notifications.ts';
import { findWebhook, webhookEvents } from './webhooks.ts';

/** Why the service switches a webhook off: its receiver returned 410, or nothing arrived there for too long. */
type Reason = 'gone' | 'failing';

const reasons: Readonly<Record<Reason, string>> = {
  gone: 'the receiver returned 410, which means that it does not want any more',
  failing: 'no delivery has succeeded for 5 days',
};

/** Remembers since when a webhook fails, or that it does not. Returns since when. */
export async function noteOutcome(
  tx: OpenTransaction,
  { accountId, webhookId }: { readonly accountId: number; readonly webhookId: number },
  failedAt: Date | null,
): Promise<Date | null> {
  const row = await tx
    .updateTable('webhooks')
    .set({ failing_since: failedAt === null ? null : sql`coalesce(failing_since, ${failedAt})` })
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .returning('failing_since')
    .executeTakeFirstOrThrow();
  return row.failing_since;
}

/** Switches a webhook off, and notifies the account admins. */
export async function switchOff(
  tx: OpenTransaction,
  { accountId, webhookId }: { readonly accountId: number; readonly webhookId: number },
  reason: Reason,
  now: Date,
): Promise<void> {
  const scope = { accountId };
  const before = await findWebhook(tx, scope, webhookId);
  if (!before.active) return;
  await tx
    .updateTable('webhooks')
    .set({ active: false, deactivation_reason: reason, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .execute();
  const after = await findWebhook(tx, scope, webhookId);
  webhookEvents.record(tx, jobActor(accountId), 'updated', { before, after }, now);
  const message = `The webhook to ${new URL(before.url).host} was switched off, because ${reasons[reason]}. What waits is kept for 30 days.`;
  for (const { user_id, workspace_id } of await accountAdmins(tx, accountId))
    await notifyAll(
      tx,
      accountId,
      workspace_id,
      [{ user_id, title: 'A webhook was switched off', message, owner: null }],
      now,
    );
}

/** The active account admins, each with the first of their workspaces, where they read their notifications. */
const accountAdmins = (tx: OpenTransaction, accountId: number) =>
  tx
    .selectFrom('users as user')
    .innerJoin('memberships as membership', (join) =>
      join.on('membership.account_id', '=', accountId).onRef('membership.user_id', '=', 'user.id'),
    )
    .innerJoin('workspaces as workspace', (join) =>
      join
        .on('workspace.account_id', '=', accountId)
        .onRef('workspace.id', '=', 'membership.workspace_id')
        .on('workspace.deleted_at', 'is', null),
    )
    .where('user.account_id', '=', accountId)
    .where('user.is_account_admin', '=', true)
    .where('user.status', '=', 'active')
    .where('user.deleted_at', 'is', null)
    .groupBy('user.id')
    .select(({ fn }) => ['user.id as user_id', fn.min('workspace.id').as('workspace_id')])
    .orderBy('user.id')
    .execute();
