import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { createShift, monday, newRoster, newShift, shiftsSeenBy, updateShift } from '../../../support/shifts/shifts.ts';
import { bodyOf, type Person } from '../../../support/world.ts';

const newTag = async (person: Person, title: string): Promise<string> =>
  (await person.call('createTag', { body: bodyOf('tag', { title }) })).body.data.id;

describe('createShift', () => {
  it('201 with nothing but an area and times, as a draft', async () => {
    const { admin, bar } = await newRoster();
    const { status, body } = await createShift(admin, { working_area_id: bar });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'event',
      attributes: {
        permissions: null,
        number_of_employees: 1,
        starts_at: '2026-06-08T06:00:00Z',
        ends_at: '2026-06-08T14:00:00Z',
        note: null,
        visible: false,
        edited: false,
      },
      relationships: {
        working_area: { data: { type: 'area', id: String(bar) } },
        recurrence: { data: null },
        users: { data: [] },
        event_pauses: { data: [] },
        tags: { data: [] },
      },
    });
    expect(body.data.attributes.uuid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('201 with everything, and what is unknown ignored', async () => {
    const { admin, bar } = await newRoster();
    const tag = await newTag(admin, 'Terrace');
    const { status, body } = await createShift(admin, {
      working_area_id: String(bar),
      number_of_employees: 3,
      note: 'Bring the keys.',
      visible: true,
      tag_ids: [tag],
      edited: true,
      account_id: 4711,
    });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      number_of_employees: 3,
      note: 'Bring the keys.',
      visible: true,
      edited: false,
    });
    expect(body.data.relationships.tags.data).toEqual([{ type: 'tag', id: tag }]);
  });

  it('400 names every problem at once', async () => {
    const [{ admin }, { admin: other }] = [await newRoster(), await newRoster()];
    const foreign = await newTag(other, 'Foreign');
    const problems = { working_area_id: 4711, tag_ids: [foreign], ends_at: monday.starts_at };
    const response = await createShift(admin, problems);
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['ends_at', 'tag_ids', 'working_area_id']);
    expect(titlesIn(response)).toContain(
      'ends_at must be after starts_at, 2026-06-08T06:00:00Z, but was 2026-06-08T06:00:00Z.',
    );
    expect(titlesIn(response)).toContain('working_area_id names 4711, which is no active area of this workspace.');
  });

  it('400 for a shift of more than 14 days, 201 for one of 14', async () => {
    const { admin, bar } = await newRoster();
    const until = (ends_at: string) => createShift(admin, { working_area_id: bar, ends_at });
    expect((await until('2026-06-22T08:00:00+02:00')).status).toBe(201);
    const response = await until('2026-06-22T08:00:01+02:00');
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      'ends_at must be at most 14 days after starts_at, 2026-06-08T06:00:00Z, but was 2026-06-22T06:00:01Z.',
    ]);
  });

  it('400 without an area, and for nobody to do the work', async () => {
    const { admin } = await newRoster();
    const response = await createShift(admin, { number_of_employees: 0 });
    expect(pointersIn(response).sort()).toEqual(['number_of_employees', 'working_area_id']);
  });

  it('403 for an employee, and for an area admin in a foreign area', async () => {
    const { employee, barAdmin, bar, kitchen } = await newRoster();
    expect((await createShift(employee, { working_area_id: bar })).status).toBe(403);
    expect((await createShift(barAdmin, { working_area_id: kitchen })).status).toBe(403);
    expect((await createShift(barAdmin, { working_area_id: bar })).status).toBe(201);
  });

  it('404 for a stranger', async () => {
    const { stranger, bar } = await newRoster();
    expect((await createShift(stranger, { working_area_id: bar })).status).toBe(404);
  });
});

