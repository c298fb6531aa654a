import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../../../src/platform/config.ts';
import { deliveryOf } from '../../../../../src/programs/job_handlers.ts';
import { serviceWith } from '../../../../support/service.ts';
import { bodyOf, type World } from '../../../../support/world.ts';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver in a process of its own. */
export async function startReceiver(port = 0, host = '127.0.0.1', onEnd: typeof onTestFinished = onTestFinished) {
  const file = path.join(import.meta.dirname, 'receiver.js');
  const child = spawn(process.execPath, [file, String(port), host], { stdio: ['ignore', 'pipe', 'inherit'] });
  const received: Received[] = [];
  const lines = createInterface({ input: child.stdout });
  const opened = await new Promise<number>((resolve) => {
    lines.on('line', (line) => {
      const parsed = JSON.parse(line) as { port?: number } & Received;
      if (parsed.port !== undefined) resolve(parsed.port);
      else received.push(parsed);
    });
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  };
  onEnd(stop);
  return { port: opened, url: (name: string) => `http://${host}:${opened}${name}`, received, stop };
}

const settings = { WEBHOOK_ALLOW_PRIVATE: 'on' };

type DeliveryOptions = NonNullable<Parameters<typeof deliveryOf>[2]>;

/** Webhooks of one account, with a clock that the test moves. */
export async function webhooksOf(world: World, options: DeliveryOptions = {}) {
  const at = await serviceWith(settings);
  let now = new Date();
  const delivery = deliveryOf(world.watchedDb, readConfig(settings), { clock: () => now, ...options });
  onTestFinished(() => delivery.stop());
  const create = async (url: string, attributes: object = {}): Promise<{ id: string; secret: string }> => {
    const body = bodyOf('webhook', { url, events: ['area.*'], ...attributes });
    const response = await world.admin.call('createWebhook', { at, body });
    expect([response.status, response.body.errors]).toEqual([201, undefined]);
    return { id: response.body.data.id, secret: response.body.data.attributes.secret };
  };
  const show = async (id: string) =>
    (await world.admin.call('getWebhook', { params: { webhook_id: id } })).body.data.attributes;
  const deliveries = async (id: string): Promise<{ id: string; attributes: Record<string, unknown> }[]> => {
    const request = { params: { webhook_id: id }, query: { sort: 'id', items: 100 } };
    return (await world.admin.call('listWebhookDeliveries', request)).body.data;
  };
  const deliver = () => delivery.deliverDue(world.accountId);
  const deliverToAll = () => delivery.deliverDue();
  /** Delivers until it is so: an event is settled only once every older transaction has ended, those of other tests too. */
  const deliverUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < 1500; tries++) {
      await deliver();
      if (await isSo()) return;
      await pause(100);
    }
    throw new Error('It did not happen within 150 seconds.');
  };
  const advance = (ms: number): void => void (now = new Date(now.getTime() + ms));
  return { at, create, show, deliveries, deliver, deliverToAll, deliverUntil, advance, now: () => now };
}

/** Verifies a request as a receiver does, at the time of its timestamp. Returns its content. */
export function verified({ headers, body }: Received, secret: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 });
  try {
    return new Webhook(secret).verify(body, headers) as {
      type: string;
      timestamp: string;
      data: {
        event: { attributes: Record<string, unknown> } | null;
        record: { attributes: Record<string, unknown> } | null;
      };
    };
  } finally {
    vi.useRealTimers();
  }
}

/** Area by name, through the API. */
export const newArea = async ({ admin }: World, name: string): Promise<string> =>
  (await admin.call('createArea', { body: bodyOf('area', { name }) })).body.data.id;

export const renameArea = (world: World, area_id: string, name: string) =>
  world.admin.call('updateArea', { params: { area_id }, body: bodyOf('area', { name }) });
