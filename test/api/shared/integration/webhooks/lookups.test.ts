import { describe, expect, it, vi } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { startNameServer } from '../../../../support/servers/name_server.ts';
import { serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

const body = (host: string) => ({ body: bodyOf('webhook', { url: `https://${host}/`, events: ['*'] }) });

/** A service that asks a name server of ours. */
async function asking(addresses: Record<string, string[]> = {}) {
  const server = await startNameServer(addresses);
  return { server, at: await serviceWith({ WEBHOOK_DNS: server.at }) };
}

describe('the look-up of the name of a webhook', () => {
  it('that gets no answer is given up, and every delivery looks again', async () => {
    const { at, server } = await asking();
    const { admin } = await newWorld();
    const created = await admin.call('createWebhook', { at, ...body('silent.test') });
    expect(created.status).toBe(201);
    const params = { webhook_id: created.body.data.id };
    expect((await admin.call('updateWebhook', { at, params, ...body('silent2.test') })).status).toBe(200);
    expect([...server.asked]).toEqual(['silent.test', 'silent2.test']);
  });

  it('that gets no answer holds no connection meanwhile', async () => {
    const { at, server } = await asking();
    const { admin } = await newWorld();
    let wasServed = false;
    // The look-up is given up after 3 seconds. A slow machine may need more than one try.
    for (let tries = 0; tries < 10 && !wasServed; tries++) {
      let isOver = false;
      const waiting = admin
        .call('createWebhook', { at, ...body(`silent${tries}.test`) })
        .finally(() => (isOver = true));
      await vi.waitFor(() => expect(server.asked.size).toBe(tries + 1), { timeout: 60_000, interval: 5 });
      // The embedded database has one connection. A transaction that waits would keep this from its turn.
      const area = await admin.call('createArea', { at, body: bodyOf('area', { name: `Bar ${tries}` }) });
      expect(area.status).toBe(201);
      wasServed = !isOver;
      await waiting;
    }
    expect(wasServed).toBe(true);
  }, 120_000);

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1'])(
    'that finds %s is 400',
    async (address) => {
      const { at } = await asking({ 'name.test': [address] });
      const { admin } = await newWorld();
      const response = await admin.call('createWebhook', { at, ...body('name.test') });
      expect(response.status).toBe(400);
      const [title] = titlesIn(response);
      expect(title).toContain(`url leads to ${address}. Only public addresses are allowed.`);
      // Addresses of cloud metadata are refused in any case.
      expect(title!.includes('WEBHOOK_ALLOW_PRIVATE=on')).toBe(address !== '169.254.169.254');
    },
  );

  it('that finds nothing does not matter, and is not repeated for a while', async () => {
    const { at, server } = await asking();
    const { admin } = await newWorld();
    expect((await admin.call('createWebhook', { at, ...body('name.test') })).status).toBe(201);
    expect([...server.asked]).toEqual(['name.test']);
    server.asked.clear();
    expect((await admin.call('createWebhook', { at, ...body('name.test') })).status).toBe(201);
    expect([...server.asked]).toEqual([]);
  });

  it('is not made for localhost and for addresses', async () => {
    const { at, server } = await asking();
    const { admin } = await newWorld();
    for (const host of ['localhost', 'LOCALHOST.', 'here.localhost', '10.0.0.1', '[::1]'])
      expect([host, (await admin.call('createWebhook', { at, ...body(host) })).status]).toEqual([host, 400]);
    expect([...server.asked]).toEqual([]);
  });

  it('leaves room for other accounts, however many silent names one account has', async () => {
    const { at, server } = await asking({ 'name.test': ['10.0.0.1'] });
    const { admin } = await newWorld();
    const other = await newWorld();
    const silent = Array.from({ length: 40 }, (_, index) =>
      admin.call('createWebhook', { at, ...body(`silent${index}.test`) }),
    );
    await vi.waitFor(() => expect(server.asked.size).toBe(8), { timeout: 60_000, interval: 5 });
    expect((await other.admin.call('createWebhook', { at, ...body('name.test') })).status).toBe(400);
    expect((await Promise.all(silent)).map(({ status }) => status)).toEqual(silent.map(() => 201));
    expect(server.asked.size).toBe(9);
  });
});
