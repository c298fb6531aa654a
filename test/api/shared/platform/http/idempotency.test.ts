import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const areaNamed = (name: string, key: string) => ({
  body: bodyOf('area', { name }),
  headers: { 'Idempotency-Key': key },
});
const areasOf = async ({ admin }: World): Promise<number> => (await admin.call('listAreas')).body.meta.total_count;

describe('Idempotency-Key', () => {
  it('repeats the first response, and carries nothing out again', async () => {
    const world = await newWorld();
    const key = randomUUID();
    const first = await world.admin.call('createArea', areaNamed('Bar', key));
    const second = await world.admin.call('createArea', areaNamed('Bar', key));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(await areasOf(world)).toBe(1);
  });

  it('100 equal requests at once make one record and get 100 equal answers', async () => {
    const world = await newWorld();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => world.admin.call('createArea', areaNamed('Bar', key))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(await areasOf(world)).toBe(1);
  });

  it('409 for another request under the same key', async () => {
    const world = await newWorld();
    const key = randomUUID();
    await world.admin.call('createArea', areaNamed('Bar', key));
    const response = await world.admin.call('createArea', areaNamed('Kitchen', key));
    expect(response.status).toBe(409);
    expect(pointersIn(response)).toEqual(['Idempotency-Key']);
    expect(await areasOf(world)).toBe(1);
  });

  it('belongs to its caller', async () => {
    const world = await newWorld();
    const key = randomUUID();
    await world.admin.call('createArea', areaNamed('Bar', key));
    const colleague = await world.addMember('workspaceAdmin');
    expect((await colleague.call('createArea', areaNamed('Kitchen', key))).status).toBe(201);
    expect((await world.stranger.call('createArea', areaNamed('Bar', key))).status).toBe(404);
  });

  it('is free again after a request that failed', async () => {
    const world = await newWorld();
    const key = randomUUID();
    expect((await world.admin.call('createArea', areaNamed('', key))).status).toBe(400);
    expect((await world.admin.call('createArea', areaNamed('Bar', key))).status).toBe(201);
  });

  it('is free again after a day', async () => {
    const world = await newWorld();
    const key = randomUUID();
    await world.admin.call('createArea', areaNamed('Bar', key));
    const yesterday = new Date(Date.now() - 24 * 3600 * 1000 - 1000);
    await world.db
      .updateTable('idempotency_keys')
      .set({ created_at: yesterday })
      .where('account_id', '=', world.accountId)
      .execute();
    expect((await world.admin.call('createArea', areaNamed('Kitchen', key))).status).toBe(201);
  });
});