describe('getShift', () => {
  it('200 with the area and the tags', async () => {
    const { admin, employee, bar } = await newRoster();
    const tag = await newTag(admin, 'Terrace');
    const { id } = await newShift(admin, { working_area_id: bar, visible: true, tag_ids: [tag] });
    const query = { include: 'working_area,users,tags,recurrence,event_pauses', permissions: 'true' };
    const { status, body } = await employee.call('getShift', { params: { shift_id: id }, query });
    expect(status).toBe(200);
    expect(body.data.attributes.permissions).toEqual({ read: true, update: false, destroy: false });
    expect(body.included.map(({ type }: { type: string }) => type)).toEqual(['area', 'tag']);
  });

  it('400 for an unknown include', async () => {
    const { admin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    expect((await admin.call('getShift', { params: { shift_id: id }, query: { include: 'weather' } })).status).toBe(
      400,
    );
  });

  it('403 for a draft, unless one plans it', async () => {
    const { admin, employee, barAdmin, bar, kitchen } = await newRoster();
    const [inBar, inKitchen] = [
      await newShift(admin, { working_area_id: bar }),
      await newShift(admin, { working_area_id: kitchen }),
    ];
    const seen = async (person: Person, { id }: { id: string }) =>
      (await person.call('getShift', { params: { shift_id: id } })).status;
    expect([await seen(employee, inBar), await seen(barAdmin, inBar), await seen(barAdmin, inKitchen)]).toEqual([
      403, 200, 403,
    ]);
  });

  it('404 for what is no shift of the workspace', async () => {
    const { admin, stranger, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    for (const shift_id of ['4711', 'abc'])
      expect((await admin.call('getShift', { params: { shift_id } })).status).toBe(404);
    expect((await stranger.call('getShift', { params: { shift_id: id } })).status).toBe(404);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const elsewhere = { workspace_id: body.data.id, shift_id: id };
    expect((await admin.call('getShift', { params: elsewhere })).status).toBe(404);
  });
});

describe('updateShift', () => {
  it('200 changes what is sent, and leaves the rest alone', async () => {
    const { admin, bar, kitchen } = await newRoster();
    const [first, second] = [await newTag(admin, 'Terrace'), await newTag(admin, 'Cellar')];
    const { id } = await newShift(admin, { working_area_id: bar, note: 'Early', tag_ids: [first] });
    const change = { working_area_id: kitchen, ends_at: '2026-06-08T17:00:00+02:00', tag_ids: [second], unknown: 1 };
    const { status, body } = await updateShift(admin, id, change);
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      starts_at: '2026-06-08T06:00:00Z',
      ends_at: '2026-06-08T15:00:00Z',
      note: 'Early',
      visible: false,
      edited: false,
    });
    expect(body.data.relationships).toMatchObject({
      working_area: { data: { id: String(kitchen) } },
      tags: { data: [{ id: second }] },
    });
    expect((await updateShift(admin, id, { note: null })).body.data.attributes.note).toBeNull();
  });

  it('200 marks a published shift as edited, unless only its visibility changes', async () => {
    const { admin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    const edited = async (change: object) => (await updateShift(admin, id, change)).body.data.attributes.edited;
    expect([await edited({ visible: true }), await edited({ visible: true })]).toEqual([false, false]);
    expect(await edited({ note: 'Late' })).toBe(true);
    expect(await edited({ visible: false })).toBe(true);
  });

  it('400 for an end before the start that stays, and for an area that was deleted', async () => {
    const { admin, bar, kitchen } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    await admin.call('deleteArea', { params: { area_id: kitchen } });
    const response = await updateShift(admin, id, { working_area_id: kitchen, ends_at: '2026-06-08T07:00:00+02:00' });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['ends_at', 'working_area_id']);
  });

  it('403 for an area admin who would move it into a foreign area, or out of one', async () => {
    const { admin, barAdmin, bar, kitchen } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    expect((await updateShift(barAdmin, id, { working_area_id: kitchen })).status).toBe(403);
    expect((await updateShift(barAdmin, id, { note: 'Mine' })).status).toBe(200);
    const foreign = await newShift(admin, { working_area_id: kitchen, visible: true });
    expect((await updateShift(barAdmin, foreign.id, { working_area_id: bar })).status).toBe(403);
  });

  it('404 for an unknown shift', async () => {
    const { admin } = await newRoster();
    expect((await updateShift(admin, '4711', { note: 'Nothing' })).status).toBe(404);
  });

  it('412 if it has changed meanwhile', async () => {
    const { admin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    const { headers } = await admin.call('getShift', { params: { shift_id: id } });
    await updateShift(admin, id, { note: 'First' });
    const late = { params: { shift_id: id }, headers: { 'If-Match': headers['etag']! } };
    const response = await admin.call('updateShift', { ...late, body: bodyOf('event', { note: 'Second' }) });
    expect(response.status).toBe(412);
  });
});

describe('deleteShift', () => {
  it('200 with the shift, which is then gone', async () => {
    const { admin, barAdmin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    const { status, body } = await barAdmin.call('deleteShift', { params: { shift_id: id } });
    expect([status, body.data.id]).toEqual([200, id]);
    expect((await admin.call('deleteShift', { params: { shift_id: id } })).status).toBe(404);
  });

  it('400 for an If-Match that is no entity tag', async () => {
    const { admin, bar } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    const headers = { 'If-Match': 'yesterday' };
    expect((await admin.call('deleteShift', { params: { shift_id: id }, headers })).status).toBe(400);
  });

  it('403 for an area admin, of a shift in a foreign area', async () => {
    const { admin, barAdmin, kitchen } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: kitchen, visible: true });
    expect((await barAdmin.call('deleteShift', { params: { shift_id: id } })).status).toBe(403);
  });

  it('404 for a shift of another account', async () => {
    const { admin, bar } = await newRoster();
    const { admin: other } = await newRoster();
    const { id } = await newShift(admin, { working_area_id: bar });
    expect((await other.call('deleteShift', { params: { shift_id: id } })).status).toBe(404);
  });
});

