import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { inboxOf, kindsIn, notifyUser, warn } from '../../../support/notifications.ts';
import { insertArea } from '../../../support/records.ts';
import { service } from '../../../support/service.ts';
import { bodyOf, newWorld } from '../../../support/world.ts';

const destroy = (attributes: object) => ({ body: bodyOf('batch_action', { action: 'destroy', ...attributes }) });

const drain = async () => (await service()).jobs.drain();

describe('batchNotifications', () => {
  it('404 for a stranger, who deletes nothing', async () => {
    const world = await newWorld();
    await notifyUser(world, world.admin.id);
    expect((await world.stranger.call('batchNotifications', destroy({ all: true }))).status).toBe(404);
    await drain();
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it('200 and deletes those named; unknown ones count as done', async () => {
    const world = await newWorld();
    for (let count = 0; count < 3; count++) await notifyUser(world, world.admin.id);
    const [first, second, third] = await inboxOf(world.admin);
    const { status, body } = await world.admin.call(
      'batchNotifications',
      destroy({ ids: [Number(first!.id), second!.id, 999999999] }),
    );
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ message: 'The batch process is running.' });
    await drain();
    expect((await inboxOf(world.admin)).map(({ id }) => id)).toEqual([third!.id]);
    const batch = await world.admin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(batch.body.data.attributes).toMatchObject({
      action: 'destroy',
      state: 'finished',
      total: 3,
      done: 3,
      failed: 0,
      failures: [],
    });
  });

  it('200 with an object in place of an array', async () => {
    const world = await newWorld();
    await notifyUser(world, world.admin.id);
    const [own] = await inboxOf(world.admin);
    expect((await world.admin.call('batchNotifications', destroy({ ids: { 0: own!.id } }))).status).toBe(200);
    await drain();
    expect(await inboxOf(world.admin)).toEqual([]);
  });

  it('200 with all: every one that the caller may delete, and no other', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    await warn(world, world.employee.id);
    await warn(world, world.admin.id);
    for (const person of [areaAdmin, world.employee, world.admin]) await notifyUser(world, person.id);
    expect((await areaAdmin.call('batchNotifications', destroy({ all: true, ids: ['7'] }))).status).toBe(200);
    await drain();
    expect(await kindsIn(areaAdmin)).toEqual([]);
    expect(await kindsIn(world.employee)).toEqual(['notification']);
    expect(await kindsIn(world.admin)).toEqual(['trigger_warning', 'notification']);
  });

  it('200 and reports what the caller may no longer delete when the work is done', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const area = await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    await warn(world, world.employee.id);
    const [own] = await inboxOf(areaAdmin);
    const { body } = await areaAdmin.call('batchNotifications', destroy({ ids: [own!.id] }));
    await world.db
      .deleteFrom('area_members')
      .where('account_id', '=', world.accountId)
      .where('area_id', '=', area)
      .execute();
    await drain();
    const batch = await areaAdmin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(batch.body.data.attributes).toMatchObject({
      state: 'finished',
      done: 0,
      failed: 1,
      failures: [{ id: own!.id, type: 'notification', reason: 'You are not authorized to delete this notification.' }],
    });
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it('400 for ids that the caller may not delete or that can be none, and nothing is done', async () => {
    const world = await newWorld();
    await notifyUser(world, world.employee.id);
    await notifyUser(world, world.admin.id);
    const [[foreign], [own]] = [await inboxOf(world.employee), await inboxOf(world.admin)];
    const response = await world.admin.call('batchNotifications', destroy({ ids: [foreign!.id, own!.id, 'abc'] }));
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      `ids names "abc", "${foreign!.id}", which is no notification that you may delete.`,
    ]);
    await drain();
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it.each([
    ['neither ids nor all', {}, 'ids'],
    ['all: false alone', { all: false }, 'ids'],
    ['an unknown action', { action: 'archive', ids: [] }, 'action'],
    ['keys that leave a gap', { ids: { 0: '1', 2: '3' } }, 'ids'],
    ['keys that are no numbers', { ids: { a: '1' } }, 'ids'],
    ['too many ids', { ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }, 'ids'],
    ['ids that are one text', { ids: '1,2' }, 'ids'],
  ])('400 for %s', async (_what, attributes, pointer) => {
    const { admin } = await newWorld();
    const response = await admin.call('batchNotifications', destroy(attributes));
    expect(response.status).toBe(400);
    expect(pointersIn(response)[0]).toMatch(new RegExp(`^${pointer}`));
  });

  it('403 for an employee', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('batchNotifications', destroy({ all: true }))).status).toBe(403);
  });
});
