import { describe, expect, it } from 'vitest';
import { newWorld } from '../../../../support/world.ts';
import { newArea, startReceiver, verified, webhooksOf } from './support.ts';

describe('a delivery to a receiver', () => {
  /** Creates an area, and delivers its event to a webhook at the path until it was tried. */
  const deliveredTo = async (path: string, options: { readonly timeoutMs?: number } = {}) => {
    const world = await newWorld();
    const receiver = await startReceiver();
    const webhooks = await webhooksOf(world, options);
    const { id, secret } = await webhooks.create(receiver.url(path), { events: ['area.created'] });
    await newArea(world, 'Kitchen');
    await webhooks.deliverUntil(async () => ((await webhooks.deliveries(id))[0]?.attributes['attempts'] ?? 0) === 1);
    const [delivery] = await webhooks.deliveries(id);
    const paths = receiver.received.map((request) => {
      expect(verified(request, secret).type).toBe('area.created');
      return request.path;
    });
    return { delivery: delivery!.attributes, paths, webhook: await webhooks.show(id) };
  };

  it('that is slow succeeds', async () => {
    const { delivery, paths, webhook } = await deliveredTo('/slow');
    expect(delivery).toMatchObject({ status: 'delivered', response_status: 200, response_body: 'late', error: null });
    expect([paths, webhook.failing_since]).toEqual([['/slow'], null]);
  });

  it('that sends without end succeeds, and keeps 4 kB', async () => {
    const { delivery } = await deliveredTo('/huge');
    expect(delivery).toMatchObject({ status: 'delivered', response_status: 200, response_body: 'x'.repeat(4_096) });
  });

  it('that redirects is tried again later, and goes nowhere else', async () => {
    const { delivery, paths, webhook } = await deliveredTo('/redirect');
    expect(delivery).toMatchObject({
      status: 'waiting',
      response_status: 307,
      error: 'The receiver returned 307.',
      next_attempt_at: expect.any(String),
    });
    expect([paths, webhook.failing_since]).toEqual([['/redirect'], expect.any(String)]);
  });

  it('that hangs ends at its timeout, and is tried again later', async () => {
    const { delivery, webhook } = await deliveredTo('/hang', { timeoutMs: 1_000 });
    expect(delivery).toMatchObject({
      status: 'waiting',
      response_status: null,
      error: 'There was no response within 1 seconds.',
      next_attempt_at: expect.any(String),
    });
    expect(webhook.failing_since).not.toBeNull();
  });
});
