import { createCalendarFeed } from '../../integration/calendar_feeds/calendar_feeds.ts';
import { currentPosition } from '../../integration/events/settled.ts';
import { openSecretBox } from '../../integration/webhooks/secret_box.ts';
import { createDataExport } from '../../lifecycle/personal_data/data_exports.ts';
import { createExport } from '../../payroll/exports/exports.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { newAccessToken, newApiToken, tokenHash } from '../../platform/core/secrets.ts';
import { startOfHour } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { demoCredentials } from './credentials.ts';
import { fixedIds } from './fixed_ids.ts';

/** What other systems use: a webhook, a calendar, files, a second token, a second session of the admin, and a batch that is done. */
export async function createIntegration(
  db: OpenTransaction,
  actor: WorkspaceActor,
  userId: number,
  now: Date,
): Promise<void> {
  await createWebhookOf(db, actor, now);
  const workspace_id = String(actor.workspace.id);
  const calendar = { name: 'Screen in the kitchen', scope: 'workspace', workspace_id } as const;
  await createCalendarFeed(db, actor, String(actor.userId), calendar, now);
  await createDataExport(db, actor, String(userId), now);
  const list = { exportType: 'list', format: 'csv', language: 'en', coverage: { filter: {}, sort: [] } } as const;
  await createExport(db, actor, { ...list, resource: 'time_trackings' }, now);
  await createExport(db, actor, { ...list, resource: 'absences' }, now);
  const token = newApiToken();
  const { accountId: account_id, workspace } = actor;
  await db
    .insertInto('api_tokens')
    .values({
      id: fixedIds.apiToken,
      account_id,
      name: 'Payroll',
      hash: tokenHash(token),
      last_four: token.slice(-4),
      created_at: now,
    })
    .execute();
  await db
    .insertInto('access_tokens')
    .values({
      id: fixedIds.session,
      hash: tokenHash(newAccessToken()),
      account_id,
      user_id: actor.userId!,
      kind: 'password',
      network: '203.0.113.7',
      user_agent: 'Punchcard for Android 1.4',
      created_at: now,
      last_used_at: startOfHour(now),
    })
    .execute();
  const times = { created_at: now, updated_at: now };
  const done = { state: 'finished', total: 1, done: 1, action: 'time_trackings.tag', input: '{}', item_ids: [1] };
  await db
    .insertInto('batches')
    .values({ account_id, id: fixedIds.batch, workspace_id: workspace.id, user_id: actor.userId!, ...done, ...times })
    .execute();
}

/** A webhook to the receiver of the guide, and a delivery that did not reach it. */
async function createWebhookOf(db: OpenTransaction, { accountId }: WorkspaceActor, now: Date): Promise<void> {
  const box = await openSecretBox(db, { secretKey: undefined, previousSecretKey: undefined });
  const { id } = await db
    .insertInto('webhooks')
    .values({
      ...(await currentPosition(db, accountId)),
      account_id: accountId,
      url: 'http://127.0.0.1:8090/',
      events: ['accounting_period.*'],
      active: true,
      description: 'Payroll on this machine',
      secret: box.seal(accountId, demoCredentials.webhookSecret),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('webhook_deliveries')
    .values({
      account_id: accountId,
      webhook_id: id,
      event: 'ping',
      record_type: 'webhook',
      record_id: String(id),
      status: 'failed',
      attempts: 1,
      failures: 1,
      first_attempt_at: now,
      last_attempt_at: now,
      error: 'connect ECONNREFUSED 127.0.0.1:8090',
      created_at: now,
    })
    .execute();
}
