import net from 'node:net';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Database } from '../../../../../src/platform/db/connection.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { slack } from '../../../../support/verification.ts';

/** The same database with every transaction read-only, as after a failover. */
async function openReadOnly(): Promise<Database> {
  const { database, directUrl } = await service();
  if (directUrl === undefined) {
    await database.pool.query('set default_transaction_read_only = on');
    onTestFinished(async () => void (await database.pool.query('set default_transaction_read_only = off')));
    return database;
  }
  const url = new URL(directUrl);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const readOnly = await openDatabase({ url: url.href, poolSize: 2 });
  onTestFinished(() => readOnly.close());
  return readOnly;
}

describe('a read-only database', () => {
  it('is not ready, takes no writes for now, and is read', async () => {
    const { admin, apiToken } = await newWorld();
    const at = await serviceWith({}, { database: await openReadOnly() });
    expect((await supertest(at).get('/health/ready')).status).toBe(503);
    const write = await admin.call('createArea', { at, body: bodyOf('area', { name: 'Terrace' }) });
    expect(write).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { errors: [{ status: 'service_unavailable' }] },
    });
    expect((await admin.call('getCurrentUser', { at })).status).toBe(200);
    expect((await supertest(at).get('/public_api/v1/ping').query({ api_token: apiToken })).status).toBe(200);
  });
});

describe('a database that takes connections and never answers', () => {
  it('is not ready within two seconds, however often it is asked', async () => {
    const sockets = new Set<net.Socket>();
    const silent = net.createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const database = await openDatabase({ url: `postgres://nobody@127.0.0.1:${port}/nothing`, poolSize: 2 });
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
      await database.close();
    });
    const at = await serviceWith({}, { database });
    expect((await supertest(at).get('/health/live')).status).toBe(200);
    for (let round = 0; round < 4; round++) {
      const startedAt = performance.now();
      expect((await supertest(at).get('/health/ready')).status).toBe(503);
      expect(performance.now() - startedAt).toBeLessThan(2_000 * slack);
    }
  });
});
