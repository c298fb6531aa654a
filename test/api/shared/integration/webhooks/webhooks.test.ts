import { describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const url = 'https://hooks.example.com/punchcard';
const body = (attributes: object = {}) => ({ body: bodyOf('webhook', { url, events: ['*'], ...attributes }) });
const of = (webhook_id: string | number, more: object = {}) => ({ params: { webhook_id, ...more } });

const create = async (admin: Person, attributes: object = {}): Promise<string> => {
  const response = await admin.call('createWebhook', body(attributes));
  expect(response.status).toBe(201);
  return response.body.data.id;
};

describe('createWebhook', () => {
  it('201 with the secret, which is stored encrypted and never shown again', async () => {
    const { db, admin, accountId } = await newWorld();
    const created = await admin.call('createWebhook', body({ description: 'Payroll' }));
    expect(created.status).toBe(201);
    const { secret, ...attributes } = created.body.data.attributes;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(attributes).toMatchObject({
      url,
      events: ['*'],
      workspace_ids: null,
      active: true,
      deactivation_reason: null,
      description: 'Payroll',
      failing_since: null,
    });
    const shown = await admin.call('getWebhook', of(created.body.data.id));
    expect(shown.body.data.attributes).toEqual(attributes);
    const { rows } = await sql<{ text: string }>`
      select (select webhooks::text from webhooks where account_id = ${accountId})
        || (select string_agg(events::text, '') from events where account_id = ${accountId}) as text`.execute(db);
    expect(rows[0]!.text).toContain('webhook.created');
    expect(rows[0]!.text).not.toContain(secret.slice(6, 30));
  });

  it.each([
    ['no address', 'hooks.example.com'],
    ['another protocol', 'ftp://hooks.example.com'],
    ['http', 'http://hooks.example.com'],
    ['a password', 'https://kim:secret@hooks.example.com'],
    ['a private address', 'https://10.0.0.1/'],
    ['a name that leads to loopback', 'https://localhost/'],
  ])('400 for %s', async (_what, wrong) => {
    const { admin } = await newWorld();
    const response = await admin.call('createWebhook', body({ url: wrong }));
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['url']);
  });

  it('400 for unknown events and workspaces of others', async () => {
    const { admin, stranger } = await newWorld();
    expect((await admin.call('createWebhook', body({ events: ['pizza.ordered'] }))).status).toBe(400);
    expect((await admin.call('createWebhook', body({ events: ['pizza.*'] }))).status).toBe(400);
    const me = await stranger.call('getCurrentUser');
    const others = me.body.data.relationships.workspaces?.data?.[0]?.id ?? '999999';
    const response = await admin.call('createWebhook', body({ workspace_ids: [others] }));
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['workspace_ids']);
  });

  it('400 for more than 50, counted correctly when they are created at the same time', async () => {
    const { admin, db, accountId } = await newWorld();
    for (let number = 0; number < 48; number++) await create(admin);
    const created = await Promise.all([1, 2, 3, 4].map(() => admin.call('createWebhook', body())));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
    expect(titlesIn(created.find(({ status }) => status === 400)!)[0]).toContain('50 are allowed');
    const rows = await db.selectFrom('webhooks').select('id').where('account_id', '=', accountId).execute();
    expect(rows).toHaveLength(50);
  });

  it('403 for workspace admins, 404 for strangers', async () => {
    const { addMember, stranger } = await newWorld();
    expect((await (await addMember('workspaceAdmin')).call('createWebhook', body())).status).toBe(403);
    expect((await stranger.call('createWebhook', body())).status).toBe(404);
  });
});

describe('listWebhooks and getWebhook', () => {
  it('200 filtered and sorted', async () => {
    const { admin } = await newWorld();
    const first = await create(admin, { description: 'A' });
    const second = await create(admin, { description: 'B', active: false });
    const all = await admin.call('listWebhooks', { query: { sort: '-description' } });
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    const active = await admin.call('listWebhooks', { query: { 'filter[active]': 'eq:true' } });
    expect(active.body.data.map(({ id }: { id: string }) => id)).toEqual([first]);
    expect((await admin.call('listWebhooks', { query: { page: 0 } })).status).toBe(400);
    expect((await admin.call('getWebhook', of(first))).status).toBe(200);
  });

  it('403 for employees, 404 for strangers and unknown ids', async () => {
    const { admin, employee, stranger } = await newWorld();
    const id = await create(admin);
    for (const operation of ['listWebhooks', 'getWebhook']) {
      expect((await employee.call(operation, of(id))).status).toBe(403);
      expect((await stranger.call(operation, of(id))).status).toBe(404);
    }
    for (const unknown of ['x', '0', '999999999'])
      expect((await admin.call('getWebhook', of(unknown))).status).toBe(404);
  });
});

