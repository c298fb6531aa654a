import { describe, expect, it } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { startReceiver, webhooksOf } from './support.ts';

/** Hosts that lead to this machine, to its neighbours, or to where cloud providers keep credentials. */
const hosts = [
  ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '169.254.169.254', '[::ffff:a9fe:a9fe]'],
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '192.168.1.1', '0.0.0.0', '[fd00:ec2::254]'],
  // Decimal, octal and hexadecimal spellings.
  ...['2130706433', '0177.0.0.1', '0x7f.1', '127.1', '2852039166', '0251.0376.0251.0376', '012.0.0.1'],
];

/** What names resolve to that lead there. */
const addresses = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1', 'fd00:ec2::254'];

const familyOf = (address: string): number => (address.includes(':') ? 6 : 4);

describe('a webhook', () => {
  it('cannot be created or changed so that it leads to a forbidden address', async () => {
    const { admin } = await newWorld();
    const body = (url: string) => ({ body: bodyOf('webhook', { url, events: ['*'] }) });
    const created = await admin.call('createWebhook', body('https://93.184.215.14/'));
    const params = { webhook_id: created.body.data.id };
    for (const host of [...hosts, 'localhost'])
      for (const response of [
        await admin.call('createWebhook', body(`https://${host}/`)),
        await admin.call('updateWebhook', { params, ...body(`https://${host}/`) }),
      ]) {
        expect([host, response.status]).toEqual([host, 400]);
        expect(titlesIn(response)[0]).toContain('Only public addresses are allowed.');
      }
  });

  /** Sends a ping to a url that became forbidden after the webhook was created, and returns why it failed. */
  const pinging = async (resolved: () => string) => {
    const world = await newWorld();
    const resolve = async () => [{ address: resolved(), family: familyOf(resolved()) }];
    const webhooks = await webhooksOf(world, { policyFor: () => ({ allowsPrivate: false, resolve }) });
    const { id } = await webhooks.create('http://127.0.0.1/', { events: ['webhook.deleted'] });
    return async (url: string) => {
      await world.db
        .updateTable('webhooks')
        .set({ url })
        .where('account_id', '=', world.accountId)
        .where('id', '=', Number(id))
        .execute();
      await world.admin.call('createWebhookPing', { params: { webhook_id: id } });
      webhooks.advance(1_000);
      await webhooks.deliver();
      return (await webhooks.deliveries(id)).at(-1)!.attributes;
    };
  };

  it('that leads to a forbidden address gets nothing', async () => {
    const receiver = await startReceiver();
    const ping = await pinging(() => '127.0.0.1');
    for (const host of hosts)
      expect([host, await ping(`https://${host}:${receiver.port}/ok`)]).toMatchObject([
        host,
        {
          status: 'failed',
          response_status: null,
          error: expect.stringContaining('Only public addresses are allowed.'),
        },
      ]);
    expect(await ping(receiver.url('/ok'))).toMatchObject({ error: expect.stringContaining('https://') });
    expect(receiver.received).toEqual([]);
  });

  it('whose name leads to a forbidden address by now gets nothing', async () => {
    const receiver = await startReceiver();
    let address = '';
    const ping = await pinging(() => address);
    for (address of addresses)
      expect(await ping(`https://name.test:${receiver.port}/ok`)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(`leads to ${address}.`),
      });
    expect(receiver.received).toEqual([]);
  });
});
