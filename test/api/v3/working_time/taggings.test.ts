import { describe, expect, it } from 'vitest';
import { titlesIn } from '../../../support/client.ts';
import { punch, trackingsOf } from '../../../support/punches.ts';
import { record, systemNotes, tagTitled, unknownUuid } from '../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

const tag = (person: Person, tag_id: unknown, taggable_id: unknown, taggable_type = 'TimeTracking') =>
  person.call('createTagging', { body: bodyOf('tagging', { tag_id, taggable_id, taggable_type }) });

const at = (tagging_id: string) => ({ params: { tagging_id } });

/** A world with a time tracking of the employee, and the tag Night. */
async function tagged() {
  const world = await newWorld();
  const night = await tagTitled(world, 'Night');
  return { world, night, tracking: await record(world.employee) };
}

describe('createTagging', () => {
  it('201 tags a time tracking, once', async () => {
    const { world, night, tracking } = await tagged();
    const { status, body } = await tag(world.admin, night, tracking.id);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'tagging',
      attributes: { taggable_type: 'TimeTracking', taggable_id: tracking.id },
      relationships: { tag: { data: { type: 'tag', id: night } } },
    });
    expect((await tag(world.admin, night, tracking.id)).body.data.id).toBe(body.data.id);
    const shown = await world.admin.call('getTimeTracking', { params: { time_tracking_id: tracking.id } });
    expect(shown.body.data.relationships.tags.data).toEqual([{ type: 'tag', id: night }]);
    expect((await systemNotes(world.admin, tracking.id)).at(-1)).toContain('Night');
  });

  it('201 tags an action and its running time tracking, which has a UUID', async () => {
    const { world, night } = await tagged();
    const action = (await punch(world.employee, 'start', { action_time: new Date().toISOString() })).body.data;
    const ofAction = await tag(world.admin, night, action.id, 'WorkingSessionAction');
    expect(ofAction.status).toBe(201);
    expect(ofAction.body.data.attributes).toEqual({
      taggable_type: 'WorkingSessionAction',
      taggable_id: action.id,
    });
    const [running] = await trackingsOf(world, world.employee.id).then((rows) => rows.filter(({ uuid }) => uuid));
    const { body } = await world.admin.call('listTaggings', {
      query: { 'filter[taggable_id]': `eq:${running!.uuid}` },
    });
    expect(body.data).toMatchObject([{ attributes: { taggable_type: 'TimeTracking', taggable_id: running!.uuid } }]);
  });

  it('201 for employees on their own records where the workspace lets them, 403 otherwise', async () => {
    const { world, night, tracking } = await tagged();
    expect((await tag(world.employee, night, tracking.id)).status).toBe(403);
    await world.admin.call('updateWorkspace', {
      body: bodyOf('workspace', { allow_employees_tag_working_sessions: true }),
    });
    expect((await tag(world.employee, night, tracking.id)).status).toBe(201);
    const colleague = await world.addMember('employee', 'colleague');
    expect((await tag(colleague, night, tracking.id)).status).toBe(403);
  });

  it('400 for records and tags that are unknown, inactive or of another account', async () => {
    const { world, night, tracking } = await tagged();
    const other = await tagged();
    const inactive = await tagTitled(world, 'Old', { active: false });
    for (const id of ['4711', 'first', unknownUuid, other.tracking.id]) {
      const response = await tag(world.admin, night, id);
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`taggable_id names "${id}", which is no time tracking of this workspace.`]);
    }
    expect((await tag(world.admin, night, unknownUuid, 'WorkingSessionAction')).status).toBe(400);
    for (const id of [inactive, other.night, '0', 'x'])
      expect((await tag(world.admin, id, tracking.id)).status).toBe(400);
    expect((await tag(world.admin, night, tracking.id, 'Absence')).status).toBe(400);
    const { body } = await world.admin.call('listTaggings');
    expect(body.data).toEqual([]);
  });

  it('404 for a stranger', async () => {
    const { world, night, tracking } = await tagged();
    expect((await tag(world.stranger, night, tracking.id)).status).toBe(404);
  });
});

