import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { claimByAccount } from '../../../../../src/integration/webhooks/by_account.ts';
import type { Claimed } from '../../../../../src/integration/webhooks/claims.ts';
import { maxInFlight } from '../../../../../src/integration/webhooks/in_flight.ts';
import { isDistributed } from '../../../../support/database/distribution.ts';
import { newWorld, type World } from '../../../../support/world.ts';
import { newArea, startReceiver, webhooksOf } from './support.ts';

/** The statements about all accounts can be sent to one server only. */
const kinds = [
  ...(isDistributed ? [] : [['at once', async () => false] as const]),
  ['account by account, where rows are distributed', async () => true],
] as const;

describe.each(kinds)('the webhooks of all accounts, %s', (_way, distributes) => {
  it('are told about the events of their own account', async () => {
    const worlds = [await newWorld(), await newWorld()];
    await forgetOtherWebhooks(worlds[0]!);
    const receivers = [await startReceiver(), await startReceiver()];
    const webhooks = await webhooksOf(worlds[0]!, { isDistributed: distributes });
    await webhooks.create(receivers[0]!.url('/ok'));
    await (await webhooksOf(worlds[1]!)).create(receivers[1]!.url('/ok'));
    const areas = [await newArea(worlds[0]!, 'Kitchen'), await newArea(worlds[1]!, 'Bar')];
    for (let tries = 0; receivers.some(({ received }) => received.length === 0); tries++) {
      expect(tries).toBeLessThan(300);
      await webhooks.deliverToAll();
      await pause(100);
    }
    const told = receivers.map(({ received }) =>
      received.map(({ body }) => JSON.parse(body).data.event.attributes.record_id),
    );
    expect(told).toEqual(areas.map((area) => [area]));
  });
});

describe('claims account by account', () => {
  it('share the room, and the longest wait comes first', async () => {
    const [late, early] = [await newWorld(), await newWorld()];
    const now = new Date('2001-01-01T00:00:00Z');
    await wait(late, 5, new Date(now.getTime() - 1_000));
    await wait(early, 5, new Date(now.getTime() - 2_000));
    const others = Array.from({ length: maxInFlight.total - 3 }, () => ({ account_id: 0, webhook_id: 0 }));
    const claimed: Claimed[] = [];
    const claim = () =>
      claimByAccount(early.watchedDb, [...others, ...claimed], now, (started) => void claimed.push(...started));
    await claim();
    expect(claimed.map(({ account_id }) => account_id)).toEqual([early.accountId, early.accountId, late.accountId]);
    await claim();
    expect(claimed).toHaveLength(3);
  });
});

/** Files of tests run one after the other on one database. The receivers of earlier ones are gone, and to wait for each takes long. */
async function forgetOtherWebhooks({ db }: World): Promise<void> {
  await db.updateTable('webhooks').set({ active: false }).execute();
  await db.deleteFrom('webhook_deliveries').where('status', '=', 'waiting').execute();
}

/** Deliveries about different records that are due. */
async function wait(world: World, count: number, since: Date): Promise<void> {
  const webhooks = await webhooksOf(world);
  const { id } = await webhooks.create('http://127.0.0.1:9/never');
  await world.db
    .insertInto('webhook_deliveries')
    .values(
      Array.from({ length: count }, (_, number) => ({
        account_id: world.accountId,
        webhook_id: Number(id),
        event: 'area.created',
        record_type: 'area',
        record_id: String(number),
        status: 'waiting',
        next_attempt_at: since,
        created_at: since,
      })),
    )
    .execute();
}
