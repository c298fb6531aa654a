import { describe, expect, it } from 'vitest';
import { changesIn } from '../../../../support/events/recorded.ts';
import { punch } from '../../../../support/punches.ts';
import { record, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('a request that is repeated', () => {
  it('leaves one event for the tag of a time tracking', async () => {
    const world = await newWorld();
    const tag_id = Number(await tagTitled(world, 'Night'));
    const { id } = await record(world.employee);
    const tagging = { tag_id, taggable_type: 'TimeTracking', taggable_id: id };
    for (let times = 0; times < 2; times++)
      await world.admin.call('createTagging', { body: bodyOf('tagging', tagging) });
    expect((await changesIn(world, 'time_tracking', 'tagging')).slice(1)).toEqual([
      { 'time_tracking.updated': { tag_ids: [[], [tag_id]] } },
    ]);
  });

  it('leaves one event for the tag of an action, and one for its time tracking', async () => {
    const world = await newWorld();
    const tag_id = Number(await tagTitled(world, 'Night'));
    const action_id = (await punch(world.employee, 'start')).body.data.id;
    for (let times = 0; times < 2; times++)
      await world.admin.call('createActionTagging', { params: { action_id }, body: bodyOf('tagging', { tag_id }) });
    expect((await changesIn(world, 'time_tracking', 'tagging')).slice(1)).toEqual([
      { 'tagging.created': { tag_id: [null, tag_id], taggable_id: [null, action_id] } },
      { 'time_tracking.updated': { tag_ids: [[], [tag_id]] } },
    ]);
  });

  it('leaves one event for a working session that is confirmed', async () => {
    const world = await newWorld();
    const { id } = await record(world.employee);
    for (let times = 0; times < 2; times++)
      await world.enterprise('confirmWorkingSession', { body: { working_session: { id: Number(id) } } });
    expect((await changesIn(world, 'time_tracking')).slice(1)).toEqual([
      { 'time_tracking.confirmed': { confirmed: [false, true] } },
    ]);
  });
});
