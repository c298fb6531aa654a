import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { newArea, renameArea, startReceiver, verified, webhooksOf } from './support.ts';

const day = 86_400_000;

describe('webhooks', () => {
  it('are told about events, with a valid signature and the record as it is at delivery', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id, secret } = await webhooks.create(receiver.url('/ok'));
    const area = await newArea(world, 'Kitchen');
    await renameArea(world, area, 'Bar');
    await webhooks.deliverUntil(() => receiver.received.length === 2);
    const messages = receiver.received.map((request) => verified(request, secret));
    expect(messages).toMatchObject([
      {
        type: 'area.created',
        data: { event: { type: 'history_event', attributes: { name: 'area.created', record_id: area } } },
      },
      { type: 'area.updated', data: { event: { attributes: { changes: { name: ['Kitchen', 'Bar'] } } } } },
    ]);
    const shown = await world.admin.call('getArea', { params: { area_id: area } });
    for (const { data } of messages) expect(data.record).toEqual(shown.body.data);
    expect(() => verified({ ...receiver.received[0]!, body: '{}' }, secret)).toThrow();
    expect((await webhooks.deliveries(id)).map(({ attributes }) => attributes)).toMatchObject([
      { status: 'delivered', attempts: 1, response_status: 204, response_body: '', error: null, next_attempt_at: null },
      { status: 'delivered', attempts: 1 },
    ]);
    await world.admin.call('deleteArea', { params: { area_id: area } });
    await webhooks.deliverUntil(() => receiver.received.length === 3);
    expect(verified(receiver.received[2]!, secret)).toMatchObject({ type: 'area.deleted', data: { record: null } });
  });

  it('get every event of a day on which the receiver was down, in order for each record', async () => {
    const world = await newWorld();
    const down = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id, secret } = await webhooks.create(down.url('/ok'));
    await down.stop();
    const areas = [await newArea(world, 'A'), await newArea(world, 'B')];
    for (const name of ['1', '2', '3']) for (const area of areas) await renameArea(world, area, `${area} ${name}`);
    await webhooks.deliverUntil(async () => (await webhooks.deliveries(id)).length === 8);
    for (let hour = 0; hour < 24; hour++) {
      webhooks.advance(day / 24);
      await webhooks.deliver();
    }
    const waiting = (await webhooks.deliveries(id)).map(({ attributes }) => attributes);
    expect(waiting.map(({ status }) => status)).toEqual(Array(8).fill('waiting'));
    // Only the first of each record was tried.
    expect(waiting.filter(({ attempts }) => (attempts as number) > 0)).toHaveLength(2);
    expect((await webhooks.show(id)).failing_since).not.toBeNull();
    const up = await startReceiver(down.port);
    for (let hour = 0; hour < 24 && up.received.length < 8; hour++) {
      webhooks.advance(day / 24);
      await webhooks.deliver();
    }
    const arrived = up.received.map((request) => verified(request, secret));
    for (const area of areas)
      expect(
        arrived
          .filter(({ data }) => data.event!.attributes['record_id'] === area)
          .map(({ data }) => (data.event!.attributes['changes'] as { name: string[] }).name[1]),
      ).toEqual([area === areas[0] ? 'A' : 'B', `${area} 1`, `${area} 2`, `${area} 3`]);
    expect(new Set(up.received.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
    expect((await webhooks.show(id)).failing_since).toBeNull();
  });

  it('keep the id of a message and make its body anew at every attempt', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { secret } = await webhooks.create(receiver.url('/fail'), { events: ['area.created'] });
    const area = await newArea(world, 'Kitchen');
    await webhooks.deliverUntil(() => receiver.received.length === 1);
    await webhooks.deliver();
    expect(receiver.received).toHaveLength(1);
    await renameArea(world, area, 'Bar');
    webhooks.advance(6_000);
    await webhooks.deliver();
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
    const names = [first!, second!].map((request) => verified(request, secret).data.record!.attributes['name']);
    expect(names).toEqual(['Kitchen', 'Bar']);
  });

  it('fail for good after 5 days, are switched off then, and can be redelivered', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id } = await webhooks.create(receiver.url('/fail'), { events: ['area.created'] });
    await newArea(world, 'Kitchen');
    await webhooks.deliverUntil(() => receiver.received.length === 1);
    for (let hours = 0; hours < 125; hours++) {
      webhooks.advance(3_600_000);
      await webhooks.deliver();
    }
    // At once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, three days, and at the end of the fifth.
    expect(receiver.received).toHaveLength(12);
    const [failed] = await webhooks.deliveries(id);
    expect(failed!.attributes).toMatchObject({ status: 'failed', response_status: 500, response_body: 'broken' });
    expect(await webhooks.show(id)).toMatchObject({ active: false, deactivation_reason: 'failing' });
    const notices = await world.admin.call('listNotifications', { query: 'filter[type]=eq:notification' });
    expect(notices.body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual([
      'A webhook was switched off',
    ]);
    const history = await world.admin.call('listEvents', { query: { 'filter[name]': 'eq:webhook.updated' } });
    expect(history.body.data[0].attributes).toMatchObject({ actor_type: 'job', changes: { active: [true, false] } });
    const change = bodyOf('webhook', { active: true, url: receiver.url('/ok') });
    await world.admin.call('updateWebhook', { at: webhooks.at, params: { webhook_id: id }, body: change });
    const params = { webhook_id: id, webhook_delivery_id: failed!.id };
    expect((await world.admin.call('createWebhookRedelivery', { params })).status).toBe(201);
    await webhooks.deliver();
    expect((await webhooks.deliveries(id))[0]!.attributes).toMatchObject({ status: 'delivered', attempts: 13 });
  });

  it('are switched off by 410, and are not told what happens until they are switched on again', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id } = await webhooks.create(receiver.url('/gone'), { events: ['area.created'] });
    await newArea(world, 'Kitchen');
    await webhooks.deliverUntil(() => receiver.received.length === 1);
    expect(await webhooks.show(id)).toMatchObject({ active: false, deactivation_reason: 'gone' });
    await newArea(world, 'Bar');
    const change = bodyOf('webhook', { active: true, url: receiver.url('/ok') });
    await webhooks.deliver();
    await world.admin.call('updateWebhook', { at: webhooks.at, params: { webhook_id: id }, body: change });
    await newArea(world, 'Cellar');
    await webhooks.deliverUntil(
      async () => (await webhooks.deliveries(id)).at(-1)!.attributes['status'] === 'delivered',
    );
    expect(await webhooks.show(id)).toMatchObject({ active: true, deactivation_reason: null });
    expect((await webhooks.deliveries(id)).length).toBeLessThanOrEqual(3);
  });

  it('are told about the events and workspaces that they name, and those of their account only', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id, secret } = await webhooks.create(receiver.url('/ok'), {
      events: ['area.created', 'webhook.*'],
      workspace_ids: [world.workspaceId],
    });
    const area = await newArea(world, 'Kitchen');
    await renameArea(world, area, 'Bar');
    await newArea(other, 'Elsewhere');
    await webhooks.create(receiver.url('/ok'), { events: ['*'], active: false });
    const last = await newArea(world, 'Last');
    await webhooks.deliverUntil(() => receiver.received.length >= 2);
    const seen = receiver.received.map((request) => verified(request, secret).data.event!.attributes);
    // Records have no order among each other.
    const inOrder = seen
      .map(({ name, record_id }) => [name, record_id])
      .sort((one, other) => Number(one[1]) - Number(other[1]));
    expect(inOrder).toEqual([
      ['area.created', area],
      ['area.created', last],
    ]);
    expect(await webhooks.deliveries(id)).toHaveLength(2);
  });

  it('are pinged, switched on or off', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    const { id, secret } = await webhooks.create(receiver.url('/ok'), { active: false });
    await world.admin.call('createWebhookPing', { params: { webhook_id: id } });
    webhooks.advance(3_600_000);
    await webhooks.deliver();
    expect(verified(receiver.received[0]!, secret)).toMatchObject({
      type: 'ping',
      data: { event: null, record: { id, type: 'webhook' } },
    });
    expect(receiver.received[0]!.body).not.toContain('whsec_');
  });

  it('that are slow delay no others', async () => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world);
    await webhooks.create(receiver.url('/slow'));
    await webhooks.create(receiver.url('/ok'));
    for (let number = 0; number < 5; number++) await newArea(world, `Area ${number}`);
    await webhooks.deliverUntil(() => receiver.received.length === 10);
    expect(receiver.received.filter(({ path }) => path === '/slow')).toHaveLength(5);
  });
});