describe('updateWebhook and deleteWebhook', () => {
  it('200 changes what is sent, and leaves events', async () => {
    const { admin, workspaceId } = await newWorld();
    const id = await create(admin);
    const change = { events: ['area.*', 'area.*'], workspace_ids: [workspaceId], active: false };
    const updated = await admin.call('updateWebhook', { ...of(id), body: bodyOf('webhook', change) });
    expect(updated.body.data.attributes).toMatchObject({
      url,
      events: ['area.*'],
      workspace_ids: [String(workspaceId)],
      active: false,
    });
    const all = { workspace_ids: null, active: true };
    const again = await admin.call('updateWebhook', { ...of(id), body: bodyOf('webhook', all) });
    expect(again.body.data.attributes).toMatchObject({ workspace_ids: null, active: true });
    expect((await admin.call('deleteWebhook', of(id))).body.data.id).toBe(id);
    expect((await admin.call('deleteWebhook', of(id))).status).toBe(404);
    const events = await admin.call('listEvents', { query: { 'filter[record_type]': 'eq:webhook', sort: 'id' } });
    expect(events.body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.updated',
      'webhook.deleted',
    ]);
    expect(events.body.data[1].attributes.changes).toEqual({
      events: [['*'], ['area.*']],
      workspace_ids: [null, [workspaceId]],
      active: [true, false],
    });
  });

  it('400 for a private address, 403 for employees, 404 for strangers, 412 for an old tag', async () => {
    const { admin, employee, stranger } = await newWorld();
    const id = await create(admin);
    const change = { ...of(id), body: bodyOf('webhook', { url: 'https://[::1]/' }) };
    expect((await admin.call('updateWebhook', change)).status).toBe(400);
    for (const operation of ['updateWebhook', 'deleteWebhook']) {
      expect((await employee.call(operation, change)).status).toBe(403);
      expect((await stranger.call(operation, change)).status).toBe(404);
      const headers = { 'If-Match': '"old"' };
      const request = { ...of(id), headers, ...(operation === 'updateWebhook' ? { body: bodyOf('webhook', {}) } : {}) };
      expect((await admin.call(operation, request)).status).toBe(412);
      expect((await admin.call(operation, { ...request, headers: { 'If-Match': 'x' } })).status).toBe(400);
    }
  });
});

describe('pings, deliveries and redeliveries', () => {
  it('201 a ping waits, and can be redelivered', async () => {
    const { admin } = await newWorld();
    const id = await create(admin);
    const ping = await admin.call('createWebhookPing', of(id));
    expect(ping.status).toBe(201);
    expect(ping.body.data.attributes).toMatchObject({ event: 'ping', record_id: id, status: 'waiting', attempts: 0 });
    const listed = await admin.call('listWebhookDeliveries', { ...of(id), query: { 'filter[status]': 'eq:waiting' } });
    expect(listed.body.data).toEqual([ping.body.data]);
    const again = await admin.call('createWebhookRedelivery', of(id, { webhook_delivery_id: ping.body.data.id }));
    expect(again.status).toBe(201);
    expect(again.body.data.attributes.message_id).toBe(ping.body.data.attributes.message_id);
  });

  it('400 for a redelivery to a webhook that is switched off, and for bad requests', async () => {
    const { admin } = await newWorld();
    const id = await create(admin, { active: false });
    const ping = await admin.call('createWebhookPing', of(id));
    expect(ping.status).toBe(201);
    const delivery = of(id, { webhook_delivery_id: ping.body.data.id });
    expect((await admin.call('createWebhookRedelivery', delivery)).status).toBe(400);
    expect((await admin.call('listWebhookDeliveries', { ...of(id), query: { items: 0 } })).status).toBe(400);
    const headers = { 'Idempotency-Key': '' };
    expect((await admin.call('createWebhookPing', { ...of(id), headers })).status).toBe(400);
  });

  it('403 for employees, 404 for strangers and for deliveries of another webhook', async () => {
    const { admin, employee, stranger } = await newWorld();
    const [id, other] = [await create(admin), await create(admin)];
    const ping = await admin.call('createWebhookPing', of(id));
    const delivery = of(id, { webhook_delivery_id: ping.body.data.id });
    for (const operation of ['createWebhookPing', 'listWebhookDeliveries', 'createWebhookRedelivery']) {
      expect((await employee.call(operation, delivery)).status).toBe(403);
      expect((await stranger.call(operation, delivery)).status).toBe(404);
      const unknown = of('999999999', { webhook_delivery_id: ping.body.data.id });
      expect((await admin.call(operation, unknown)).status).toBe(404);
    }
    const elsewhere = of(other, { webhook_delivery_id: ping.body.data.id });
    expect((await admin.call('createWebhookRedelivery', elsewhere)).status).toBe(404);
  });
});
