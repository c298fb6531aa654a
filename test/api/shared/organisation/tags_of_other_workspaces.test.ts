import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../../support/enterprise.ts';
import { punch } from '../../../support/punches.ts';
import { record, trackingBody } from '../../../support/time_trackings.ts';
import { bodyOf } from '../../../support/world.ts';

/*
 * A tag belongs to one workspace. Every request that names tags by id is sent with a tag of the account's other workspace, and
 * with a tag of another account: each is refused, and no record carries the tag afterwards.
 */

type Send = (world: Enterprise, tag: number) => Promise<{ status: number; body: unknown }>;

/** Every way to tag a record, with the member of the request that names the tags. */
const ways: [string, string, Send][] = [
  [
    'createTimeTracking',
    'tags',
    ({ admin }, tag) => admin.call('createTimeTracking', { body: trackingBody({}, { tags: [tag] }) }),
  ],
  [
    'updateTimeTracking',
    'tags',
    async ({ admin }, tag) => {
      const { id } = await record(admin);
      const tags = { data: [{ type: 'tag', id: tag }] };
      return admin.call('updateTimeTracking', {
        params: { time_tracking_id: id },
        body: bodyOf('time_tracking', {}, { tags }),
      });
    },
  ],
  [
    'batchTimeTrackings',
    'tag_ids',
    async ({ admin }, tag) => {
      const { id } = await record(admin);
      return admin.call('batchTimeTrackings', {
        body: bodyOf('batch_action', { action: 'tag', ids: [id], tag_ids: [tag] }),
      });
    },
  ],
  [
    'createAction',
    'taggings_attributes',
    ({ admin }, tag) => punch(admin, 'start', { taggings_attributes: [{ tag_id: tag }] }),
  ],
  [
    'createActionTagging',
    'tag_id',
    async ({ admin }, tag) => {
      const { body } = await punch(admin, 'start');
      return admin.call('createActionTagging', {
        params: { action_id: body.data.id },
        body: bodyOf('tagging', { tag_id: tag }),
      });
    },
  ],
  [
    'createUser',
    'filter_ids',
    ({ admin }, tag) => admin.call('createUser', { body: bodyOf('user', { username: 'Erin', filter_ids: [tag] }) }),
  ],
  ...(['filter_ids', 'tag_ids'] as const).map((member): [string, string, Send] => [
    'updateUser',
    member,
    ({ admin, employee }, tag) =>
      admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { [member]: [tag] }) }),
  ]),
  [
    'createPublicUser',
    'tags',
    ({ enterprise, workspaceId }, tag) =>
      enterprise('createPublicUser', { body: { user: { username: 'Erin', location_ids: workspaceId, tags: tag } } }),
  ],
  [
    'updatePublicUser',
    'tags',
    ({ enterprise, employee }, tag) =>
      enterprise('updatePublicUser', { body: { user: { id: employee.id, tags: tag } } }),
  ],
];

/** The number of records with a tag. */
async function usesOf({ db }: Enterprise, tag: number): Promise<number> {
  let count = 0;
  for (const table of ['time_tracking_tags', 'taggings', 'user_tags'] as const)
    count += (await db.selectFrom(table).select('tag_id').where('tag_id', '=', tag).execute()).length;
  return count;
}

describe('a tag of another workspace', () => {
  it.each(ways)('%s 400 at %s, whether the workspace is of this account or not', async (_operation, pointer, send) => {
    const [world, stranger] = [await newEnterprise(), await newEnterprise()];
    const { id: otherWorkspace } = await world.newLocation('Elsewhere');
    const foreign = [await world.newTag('Night', otherWorkspace), await stranger.newTag('Night')];
    for (const tag of foreign) {
      const { status, body } = await send(world, tag);
      expect({ status, pointers: pointersIn({ body } as never) }).toEqual({ status: 400, pointers: [pointer] });
      expect(await usesOf(world, tag)).toBe(0);
      await punch(world.admin, 'end');
    }
  });

  it('createTimeTrackingTag 201 with the tag of its own workspace, although another has the same title', async () => {
    const world = await newEnterprise();
    const { id: otherWorkspace } = await world.newLocation('Elsewhere');
    const [foreign, own] = [await world.newTag('Night', otherWorkspace), await world.newTag('Night')];
    const { id } = await record(world.admin);
    const { status, body } = await world.admin.call('createTimeTrackingTag', {
      params: { time_tracking_id: id },
      body: bodyOf('tag', { title: 'Night' }),
    });
    expect([status, body.data.id]).toEqual([201, String(own)]);
    expect(await usesOf(world, foreign)).toBe(0);
  });
});
