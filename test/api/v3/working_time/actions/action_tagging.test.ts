import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { punch, trackingsOf, notesOf, tagsOf, letEmployeesTag, area } from '../../../../support/punches.ts';
import { tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

describe('createActionTagging', () => {
  const tag = (person: Person, action_id: string, tag_id: unknown) =>
    person.call('createActionTagging', { params: { action_id }, body: bodyOf('tagging', { tag_id }) });

  it('201 puts the tag on the action and on its tracking', async () => {
    const world = await newWorld();
    await letEmployeesTag(world);
    const night = await tagTitled(world, 'Night');
    const action = (await punch(world.employee, 'start')).body.data.id as string;
    const { status, body } = await tag(world.employee, action, Number(night));
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({ taggable_type: 'WorkingSessionAction', taggable_id: action });
    expect(body.data.relationships).toEqual({ tag: { data: { type: 'tag', id: night } } });
    const [tracking] = await trackingsOf(world, world.employee.id);
    expect(await tagsOf(world, tracking!.id)).toEqual([night]);
    expect((await notesOf(world, tracking!.id)).at(-1)).toBe('employee changed the tags from none to "Night".');
  });

  it('201 shows the tagging that is there', async () => {
    const world = await newWorld();
    const night = await tagTitled(world, 'Night');
    const action = (await punch(world.admin, 'start')).body.data.id as string;
    const first = await tag(world.admin, action, night);
    const again = await tag(world.admin, action, night);
    expect(again.status).toBe(201);
    expect(again.body.data).toEqual(first.body.data);
  });

  it('201 one of many concurrent requests creates it', async () => {
    const world = await newWorld();
    const night = await tagTitled(world, 'Night');
    const action = (await punch(world.admin, 'start')).body.data.id as string;
    const answers = await Promise.all(Array.from({ length: 5 }, () => tag(world.admin, action, night)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
  });

  it('400 once the tracking has ended or is deleted', async () => {
    const world = await newWorld();
    const night = await tagTitled(world, 'Night');
    const action = (await punch(world.admin, 'start')).body.data.id as string;
    const { body } = await punch(world.admin, 'end');
    const ended = await tag(world.admin, action, night);
    expect(ended.status).toBe(400);
    expect(titlesIn(ended)).toEqual([
      'The time tracking of this action has ended, and only actions of a running one can be tagged.',
    ]);
    await world.admin.call('deleteTimeTracking', {
      params: { time_tracking_id: body.data.attributes.working_session_id },
    });
    expect((await tag(world.admin, action, night)).status).toBe(400);
  });

  it('400 for a tag that is not of this workspace, inactive or missing', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const [foreign, old] = [await tagTitled(other, 'Night'), await tagTitled(world, 'Old', { active: false })];
    const action = (await punch(world.admin, 'start')).body.data.id as string;
    for (const id of [foreign, old, 'abc', undefined, null]) {
      const response = await tag(world.admin, action, id);
      expect(response.status).toBe(400);
      expect(pointersIn(response)).toEqual(['tag_id']);
    }
  });

  it('403 for an employee where the workspace does not let them, and for a colleague', async () => {
    const world = await newWorld();
    const night = await tagTitled(world, 'Night');
    const colleague = await world.addMember('employee');
    const action = (await punch(world.employee, 'start')).body.data.id as string;
    const { areaAdmin } = await area(world);
    expect((await tag(world.employee, action, night)).status).toBe(403);
    expect((await tag(areaAdmin, action, night)).status).toBe(403);
    await letEmployeesTag(world);
    expect((await tag(colleague, action, night)).status).toBe(403);
    expect((await tag(world.employee, action, night)).status).toBe(201);
  });

  it('404 for an unknown action', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const night = await tagTitled(world, 'Night');
    const foreign = (await punch(other.employee, 'start')).body.data.id as string;
    for (const id of [foreign, 'abc']) expect((await tag(world.admin, id, night)).status).toBe(404);
  });
});
