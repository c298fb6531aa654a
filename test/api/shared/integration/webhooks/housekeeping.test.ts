import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../../src/platform/db/transactions.ts';
import { removeOldDeliveries } from '../../../../../src/integration/webhooks/deliveries.ts';
import {
  failingWebhooks,
  retryingDeliveries,
  waitingDeliveries,
} from '../../../../../src/integration/webhooks/figures.ts';
import { openSecretBox, resealSecrets } from '../../../../../src/integration/webhooks/secret_box.ts';
import { newWorld, type World } from '../../../../support/world.ts';
import { newArea, startReceiver, webhooksOf } from './support.ts';

const day = 86_400_000;

const sealedSecret = async ({ db, accountId }: World): Promise<string> =>
  (await db.selectFrom('webhooks').select('secret').where('account_id', '=', accountId).executeTakeFirstOrThrow())
    .secret;

describe('resealSecrets', () => {
  it('encrypts with the new key what an earlier key encrypted, and leaves the rest alone', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    const webhooks = await webhooksOf(world);
    const { secret } = await webhooks.create('http://127.0.0.1/');
    // A transaction for one account, because other tests have webhooks too.
    const reseal = (config: { secretKey: string; previousSecretKey: string | undefined }) =>
      forAccount(db, accountId, (tx) => resealSecrets(tx, config));
    const opened = async (config: { secretKey: string; previousSecretKey: string | undefined }) =>
      (await openSecretBox(db, config)).open(accountId, await sealedSecret(world));
    const first = { secretKey: 'the first key of the operator', previousSecretKey: undefined };
    const second = { secretKey: 'the second key of the operator', previousSecretKey: first.secretKey };
    const onlySecond = { ...second, previousSecretKey: undefined };
    const initial = await sealedSecret(world);
    // The key that the database keeps encrypted it. SECRET_KEY is set later.
    expect(await opened(first)).toBe(secret);
    await reseal(first);
    const sealed = await sealedSecret(world);
    expect(sealed).not.toBe(initial);
    expect(await opened(first)).toBe(secret);
    expect(await opened(onlySecond)).toBeUndefined();
    // Without the key that encrypted it, nothing can be done, and nothing is lost.
    await reseal(onlySecond);
    expect(await sealedSecret(world)).toBe(sealed);
    await reseal(second);
    expect(await opened(onlySecond)).toBe(secret);
    const last = await sealedSecret(world);
    await reseal(second);
    expect(await sealedSecret(world)).toBe(last);
  });
});

describe('removeOldDeliveries', () => {
  it('removes what is older than 30 days, whatever has become of it', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    const webhooks = await webhooksOf(world);
    const { id } = await webhooks.create('http://127.0.0.1/');
    const now = new Date();
    const created = { account_id: accountId, webhook_id: Number(id), record_type: 'webhook', record_id: id };
    for (const status of ['delivered', 'failed', 'waiting'])
      for (const days of [29, 31])
        await db
          .insertInto('webhook_deliveries')
          .values({
            ...created,
            event: `${status}, ${days} days ago`,
            status,
            next_attempt_at: status === 'waiting' ? now : null,
            created_at: new Date(now.getTime() - days * day),
          })
          .execute();
    await removeOldDeliveries(db, now);
    expect((await webhooks.deliveries(id)).map(({ attributes }) => attributes['event'])).toEqual([
      'delivered, 29 days ago',
      'failed, 29 days ago',
      'waiting, 29 days ago',
    ]);
  });
});

describe('the figures about webhooks', () => {
  it('count what waits, what is tried again, and where nothing arrives', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const figures = () =>
      forAccount(world.db, world.accountId, async (tx) => [
        await waitingDeliveries(tx),
        await retryingDeliveries(tx),
        await failingWebhooks(tx),
      ]);
    const { id } = await webhooks.create(receiver.url('/fail'), { events: ['area.created'] });
    expect(await figures()).toEqual([0, 0, 0]);
    await world.admin.call('createWebhookPing', { params: { webhook_id: id } });
    expect(await figures()).toEqual([1, 0, 0]);
    await newArea(world, 'Kitchen');
    webhooks.advance(1_000);
    await webhooks.deliverUntil(() => receiver.received.length === 2);
    // A ping is tried once.
    expect(await figures()).toEqual([1, 1, 1]);
    await world.admin.call('deleteWebhook', { params: { webhook_id: id } });
    expect(await figures()).toEqual([0, 0, 0]);
  });
});
