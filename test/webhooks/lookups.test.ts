import dns from 'node:dns/promises';
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import { titlesIn } from '../support/client.ts';
import { bodyOf, newWorld } from '../support/world.ts';

const body = (host: string) => ({ body: bodyOf('webhook', { url: `https://${host}/`, events: ['*'] }) });

describe('the look-up of the name of a webhook', () => {
  let looking: Mock<(host: string) => Promise<{ address: string; family: number }[]>>;
  beforeEach(() => {
    looking = vi.fn();
    vi.spyOn(dns, 'lookup').mockImplementation(looking as never);
  });
  afterEach(() => void vi.restoreAllMocks());

  it('that hangs is given up, and every delivery looks again', async () => {
    const { admin } = await newWorld();
    looking.mockReturnValue(new Promise(() => {}));
    const created = await admin.call('createWebhook', body('hanging.test'));
    expect(created.status).toBe(201);
    const params = { webhook_id: created.body.data.id };
    expect((await admin.call('updateWebhook', { params, ...body('hanging.test') })).status).toBe(200);
  });

  it('that hangs holds no connection meanwhile', async () => {
    const { admin } = await newWorld();
    looking.mockReturnValue(new Promise(() => {}));
    let wasServed = false;
    // The look-up is given up after 3 seconds. A slow machine may need more than one try.
    for (let tries = 0; tries < 10 && !wasServed; tries++) {
      looking.mockClear();
      let isOver = false;
      const hanging = admin.call('createWebhook', body('hanging.test')).finally(() => (isOver = true));
      await vi.waitFor(() => expect(looking).toHaveBeenCalled(), { timeout: 60_000, interval: 5 });
      // The embedded database has one connection. A transaction that waits would keep this from its turn.
      const area = await admin.call('createArea', { body: bodyOf('area', { name: `Bar ${tries}` }) });
      expect(area.status).toBe(201);
      wasServed = !isOver;
      await hanging;
    }
    expect(wasServed).toBe(true);
  }, 120_000);

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1'])(
    'that finds %s is 400',
    async (address) => {
      const { admin } = await newWorld();
      looking.mockResolvedValue([{ address, family: address.includes(':') ? 6 : 4 }]);
      const response = await admin.call('createWebhook', body('name.test'));
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`url leads to ${address}. Only public addresses are allowed.`]);
    },
  );

  it('that finds nothing at the moment does not matter, because every delivery looks again', async () => {
    const { admin } = await newWorld();
    looking.mockRejectedValue(new Error('ENOTFOUND'));
    expect((await admin.call('createWebhook', body('name.test'))).status).toBe(201);
  });
});