describe('listTaggings and getTagging', () => {
  it('200 show the taggings of the records that the caller may read', async () => {
    const { world, night, tracking } = await tagged();
    const own = await record(world.admin);
    const [ofEmployee, ofAdmin] = [await tag(world.admin, night, tracking.id), await tag(world.admin, night, own.id)];
    const idsFor = async (person: Person, query: Record<string, string> = {}): Promise<string[]> =>
      (await person.call('listTaggings', { query })).body.data.map(({ id }: { id: string }) => id).sort();
    expect(await idsFor(world.employee)).toEqual([ofEmployee.body.data.id]);
    expect(await idsFor(world.admin)).toEqual([ofEmployee.body.data.id, ofAdmin.body.data.id].sort());
    expect(await idsFor(world.admin, { 'filter[tag_id]': `eq:${night}`, 'filter[taggable_type]': 'eq:TimeTracking' }))
      .toHaveLength(2); // prettier-ignore
    const shown = await world.employee.call('getTagging', at(ofEmployee.body.data.id));
    expect(shown.body.data).toEqual(ofEmployee.body.data);
    expect((await world.employee.call('getTagging', at(ofAdmin.body.data.id))).status).toBe(403);
    for (const id of [unknownUuid, '1']) expect((await world.admin.call('getTagging', at(id))).status).toBe(404);
    const other = await newWorld();
    expect((await other.admin.call('getTagging', at(ofAdmin.body.data.id))).status).toBe(404);
    expect((await world.admin.call('listTaggings', { query: { page: 'x' } })).status).toBe(400);
    expect((await world.stranger.call('listTaggings')).status).toBe(404);
  });
});

describe('deleteTagging', () => {
  it('200 takes the tag off the time tracking with a system note, and off an action alone', async () => {
    const { world, night, tracking } = await tagged();
    const { body } = await tag(world.admin, night, tracking.id);
    const deleted = await world.admin.call('deleteTagging', at(body.data.id));
    expect(deleted.status).toBe(200);
    expect(deleted.body.data).toEqual(body.data);
    expect((await systemNotes(world.admin, tracking.id)).at(-1)).toContain('Night');
    expect((await world.admin.call('deleteTagging', at(body.data.id))).status).toBe(404);

    const action = (await punch(world.employee, 'start', { action_time: new Date().toISOString() })).body.data;
    const ofAction = await tag(world.admin, night, action.id, 'WorkingSessionAction');
    expect((await world.admin.call('deleteTagging', at(ofAction.body.data.id))).status).toBe(200);
    const left = await world.admin.call('listTaggings');
    expect(left.body.data).toMatchObject([{ attributes: { taggable_type: 'TimeTracking' } }]);
  });

  it('200 for one of many at once', async () => {
    const { world, night, tracking } = await tagged();
    const { body } = await tag(world.admin, night, tracking.id);
    const answers = await Promise.all([1, 2, 3].map(() => world.admin.call('deleteTagging', at(body.data.id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  it('403 for employees whom the workspace does not let, 412 for an outdated ETag', async () => {
    const { world, night, tracking } = await tagged();
    const { body } = await tag(world.admin, night, tracking.id);
    expect((await world.employee.call('deleteTagging', at(body.data.id))).status).toBe(403);
    const headers = { 'If-Match': '"outdated"' };
    expect((await world.admin.call('deleteTagging', { ...at(body.data.id), headers })).status).toBe(412);
    const { headers: shown } = await world.admin.call('getTagging', at(body.data.id));
    const fresh = { 'If-Match': shown.etag! };
    expect((await world.admin.call('deleteTagging', { ...at(body.data.id), headers: fresh })).status).toBe(200);
  });
});
