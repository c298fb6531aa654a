import { describe, expect, it } from 'vitest';
import { addFollowers } from '../../../../src/platform/followers/followers.ts';
import { notifyFollowers } from '../../../../src/platform/notifications/notifications.ts';
import { inboxOf, now } from '../../../support/notifications.ts';
import { actorOf, insertAbsence, insertTimeTracking } from '../../../support/records.ts';
import { newWorld } from '../../../support/world.ts';

describe('notifyFollowers', () => {
  it('notifies every follower except the actor', async () => {
    const world = await newWorld();
    const { db, admin, employee } = world;
    const actor = await actorOf(world, admin);
    for (const owner of [
      { time_tracking_id: await insertTimeTracking(world, employee.id) },
      { absence_id: await insertAbsence(world, employee.id) },
    ]) {
      await addFollowers(db, actor, [owner], [admin.id, employee.id]);
      await notifyFollowers(db, actor, 'A record changed', [{ owner, message: 'It did.' }], now);
    }
    expect(await inboxOf(employee)).toMatchObject([
      { relationships: { entity: { data: { type: 'time_tracking' } } } },
      { relationships: { entity: { data: { type: 'absence' } } } },
    ]);
    expect(await inboxOf(admin)).toEqual([]);
  });
});
