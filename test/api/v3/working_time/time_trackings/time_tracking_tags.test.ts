import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { punched, record, systemNotes, tagTitled, tracked, unknownUuid } from '../../../../support/time_trackings.ts';
import { bodyOf, type Person } from '../../../../support/world.ts';

describe('createTimeTrackingTag', () => {
  const tag = (person: Person, id: string, attributes: object) =>
    person.call('createTimeTrackingTag', { params: { time_tracking_id: id }, body: bodyOf('tag', attributes) });

  it('201 with an existing tag, or with one that an admin creates by it, once', async () => {
    const { world, admin, id } = await tracked();
    const night = await tagTitled(world, 'Night');
    const first = await tag(admin, id, { title: 'Night', time_tracking_id: id });
    expect([first.status, first.body.data.id]).toEqual([201, night]);
    const made = await tag(admin, id, { title: 'Inventory' });
    expect(made.body.data).toMatchObject({
      type: 'tag',
      attributes: { title: 'Inventory', active: true, external_id: null, color: null },
    });
    const again = await tag(admin, id, { title: 'Night' });
    expect([again.status, again.body.data.id]).toEqual([201, night]);
    expect((await systemNotes(admin, id)).slice(1)).toEqual([
      'admin changed the tags from none to "Night".',
      'admin changed the tags from "Night" to "Night"; "Inventory".',
    ]);
  });

  it('201 for concurrent requests that create the same tag, each on another tracking', async () => {
    const { admin, employee } = await tracked();
    const trackings = await Promise.all(
      [1, 2, 3, 4].map((day) =>
        record(employee, { starts_at: `2026-02-0${day}T08:00:00Z`, ends_at: `2026-02-0${day}T10:00:00Z` }),
      ),
    );
    const answers = await Promise.all(trackings.map(({ id }) => tag(admin, id, { title: 'Stocktaking' })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('201 for an employee where the workspace lets them, also on a punched one by either id', async () => {
    const { world, admin, employee, id } = await tracked();
    await tagTitled(world, 'Night');
    expect((await tag(employee, id, { title: 'Night' })).status).toBe(403);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { allow_employees_tag_working_sessions: true }) });
    const { id: number } = await punched(world, employee.id, unknownUuid);
    expect((await tag(employee, id, { title: 'Night' })).status).toBe(201);
    expect((await tag(employee, unknownUuid, { title: 'Night', time_tracking_id: number })).status).toBe(201);
    expect((await tag(employee, id, { title: 'New' })).status).toBe(403);
  });

  it('400 for another tracking in the body, an inactive tag, and a blank title', async () => {
    const { world, admin, id } = await tracked();
    await tagTitled(world, 'Old', { active: false });
    expect(pointersIn(await tag(admin, id, { title: 'Night', time_tracking_id: unknownUuid }))).toEqual([
      'time_tracking_id',
    ]);
    expect(titlesIn(await tag(admin, id, { title: 'Old' }))).toEqual([
      'title names "Old", which is no active tag. Activate it first.',
    ]);
    expect(pointersIn(await tag(admin, id, { title: ' ' }))).toContain('title');
    expect((await systemNotes(admin, id)).length).toBe(1);
  });

  it('403 for a colleague, 404 for an unknown one', async () => {
    const { world, admin, colleague, id } = await tracked();
    await tagTitled(world, 'Night');
    expect((await tag(colleague, id, { title: 'Night' })).status).toBe(403);
    expect((await tag(admin, 'abc', { title: 'Night' })).status).toBe(404);
  });
});

describe('listTimeTrackingTags', () => {
  it('200 filtered, with includes', async () => {
    const { world, admin, employee } = await tracked();
    const [night, late] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Late')];
    await tagTitled(world, 'Unused');
    const { id } = await record(admin, {}, { user: employee.id, tags: [night, late] });
    const list = async (query: string) =>
      (await employee.call('listTimeTrackingTags', { params: { time_tracking_id: id }, query })).body;
    const titles = (body: { data: { attributes: { title: string } }[] }) =>
      body.data.map(({ attributes }) => attributes.title);
    expect(titles(await list(''))).toEqual(['Night', 'Late']);
    expect(titles(await list('filter[title]=pre:l'))).toEqual(['Late']);
    expect((await list('include=workspace,users')).included).toHaveLength(1);
  });

  it('400 for an invalid page, 403 for a colleague, 404 for an unknown one', async () => {
    const { admin, colleague, params } = await tracked();
    expect(pointersIn(await admin.call('listTimeTrackingTags', { params, query: 'outset=-1' }))).toEqual(['outset']);
    expect((await colleague.call('listTimeTrackingTags', { params })).status).toBe(403);
    expect((await admin.call('listTimeTrackingTags', { params: { time_tracking_id: '0' } })).status).toBe(404);
  });
});
