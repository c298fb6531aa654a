import { describe, expect, it } from 'vitest';
import { twoWeeks, typeOf } from '../../../support/absences.ts';
import { accountDigest, changedTables } from '../../../support/database/account_rows.ts';
import { inboxOf, warn } from '../../../support/notifications.ts';
import { insertAbsence, insertTimeTracking } from '../../../support/records.ts';
import { service } from '../../../support/service.ts';
import { tagTitled } from '../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../support/world.ts';

/*
 * A batch runs later than the request that starts it. If its starter loses their rights in between, it does only what they may
 * still do.
 */

interface Batch {
  readonly operation: string;
  readonly attributes: (world: World, starter: Person) => Promise<object>;
}

const onTracking = (action: string, more: object = {}): Batch => ({
  operation: 'batchTimeTrackings',
  attributes: async (world) => ({ action, ids: [await insertTimeTracking(world, world.employee.id)], ...more }),
});

const onAbsence = (action: string): Batch => ({
  operation: 'batchAbsences',
  attributes: async (world) => ({ action, ids: [await insertAbsence(world, world.employee.id)] }),
});

/** Every action of every batch, on a record of the employee. */
const batches: Record<string, Batch> = {
  tag: {
    operation: 'batchTimeTrackings',
    attributes: async (world, starter) => ({
      ...(await onTracking('tag').attributes(world, starter)),
      tag_ids: [await tagTitled(world, 'Night')],
    }),
  },
  follower: {
    operation: 'batchTimeTrackings',
    attributes: async (world, starter) => ({
      ...(await onTracking('follower').attributes(world, starter)),
      follower_ids: [starter.id],
    }),
  },
  note: onTracking('note', { note: { content: 'Please check.' } }),
  confirm: onTracking('confirm'),
  unconfirm: {
    operation: 'batchTimeTrackings',
    attributes: async (world) => {
      const id = await insertTimeTracking(world, world.employee.id);
      await world.db.updateTable('time_trackings').set({ confirmed: true }).where('id', '=', id).execute();
      return { action: 'unconfirm', ids: [id] };
    },
  },
  'destroy time trackings': onTracking('destroy'),
  'confirm absences': onAbsence('confirm'),
  'reject absences': onAbsence('reject'),
  'reset absences': onAbsence('reset'),
  'create absences': {
    operation: 'batchAbsences',
    attributes: async (world) => ({
      action: 'create',
      absence_type_id: await typeOf(world),
      user_ids: [world.employee.id],
      ...twoWeeks,
    }),
  },
  'destroy notifications': {
    operation: 'batchNotifications',
    attributes: async (world, starter) => {
      await warn(world, world.employee.id);
      return { action: 'destroy', ids: (await inboxOf(starter)).map(({ id }) => id) };
    },
  },
};

/** Every way in which a workspace admin loses their rights. */
const losses: Record<string, (world: World, starter: Person) => Promise<{ status: number }>> = {
  'becomes an employee': ({ admin }, { id }) =>
    admin.call('updateUser', { params: { user_id: id }, body: bodyOf('user', { role_ids: [1] }) }),
  'becomes an admin of areas without members': ({ admin }, { id }) =>
    admin.call('updateUser', { params: { user_id: id }, body: bodyOf('user', { role_ids: [2] }) }),
  'is deactivated': ({ enterprise }, { id }) => enterprise('deactivatePublicUser', { body: { user: { id } } }),
  'is deleted': ({ admin }, { id }) => admin.call('deleteUser', { params: { user_id: id } }),
};

/** Starts batches, takes rights away from their starter, and returns what the batches changed when they ran, and their progress. */
async function runAfterLoss(world: World, starter: Person, started: readonly Batch[], loss: string) {
  const { db, accountId } = world;
  for (const { operation, attributes } of started) {
    const body = bodyOf('batch_action', await attributes(world, starter));
    const answer = await starter.call(operation, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  expect((await losses[loss]!(world, starter)).status).toBe(200);
  const before = await accountDigest(db, accountId);
  await (await service()).jobs.drain();
  const changed = changedTables(before, await accountDigest(db, accountId));
  const progress = await db
    .selectFrom('batches')
    .select(['action', 'total', 'done', 'failed'])
    .where('account_id', '=', accountId)
    .execute();
  return { changed: changed.filter((table) => table !== 'batches' && table !== 'batch_items'), progress };
}

describe('every batch', () => {
  it.each(Object.keys(losses))(
    'changes nothing, and every item fails, if its starter %s before it runs',
    async (loss) => {
      const world = await newWorld();
      const starter = await world.addMember('workspaceAdmin', 'Starter');
      const { changed, progress } = await runAfterLoss(world, starter, Object.values(batches), loss);
      expect(changed).toEqual([]);
      expect(progress).toHaveLength(Object.keys(batches).length);
      for (const { action, total, done, failed } of progress)
        expect({ action, total, done, failed }).toEqual({ action, total: 1, done: 0, failed: 1 });
    },
  );
});

describe('a batch of absences whose starter becomes an employee before it runs', () => {
  it('creates their own absence and no other', async () => {
    const world = await newWorld();
    const starter = await world.addMember('workspaceAdmin', 'Starter');
    const batch = batches['create absences']!;
    const forBoth = async () => ({
      ...(await batch.attributes(world, starter)),
      user_ids: [world.employee.id, starter.id],
    });
    const both = { ...batch, attributes: forBoth };
    const { progress } = await runAfterLoss(world, starter, [both], 'becomes an employee');
    expect(progress).toMatchObject([{ total: 2, done: 1, failed: 1 }]);
    const absences = await world.db
      .selectFrom('absences')
      .select('user_id')
      .where('account_id', '=', world.accountId)
      .execute();
    expect(absences).toEqual([{ user_id: starter.id }]);
  });
});
