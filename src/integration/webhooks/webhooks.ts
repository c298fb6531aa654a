import { randomBytes } from 'node:crypto';
import type { components } from '../../../generated/v3.ts';
import { invalid, notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { lockAccount } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { currentPosition } from '../events/settled.ts';
import type { Checked } from './addresses.ts';
import type { SecretBox } from './secret_box.ts';

type Schemas = components['schemas'];

export type NewWebhook = Schemas['WebhookCreation']['data']['attributes'];
export type WebhookChange = Schemas['WebhookUpdate']['data']['attributes'];

type Scope = Pick<Actor, 'accountId'>;

/** How many webhooks an account may have. */
const maxWebhooks = 50;

const columns = listColumns('listWebhooks', 'webhooks');

const stored = storedAttributes({
  table: 'webhooks',
  schemas: ['WebhookCreation', 'WebhookUpdate'],
  handled: ['events', 'workspace_ids'],
});

/** Without the secret, which nothing but the sender reads. */
const webhookRows = (db: Db, accountId: number) =>
  db
    .selectFrom('webhooks')
    .where('webhooks.account_id', '=', accountId)
    .select([
      'webhooks.account_id',
      'webhooks.id',
      'webhooks.url',
      'webhooks.events',
      'webhooks.workspace_ids',
      'webhooks.active',
      'webhooks.deactivation_reason',
      'webhooks.description',
      'webhooks.failing_since',
      'webhooks.created_at',
      'webhooks.updated_at',
    ]);

export type WebhookRow = Awaited<ReturnType<ReturnType<typeof webhookRows>['executeTakeFirstOrThrow']>>;

export const webhookEvents = eventsOf<WebhookRow>()('webhook', [
  ...stored,
  'events',
  'workspace_ids',
  'deactivation_reason',
]);

/** The webhooks of the account. */
export const listWebhooks = (db: Db, { accountId }: Scope, selection: Selection) =>
  list(
    db,
    {
      visible: db.selectFrom('webhooks').where('webhooks.account_id', '=', accountId),
      rows: webhookRows(db, accountId),
      id: 'webhooks.id',
      columns,
      timeZone: 'UTC',
    },
    selection,
  );

export const webhooksByIds = (db: Db, { accountId }: Scope, ids: readonly number[]): Promise<WebhookRow[]> =>
  rowsByIds(webhookRows(db, accountId), 'webhooks.id', ids);

/** One webhook of the account; a miss is 404. */
export async function findWebhook(db: Db, scope: Scope, ref: Id): Promise<WebhookRow> {
  const id = numericId(ref);
  const [row] = id === undefined ? [] : await webhooksByIds(db, scope, [id]);
  if (!row) throw notFound('webhook');
  return row;
}

/** Locks a webhook, before its deliveries. */
export const lockWebhook = (
  tx: OpenTransaction,
  { accountId, id }: { readonly accountId: number; readonly id: number },
): Promise<{ id: number }[]> =>
  tx
    .selectFrom('webhooks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute();

/** Creates a webhook that is told about events from now on. This is the one place that returns the secret. */
export async function createWebhook(
  tx: OpenTransaction,
  actor: Actor,
  input: NewWebhook,
  { checked, box }: { readonly checked: Checked; readonly box: SecretBox },
  now: Date,
): Promise<WebhookRow & { secret: string }> {
  const { accountId } = actor;
  refuse(await problemsOf(tx, actor, input, checked));
  // Of two creations at the same time, the second counts the first.
  await lockAccount(tx, { accountId });
  await requireRoom(tx, accountId);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const { id } = await tx
    .insertInto('webhooks')
    .values({
      ...columnsOf(input),
      ...(await currentPosition(tx, accountId)),
      account_id: accountId,
      url: input.url,
      events: [...new Set<string>(input.events)],
      active: input.active ?? true,
      description: input.description ?? '',
      secret: box.seal(accountId, secret),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = await findWebhook(tx, actor, id);
  webhookEvents.record(tx, actor, 'created', { before: null, after }, now);
  return { ...after, secret };
}

/** Changes what is given. A webhook that is switched on again is told about events from now on. */
export async function updateWebhook(
  tx: OpenTransaction,
  actor: Actor,
  ref: Id,
  change: WebhookChange,
  checked: Checked,
  now: Date,
): Promise<WebhookRow> {
  const { id } = await findWebhook(tx, actor, ref);
  refuse(await problemsOf(tx, actor, change, checked));
  await lockWebhook(tx, { accountId: actor.accountId, id });
  const before = await findWebhook(tx, actor, id);
  const isSwitchedOn = change.active === true && !before.active;
  await tx
    .updateTable('webhooks')
    .set({
      ...columnsOf(change),
      ...(isSwitchedOn
        ? { ...(await currentPosition(tx, actor.accountId)), deactivation_reason: null, failing_since: null }
        : {}),
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .execute();
  const after = await findWebhook(tx, actor, id);
  webhookEvents.record(tx, actor, 'updated', { before, after }, now);
  return after;
}

/** Deletes the webhook with its deliveries, and returns it as it was. */
export async function deleteWebhook(tx: OpenTransaction, actor: Actor, ref: Id, now: Date): Promise<WebhookRow> {
  const { id } = await findWebhook(tx, actor, ref);
  await lockWebhook(tx, { accountId: actor.accountId, id });
  // Of two deletions at the same time, the second finds no webhook.
  const webhook = await findWebhook(tx, actor, id);
  await tx.deleteFrom('webhooks').where('account_id', '=', actor.accountId).where('id', '=', id).execute();
  webhookEvents.record(tx, actor, 'deleted', { before: webhook, after: null }, now);
  return webhook;
}

const columnsOf = (input: WebhookChange) => ({
  ...pick(input, stored),
  ...(input.events ? { events: [...new Set<string>(input.events)] } : {}),
  ...(input.workspace_ids === undefined
    ? {}
    : { workspace_ids: input.workspace_ids && numericIds(input.workspace_ids).numbers }),
});

/** The problems of an input that the contract cannot know. The url was checked before, because a look-up of its name can be slow. */
async function problemsOf(
  db: Db,
  { accountId }: Scope,
  { workspace_ids }: WebhookChange,
  { refusal }: Checked,
): Promise<Problem[]> {
  const urlProblems: Problem[] =
    refusal === undefined ? [] : [{ code: 'invalid_value', pointer: 'url', title: `url ${refusal}` }];
  if (!workspace_ids) return urlProblems;
  const { numbers, impossible } = numericIds(workspace_ids);
  const found = await db
    .selectFrom('workspaces')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('id', 'in', numbers.length > 0 ? numbers : [0])
    .execute();
  const missing = numbers.filter((id) => !found.some((workspace) => workspace.id === id));
  return [...urlProblems, ...unknownIds('workspace_ids', [...impossible, ...missing], 'workspace of this account')];
}

async function requireRoom(db: Db, accountId: number): Promise<void> {
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (count >= maxWebhooks)
    throw invalid(
      'limit_reached',
      'base',
      `The account has ${count} webhooks, and ${maxWebhooks} are allowed. Delete one first.`,
    );
}