describe('listShifts', () => {
  it('200 by start, without the drafts of others', async () => {
    const { admin, employee, barAdmin, bar, kitchen } = await newRoster();
    const at = (day: string) => ({
      starts_at: `2026-06-${day}T08:00:00+02:00`,
      ends_at: `2026-06-${day}T16:00:00+02:00`,
    });
    const published = await newShift(admin, { working_area_id: kitchen, visible: true, ...at('10') });
    const draft = await newShift(admin, { working_area_id: kitchen, ...at('09') });
    const barDraft = await newShift(admin, { working_area_id: bar, ...at('08') });
    expect(await shiftsSeenBy(admin)).toEqual([barDraft.id, draft.id, published.id]);
    expect(await shiftsSeenBy(barAdmin)).toEqual([barDraft.id, published.id]);
    expect(await shiftsSeenBy(employee)).toEqual([published.id]);
    expect(await shiftsSeenBy(admin, 'sort=-starts_at')).toEqual([published.id, draft.id, barDraft.id]);
  });

  it('200 filters by overlap with local days, area, tag and visibility', async () => {
    const { admin, bar, kitchen } = await newRoster();
    const tag = await newTag(admin, 'Terrace');
    const night = await newShift(admin, {
      working_area_id: bar,
      starts_at: '2026-06-08T22:00:00+02:00',
      ends_at: '2026-06-09T06:00:00+02:00',
      tag_ids: [tag],
    });
    // It ends at midnight, so it does not reach into the next day.
    const evening = await newShift(admin, {
      working_area_id: kitchen,
      starts_at: '2026-06-08T16:00:00+02:00',
      ends_at: '2026-06-09T00:00:00+02:00',
      visible: true,
    });
    const seen = (filter: string) => shiftsSeenBy(admin, filter);
    expect(await seen('filter[overlapping_with_range]=2026-06-08_2026-06-08')).toEqual([evening.id, night.id]);
    expect(await seen('filter[overlapping_with_range]=2026-06-09_2026-06-30')).toEqual([night.id]);
    expect(await seen('filter[overlapping_with_range]=2026-06-09')).toEqual([night.id]);
    expect(await seen('filter[overlapping_with_range]=2026-06-10')).toEqual([]);
    expect(await seen(`filter[working_area_id]=${kitchen}`)).toEqual([evening.id]);
    expect(await seen(`filter[tags]=${tag}`)).toEqual([night.id]);
    expect(await seen('filter[visible]=eq:false')).toEqual([night.id]);
    expect(await seen('filter[visible]=!eq:false')).toEqual([evening.id]);
    expect(await seen(`filter[uuid]=eq:${night.attributes['uuid']}`)).toEqual([night.id]);
  });

  it('400 for a page that cannot be', async () => {
    const { employee } = await newRoster();
    expect((await employee.call('listShifts', { query: { items: 500 } })).status).toBe(400);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newRoster();
    expect((await stranger.call('listShifts')).status).toBe(404);
  });
});
