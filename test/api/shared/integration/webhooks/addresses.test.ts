import { describe, expect, it, vi } from 'vitest';
import { checkUrl, type Resolve } from '../../../../../src/integration/webhooks/addresses.ts';
import { send } from '../../../../../src/integration/webhooks/send.ts';
import { startReceiver } from './support.ts';

const answering = (...answers: string[]): Resolve => {
  let asked = 0;
  return async () => {
    const address = answers[Math.min(asked++, answers.length - 1)]!;
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
};

const strict = (...answers: string[]) => ({ allowsPrivate: false, resolve: answering(...answers) });
const lenient = (...answers: string[]) => ({ allowsPrivate: true, resolve: answering(...answers) });

const special = [
  ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.0.1'],
  ...['169.254.169.254', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '240.0.0.1', '168.63.129.16'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::7f00:1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'fe80::1', 'fec0::1', 'fd00:ec2::254', 'fc00::1'],
  ...['ff02::1', '100.100.100.200', '4000::1'],
];

/** Other ways to write 127.0.0.1 and 169.254.169.254. */
const spellings = ['2130706433', '0177.0.0.1', '0x7f.1', '127.1', '0x7f000001', '2852039166', '0251.0376.0251.0376'];

describe('addresses of webhooks', () => {
  it.each(special)('refuse %s, itself and as the address of a name', async (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect((await checkUrl(`https://${host}/`, strict())).refusal).toContain('Only public addresses are allowed.');
    expect((await checkUrl('https://name.test/', strict(address))).refusal).toContain('leads to');
  });

  it.each(spellings)('refuse the spelling %s', async (host) => {
    expect((await checkUrl(`https://${host}/`, strict())).refusal).toContain('leads to');
  });

  it('refuse a name if one of its addresses is private', async () => {
    const resolve: Resolve = async () => ['93.184.215.14', '10.0.0.1'].map((address) => ({ address, family: 4 }));
    expect((await checkUrl('https://name.test/', { allowsPrivate: false, resolve })).refusal).toContain('10.0.0.1');
  });

  it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
    'take the public address %s',
    async (address) => {
      expect((await checkUrl('https://name.test/', strict(address))).addresses?.[0]?.address).toBe(address);
      expect((await checkUrl('http://name.test/', strict(address))).refusal).toContain('https://');
    },
  );

  it('may be private where the operator permits it: https to private ones, http to loopback, metadata never', async () => {
    for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fc00::1', '100.64.0.1', '93.184.215.14'])
      expect((await checkUrl('https://name.test/', lenient(address))).refusal).toBeUndefined();
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect((await checkUrl('http://name.test/', lenient(address))).refusal).toBeUndefined();
    for (const address of ['10.0.0.1', '93.184.215.14'])
      expect((await checkUrl('http://name.test/', lenient(address))).refusal).toContain('loopback');
    for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '0.0.0.0'])
      expect((await checkUrl('https://name.test/', lenient(address))).refusal).toContain('leads to');
  });

  it('are checked at delivery too', async () => {
    const receiver = await startReceiver();
    const message = { url: `https://name.test:${receiver.port}/ok`, headers: {}, body: '{}' };
    expect((await send(message, strict('127.0.0.1'))).error).toContain('leads to 127.0.0.1');
    expect(receiver.received).toEqual([]);
  });

  it('do not change between the check and the connection', async () => {
    const checked = await startReceiver(0, '127.0.0.2');
    const other = await startReceiver(checked.port, '127.0.0.1');
    const message = { url: `http://name.test:${checked.port}/ok`, headers: {}, body: '{}' };
    const outcome = await send(message, lenient('127.0.0.2', '127.0.0.1'));
    expect(outcome).toEqual({ status: 204, body: '', error: null });
    await vi.waitFor(() => expect(checked.received).toHaveLength(1), { timeout: 60_000 });
    expect(other.received).toEqual([]);
  });
});

describe('a receiver', () => {
  const outcomeOf = async (name: string) => {
    const receiver = await startReceiver();
    const outcome = await send({ url: receiver.url(name), headers: {}, body: '{}' }, lenient(), 1_000);
    return { outcome, receiver };
  };

  it('that redirects is not followed', async () => {
    const { outcome, receiver } = await outcomeOf('/redirect');
    expect(outcome.status).toBe(307);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/redirect']);
  });

  it('that hangs is given up', async () => {
    const { outcome } = await outcomeOf('/hang');
    expect(outcome).toEqual({ status: null, body: null, error: 'There was no response within 1 seconds.' });
  });

  it('that sends without end is read to 4 kB', async () => {
    const { outcome } = await outcomeOf('/huge');
    expect([outcome.status, outcome.body!.length]).toEqual([200, 4_096]);
  });

  it('that never ends its response has still responded', async () => {
    const { outcome } = await outcomeOf('/half');
    expect(outcome).toEqual({ status: 200, body: 'half\ufffd', error: null });
  });

  it('that is down is an error', async () => {
    const { receiver } = await outcomeOf('/ok');
    await receiver.stop();
    const outcome = await send({ url: receiver.url('/ok'), headers: {}, body: '{}' }, lenient(), 1_000);
    expect(outcome.error).toContain('ECONNREFUSED');
  });
});
