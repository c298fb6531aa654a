import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startBatch } from '../../../../src/platform/batches/batches.ts';
import { actorOf, insertTimeTracking } from '../../../support/records.ts';
import { service } from '../../../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../support/world.ts';

const now = new Date('2026-01-05T16:00:00Z');

async function startAs(world: World, person: Person, ids: number[]): Promise<string> {
  const actor = await actorOf(world, person);
  const batch = { action: 'notifications.destroy', itemType: 'notification', ids, input: {} } as const;
  return (await world.db.transaction().execute((transaction) => startBatch(transaction, actor, batch, now))).batch_id;
}

const look = (person: Person, batchId: string) => person.call('getBatchAction', { params: { batch_id: batchId } });

describe('getBatchAction', () => {
  it('200 before, and after the work is done', async () => {
    const world = await newWorld();
    const batchId = await startAs(world, world.admin, [1, 2]);
    const { status, body } = await look(world.admin, batchId);
    expect(status).toBe(200);
    const created = {
      action: 'destroy',
      state: 'queued',
      total: 2,
      done: 0,
      failed: 0,
      failures: [],
      created_at: '2026-01-05T16:00:00Z',
    };
    expect(body.data).toMatchObject({ type: 'batch_action', id: batchId, attributes: created });
    await (await service()).jobs.drain();
    expect((await look(world.admin, batchId)).body.data.attributes).toMatchObject({ state: 'finished', done: 2 });
  });

  it('200 and names failed trackings by the ids that v3 shows', async () => {
    const world = await newWorld();
    const uuid = randomUUID();
    const [punched, typed] = [
      await insertTimeTracking(world, world.employee.id, { uuid }),
      await insertTimeTracking(world, world.employee.id),
    ];
    const batchId = await startAs(world, world.admin, [punched, typed]);
    const failed = {
      account_id: world.accountId,
      batch_id: batchId,
      item_type: 'time_tracking',
      failure: 'It is running.',
    };
    await world.db
      .insertInto('batch_items')
      .values([punched, typed].map((item_id, position) => ({ ...failed, item_id, position })))
      .execute();
    expect((await look(world.admin, batchId)).body.data.attributes.failures).toEqual([
      { id: uuid, type: 'time_tracking', reason: 'It is running.' },
      { id: String(typed), type: 'time_tracking', reason: 'It is running.' },
    ]);
  });

  it('200 for its starter and for admins of the workspace, 403 for everybody else', async () => {
    const world = await newWorld();
    const [starter, another, workspaceAdmin] = [
      await world.addMember('areaAdmin'),
      await world.addMember('areaAdmin'),
      await world.addMember('workspaceAdmin'),
    ];
    const batchId = await startAs(world, starter, []);
    const statuses = await Promise.all(
      [starter, workspaceAdmin, world.admin, another, world.employee].map(
        async (person) => (await look(person, batchId)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 403, 403]);
  });

  it('404 for an unknown id, an impossible one, one of another workspace and one of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const batchId = await startAs(world, world.admin, []);
    for (const id of [randomUUID(), 'abc', '1']) expect((await look(world.admin, id)).status).toBe(404);
    expect((await look(other.admin, batchId)).status).toBe(404);
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    expect(
      (await world.admin.call('getBatchAction', { params: { batch_id: batchId, workspace_id: body.data.id } })).status,
    ).toBe(404);
  });
});
