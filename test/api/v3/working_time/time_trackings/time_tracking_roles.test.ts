import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../../support/client.ts';
import { png } from '../../../../support/images.ts';
import { areaWith, record, tagTitled, trackingBody } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

/*
 * The rights to a time tracking of an employee in the area Bar: every role calls every operation. After each change there is a
 * new time tracking.
 */

const breakBody = bodyOf('break', { starts_at: '2026-01-05T09:00:00Z', ends_at: '2026-01-05T09:10:00Z' });

interface Target {
  readonly owner: Person;
  readonly id: string;
  readonly breakId: string;
  readonly noteId: string;
}

/** Each operation, as a request on a tracking. The note is the owner's. */
const operations: Record<string, (target: Target) => RequestOptions> = {
  createTimeTracking: ({ owner }) => ({ body: trackingBody({}, { user: owner.id }) }),
  listTimeTrackings: () => ({}),
  getTimeTracking: () => ({}),
  updateTimeTracking: () => ({ body: bodyOf('time_tracking', { ends_at: '2026-01-05T11:00:00Z' }) }),
  confirmTimeTracking: () => ({}),
  deleteTimeTracking: () => ({}),
  batchTimeTrackings: ({ id }) => ({ body: bodyOf('batch_action', { action: 'confirm', ids: [id] }) }),
  listBreaks: () => ({}),
  createBreak: () => ({ body: breakBody }),
  getBreak: () => ({}),
  updateBreak: () => ({ body: bodyOf('break', { ends_at: '2026-01-05T08:45:00Z' }) }),
  deleteBreak: () => ({}),
  listTimeTrackingNotes: () => ({}),
  createTimeTrackingNote: () => ({ body: bodyOf('note', { content: 'x' }) }),
  updateTimeTrackingNote: () => ({ body: bodyOf('note', { content: 'x' }) }),
  deleteTimeTrackingNote: () => ({}),
  listTimeTrackingTags: () => ({}),
  createTimeTrackingTag: () => ({ body: bodyOf('tag', { title: 'Night' }) }),
  listTimeTrackingFollowers: () => ({}),
  createTimeTrackingFollowers: ({ owner }) => ({ body: bodyOf('follower', { follower_ids: [owner.id] }) }),
  deleteTimeTrackingFollower: () => ({}),
  listTimeTrackingAttachments: () => ({}),
  createTimeTrackingAttachments: () => ({ files: [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }] }),
  listTimeTrackingSignatures: () => ({}),
  createTimeTrackingSignature: () => ({ files: [{ field: 'image', name: 'a.png', bytes: png }] }),
};

/** owner, colleague, follower, area admin of Bar, area admin elsewhere, workspace admin, account admin, stranger. */
const expected: Record<string, string> = {
  createTimeTracking: '201 403 403 201 403 201 201 404',
  listTimeTrackings: '200 200 200 200 200 200 200 404',
  getTimeTracking: '200 403 200 200 403 200 200 404',
  updateTimeTracking: '200 403 403 200 403 200 200 404',
  confirmTimeTracking: '403 403 403 200 403 200 200 404',
  deleteTimeTracking: '403 403 403 200 403 200 200 404',
  batchTimeTrackings: '403 403 403 200 400 200 200 404',
  listBreaks: '200 403 200 200 403 200 200 404',
  createBreak: '201 403 403 201 403 201 201 404',
  getBreak: '200 403 200 200 403 200 200 404',
  updateBreak: '200 403 403 200 403 200 200 404',
  deleteBreak: '200 403 403 200 403 200 200 404',
  listTimeTrackingNotes: '200 403 200 200 403 200 200 404',
  createTimeTrackingNote: '201 403 201 201 403 201 201 404',
  updateTimeTrackingNote: '200 403 403 403 403 403 403 404',
  deleteTimeTrackingNote: '200 403 403 200 403 200 200 404',
  listTimeTrackingTags: '200 403 200 200 403 200 200 404',
  createTimeTrackingTag: '403 403 403 201 403 201 201 404',
  listTimeTrackingFollowers: '200 403 200 200 403 200 200 404',
  createTimeTrackingFollowers: '403 403 403 200 403 200 200 404',
  deleteTimeTrackingFollower: '403 403 403 200 403 200 200 404',
  listTimeTrackingAttachments: '200 403 200 200 403 200 200 404',
  createTimeTrackingAttachments: '201 403 201 201 403 201 201 404',
  listTimeTrackingSignatures: '200 403 200 200 403 200 200 404',
  createTimeTrackingSignature: '201 403 403 201 403 201 201 404',
};

describe('roles × operations', () => {
  let world: World;
  let bar: string;
  let follower: Person;
  let people: Person[];

  beforeAll(async () => {
    world = await newWorld();
    const [colleague, areaAdmin, otherAdmin] = [await world.addMember('employee', 'colleague'), await world.addMember('areaAdmin'), await world.addMember('areaAdmin', 'elsewhere')]; // prettier-ignore
    follower = await world.addMember('employee', 'follower');
    bar = await areaWith(world, 'Bar', [areaAdmin, world.employee]);
    await areaWith(world, 'Kitchen', [otherAdmin]);
    await tagTitled(world, 'Night');
    people = [
      world.employee,
      colleague,
      follower,
      areaAdmin,
      otherAdmin,
      await world.addMember('workspaceAdmin'),
      world.admin,
      world.stranger,
    ];
  });

  async function target(): Promise<Target> {
    const owner = world.employee;
    const breaks_attributes = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const { id, relationships } = await record(owner, { breaks_attributes }, { area: bar });
    const params = { time_tracking_id: id };
    const { body } = await owner.call('createTimeTrackingNote', { params, body: bodyOf('note', { content: 'x' }) });
    await world.admin.call('createTimeTrackingFollowers', {
      params,
      body: bodyOf('follower', { follower_ids: [follower.id] }),
    });
    return { owner, id, breakId: relationships['breaks']!.data[0]!.id, noteId: body.data.id as string };
  }

  it.each(Object.keys(operations))(
    '%s',
    async (operation) => {
      const statuses: number[] = [];
      const isRead = /^(get|list)/.test(operation);
      let on = await target();
      for (const person of people) {
        if (!isRead && statuses.length > 0) on = await target();
        const params = {
          time_tracking_id: on.id,
          break_id: on.breakId,
          user_note_id: on.noteId,
          follower_id: follower.id,
        };
        statuses.push((await person.call(operation, { ...operations[operation]!(on), params })).status);
      }
      expect(statuses.join(' ')).toBe(expected[operation]);
      // Hundreds of trackings at the same hour would cause warnings about overlaps.
      await world.db.deleteFrom('working_time_violations').where('account_id', '=', world.accountId).execute();
      await world.db.deleteFrom('time_trackings').where('account_id', '=', world.accountId).execute();
    },
    60_000,
  );
});
