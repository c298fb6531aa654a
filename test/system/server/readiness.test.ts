import { sql } from 'kysely';
import net from 'node:net';
import pg from 'pg';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Db } from '../../../src/platform/db/connection.ts';
import { somebodyWaits } from '../../support/database/distribution.ts';
import { service, serviceWith } from '../../support/service.ts';
import { bodyOf, newWorld } from '../../support/world.ts';
import { slack } from '../../support/verification.ts';

/** A proxy to PostgreSQL that can be frozen: connections stay open, but no data passes. */
async function openFreezableWay(directUrl: string) {
  const { hostname, port } = new URL(directUrl);
  const sockets = new Set<net.Socket>();
  let isFrozen = false;
  const way = net.createServer((socket) => {
    const server = net.connect(Number(port), hostname);
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => (sockets.delete(from), to.destroy()));
      from.on('data', (chunk) => to.write(chunk));
      if (isFrozen) from.pause();
    }
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const url = new URL(directUrl);
  url.hostname = '127.0.0.1';
  url.port = String((way.address() as net.AddressInfo).port);
  return {
    url: url.href,
    freeze: () => ((isFrozen = true), sockets.forEach((socket) => socket.pause())),
    thaw: () => ((isFrozen = false), sockets.forEach((socket) => socket.resume())),
    close: () => (way.close(), sockets.forEach((socket) => socket.destroy())),
  };
}

describe('PostgreSQL that stops responding', () => {
  it('is not ready within two seconds, and is ready again when it goes on', async () => {
    const way = await openFreezableWay((await service()).directUrl!);
    const database = await openDatabase({ url: way.url, poolSize: 4 });
    onTestFinished(async () => {
      way.close();
      await database.close();
    });
    const at = await serviceWith({}, { database });
    const ready = async () => (await supertest(at).get('/health/ready')).status;
    expect(await ready()).toBe(200);
    way.freeze();
    // More requests than the pool has connections.
    for (let round = 0; round < 6; round++) {
      const startedAt = performance.now();
      expect(await ready()).toBe(503);
      expect(performance.now() - startedAt).toBeLessThan(2_000 * slack);
    }
    way.thaw();
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
  });
});

describe('a statement that PostgreSQL has cancelled', () => {
  const cancellations = [
    ['by its timeout', '-c statement_timeout=500', async () => {}],
    [
      'by an operator',
      '-c application_name=cancelled',
      async (db: Db) => {
        const cancel = sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where application_name = 'cancelled' and state = 'active' and datname = current_database()`;
        do await somebodyWaits(db);
        while ((await cancel.execute(db)).rows.length === 0);
      },
    ],
  ] as const;

  it.each(cancellations)('%s is 503 with Retry-After', async (_how, options, cancel) => {
    const { directUrl } = await service();
    const { admin, accountId, db } = await newWorld();
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Veranda' }) });
    const url = new URL(directUrl!);
    url.searchParams.set('options', options);
    const database = await openDatabase({ url: url.href, poolSize: 2 });
    const other = new pg.Client({ connectionString: directUrl! });
    await other.connect();
    onTestFinished(async () => {
      await other.end();
      await database.close();
    });
    await other.query('begin');
    await other.query('select from areas where account_id = $1 and id = $2 for update', [accountId, area.body.data.id]);
    const change = admin.call('updateArea', {
      at: await serviceWith({}, { database }),
      params: { area_id: area.body.data.id },
      body: bodyOf('area', { name: 'Garden' }),
    });
    await cancel(db);
    expect(await change).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { errors: [{ status: 'service_unavailable' }] },
    });
  });
});
