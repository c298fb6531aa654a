import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { punch, at, trackingsOf, area } from '../../../../support/punches.ts';
import { tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('createAction', () => {
  it('400 names every problem at once', async () => {
    const { employee } = await newWorld();
    const body = bodyOf('actions', {
      action_type: 'pause',
      action_time: '2026-02-30T08:00:00Z',
      taggings_attributes: [{}],
    });
    const response = await employee.call('createAction', { body });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['action_time', 'action_type', 'taggings_attributes/0/tag_id', 'type']);
  });

  it('400 for a time without an offset', async () => {
    const { employee } = await newWorld();
    expect(pointersIn(await punch(employee, 'start', { action_time: '2026-03-02T08:00:00' }))).toEqual(['action_time']);
  });

  it('400 for a punch that does not fit says what is running since when', async () => {
    const { employee } = await newWorld();
    for (const type of ['end', 'start-break', 'end-break']) {
      const response = await punch(employee, type);
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`${type} does not fit: no time tracking is running. Punch start first.`]);
    }
    await punch(employee, 'start', { action_time: at('08:00:00') });
    await punch(employee, 'start-break', { action_time: at('12:00:00') });
    const response = await punch(employee, 'start');
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['action_type']);
    expect(titlesIn(response)).toEqual([
      'start does not fit: a time tracking is running since 2026-03-02T08:00:00+01:00, with a break since 2026-03-02T12:00:00+01:00. Punch end first.',
    ]);
    expect((await punch(employee, 'start-break')).status).toBe(400);
  });

  it('400 for a time before the last punch or far in the future, and nothing is written', async () => {
    const world = await newWorld();
    await punch(world.employee, 'start', { action_time: at('08:00:00') });
    const early = await punch(world.employee, 'end', { action_time: at('07:59:59') });
    expect(titlesIn(early)).toEqual([
      'action_time must not be before the last punch of the running time tracking, the start at 2026-03-02T08:00:00+01:00, but was 2026-03-02T07:59:59+01:00.',
    ]);
    const late = await punch(world.employee, 'end', { action_time: new Date(Date.now() + 310_000).toISOString() });
    expect(pointersIn(late)).toEqual(['action_time']);
    expect((await trackingsOf(world, world.employee.id))[0]!.ends_at).toBeNull();
    expect((await world.employee.call('listActions')).body.meta.total_count).toBe(1);
  });

  it('400 for users and tags that are not of this workspace, together', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const [foreign, old] = [await tagTitled(other, 'Night'), await tagTitled(world, 'Old', { active: false })];
    const response = await punch(world.admin, 'start', {
      user_id: other.employee.id,
      taggings_attributes: [{ tag_id: foreign }, { tag_id: 'abc' }, { tag_id: old }],
    });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      `user_id names ${other.employee.id}, which is no user of this workspace.`,
      `taggings_attributes names "abc", ${foreign}, which is no tag of this workspace.`,
      `taggings_attributes names ${old}, which is no active tag.`,
    ]);
  });

  it('400 for an admin who is no member of the workspace', async () => {
    const world = await newWorld();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Second' }) });
    const accountAdmin = await world.addMember('accountAdmin');
    const response = await accountAdmin.call('createAction', {
      params: { workspace_id: body.data.id },
      body: bodyOf('action', { action_type: 'start' }),
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['user_id']);
  });

  it('403 for an employee in the name of another, and for an area admin outside their areas', async () => {
    const world = await newWorld();
    const { areaAdmin, member } = await area(world);
    expect((await punch(world.employee, 'start', { user_id: member.id })).status).toBe(403);
    expect((await punch(areaAdmin, 'start', { user_id: world.employee.id })).status).toBe(403);
  });

  it('403 for an employee who tags where the workspace does not let them', async () => {
    const world = await newWorld();
    const tag_id = await tagTitled(world, 'Night');
    expect((await punch(world.employee, 'start', { taggings_attributes: [{ tag_id }] })).status).toBe(403);
    expect(await trackingsOf(world, world.employee.id)).toEqual([]);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await punch(stranger, 'start')).status).toBe(404);
  });
});
