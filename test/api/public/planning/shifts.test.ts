import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../../support/enterprise.ts';

/** Monday, 8 June 2026, from 8 to 16 o'clock in Berlin. */
const monday = { starts_at: '2026-06-08T08:00:00+02:00', ends_at: '2026-06-08T16:00:00+02:00' };

/** An enterprise with an area. */
async function newPlan() {
  const company = await newEnterprise();
  const { id: areaId } = await company.newArea('Kitchen', { external_id: 'kitchen' });
  return { ...company, areaId };
}

type Plan = Awaited<ReturnType<typeof newPlan>>;

const post = ({ enterprise, workspaceId, areaId }: Plan, more: object = {}) =>
  enterprise('createPublicShift', {
    body: {
      shift: { location_id: workspaceId, working_area_id: areaId, ...monday, number_of_employees: 2, ...more },
    },
  });

async function create(plan: Plan, more: object = {}) {
  const { status, body } = await post(plan, more);
  expect([status, body]).toEqual([200, body]);
  return body as { id: number };
}

const put = ({ enterprise }: Enterprise, shift: object) => enterprise('updatePublicShift', { body: { shift } });

describe('createPublicShift', () => {
  it('200 with a shift that both APIs show', async () => {
    const plan = await newPlan();
    const { admin, enterprise, workspaceId, areaId, newTag } = plan;
    const [night, late] = [await newTag('Night'), await newTag('Late')];
    const { status, body } = await post(plan, { note: 'Bring keys', visible: true, tags: `${late},${night}` });
    expect(status).toBe(200);
    const { id, created_at } = body;
    expect(body).toEqual({
      id,
      company_id: workspaceId,
      working_area_id: areaId,
      starts_at: '2026-06-08T06:00:00Z',
      ends_at: '2026-06-08T14:00:00Z',
      number_of_employees: 2,
      note: 'Bring keys',
      visible: true,
      tags: [{ id: night }, { id: late }],
      edited: false,
      outlook_id: null,
      shift_id: null,
      user_shift: null,
      created_at,
      updated_at: created_at,
    });
    expect((await enterprise('findPublicShifts', { query: { id } })).body).toEqual(body);
    const shown = await admin.call('getShift', { params: { shift_id: id } });
    expect(shown.body.data.attributes).toMatchObject({ number_of_employees: 2, note: 'Bring keys', visible: true });
  });

  it('200 by external ids, with numbers as texts and members at the top level, and leaves visible open', async () => {
    const plan = await newPlan();
    await plan.newLocation('Hotel', { external_id: 'hotel' });
    const located = { location_external_id: 'hotel', working_area_external_id: 'bar' };
    const { body: hotel } = await plan.enterprise('findLocations', { query: { external_id: 'hotel' } });
    await plan.newArea('Bar', { external_id: 'bar' }, hotel.id);
    const body = { ...located, ...monday, number_of_employees: '3', location_id: null, tags: '' };
    const response = await plan.enterprise('createPublicShift', { body });
    expect(response.body).toMatchObject({ company_id: hotel.id, number_of_employees: 3, visible: null, tags: [] });
  });

  it('400 names the location, the area and the tags that are not there', async () => {
    const plan = await newPlan();
    const other = await newPlan();
    const hotel = await plan.newLocation('Hotel');
    const { id: bar } = await plan.newArea('Bar', {}, hotel.id);
    expect(titlesIn(await post(plan, { location_id: 4711_000 }))).toEqual([
      'location_id 4711000 is no location of this enterprise.',
    ]);
    expect(pointersIn(await post(plan, { location_id: other.workspaceId }))).toEqual(['location_id']);
    expect(titlesIn(await post(plan, { working_area_id: bar }))).toEqual([
      `working_area_id ${bar} is no active working area of this location.`,
    ]);
    expect(pointersIn(await post(plan, { working_area_id: other.areaId }))).toEqual(['working_area_id']);
    expect(pointersIn(await post(plan, { working_area_id: null }))).toEqual(['working_area_id']);
    expect(pointersIn(await post(plan, { tags: await plan.newTag('Night', hotel.id) }))).toEqual(['tags']);
  });

  it('400 for times and numbers that cannot be', async () => {
    const plan = await newPlan();
    expect(pointersIn(await post(plan, { ends_at: monday.starts_at }))).toEqual(['ends_at']);
    expect(pointersIn(await post(plan, { ends_at: '2026-06-23T08:00:00+02:00' }))).toEqual(['ends_at']);
    expect(pointersIn(await post(plan, { number_of_employees: 0 }))).toEqual(['number_of_employees']);
    const missing = await plan.enterprise('createPublicShift', { body: { shift: { location_id: plan.workspaceId } } });
    expect(pointersIn(missing).sort()).toEqual(['ends_at', 'number_of_employees', 'starts_at']);
  });
});

describe('findPublicShifts', () => {
  const week = { range_start: '08.06.2026', range_end: '14.06.2026' };

  it('200 with the shifts that overlap the range, by id, in local days of the location', async () => {
    const plan = await newPlan();
    const { enterprise, workspaceId } = plan;
    const found = async (query: object) => {
      const response = await enterprise('findPublicShifts', { query: { location_id: workspaceId, ...query } });
      expect(response.status).toBe(200);
      return response.body.shifts.map(({ id }: { id: number }) => id);
    };
    const from = async (starts_at: string, ends_at: string) => (await create(plan, { starts_at, ends_at })).id;
    const sunday = await from('2026-06-14T22:00:00+02:00', '2026-06-15T06:00:00+02:00');
    const into = await from('2026-06-07T20:00:00+02:00', '2026-06-08T00:00:01+02:00');
    const over = await from('2026-06-04T00:00:00+02:00', '2026-06-17T00:00:00+02:00');
    await from('2026-06-07T20:00:00+02:00', '2026-06-08T00:00:00+02:00');
    await from('2026-06-15T00:00:00+02:00', '2026-06-15T08:00:00+02:00');
    const hotel = await plan.newLocation('Hotel');
    const { id: bar } = await plan.newArea('Bar', {}, hotel.id);
    await create(plan, { location_id: hotel.id, working_area_id: bar });
    const draft = (await create(plan, { visible: false })).id;
    expect(await found(week)).toEqual([sunday, into, over, draft]);
    const oneDay = { range_start: '2026-06-14', range_end: '2026-06-14' };
    expect(await found(oneDay)).toEqual([sunday, over]);
    const moments = { range_start: '2026-06-08T00:00:00 02:00', range_end: '2026-06-14T22:00:00+02:00' };
    expect(await found(moments)).toEqual([into, over, draft]);
  });

  it('200 filters by area and by tags, where 0 means none', async () => {
    const plan = await newPlan();
    const { enterprise, workspaceId, areaId } = plan;
    const { id: bar } = await plan.newArea('Bar', { external_id: 'bar' });
    const [night, late] = [await plan.newTag('Night'), await plan.newTag('Late')];
    const tagged = (await create(plan, { tags: night })).id;
    const both = (await create(plan, { tags: [night, late], working_area_id: bar })).id;
    const bare = (await create(plan)).id;
    const found = async (query: object) =>
      (
        await enterprise('findPublicShifts', { query: { location_id: workspaceId, ...week, ...query } })
      ).body.shifts.map(({ id }: { id: number }) => id);
    expect(await found({ working_area_id: areaId })).toEqual([tagged, bare]);
    expect(await found({ working_area_external_id: 'bar' })).toEqual([both]);
    expect(await found({ working_area_id: 4711_000 })).toEqual([]);
    expect(await found({ working_area_external_id: 'nowhere' })).toEqual([]);
    expect(await found({ tags: night })).toEqual([tagged, both]);
    expect(await found({ tags: `${late},0` })).toEqual([both, bare]);
    expect(await found({ tags: 0 })).toEqual([bare]);
    expect(await found({ tags: '' })).toEqual([tagged, both, bare]);
  });

  it('200 in pages of 25', async () => {
    const plan = await newPlan();
    for (let count = 0; count < 26; count++) await create(plan);
    const query = { location_id: plan.workspaceId, ...week };
    const { body: first } = await plan.enterprise('findPublicShifts', { query });
    expect([first.shifts.length, first.page_number, first.total_pages]).toEqual([25, 1, 2]);
    expect(new URL(first.next_page).searchParams.get('page')).toBe('2');
    const { body: second } = await plan.enterprise('findPublicShifts', { query: { ...query, page: 2 } });
    expect([second.shifts.length, second.next_page]).toEqual([1, null]);
    const { body: beyond } = await plan.enterprise('findPublicShifts', { query: { ...query, page: 3 } });
    expect(beyond.shifts).toEqual([]);
  });

  it('400 without a location or a range, for an unknown location, and for a range that ends before it starts', async () => {
    const { enterprise, workspaceId } = await newPlan();
    const stranger = await newPlan();
    const ask = (query: object) => enterprise('findPublicShifts', { query: { ...query } });
    const missing = await ask({});
    expect(titlesIn(missing)).toEqual([
      'location_id is required unless id names one shift.',
      'range_start is required unless id names one shift.',
      'range_end is required unless id names one shift.',
    ]);
    expect(pointersIn(await ask({ ...week, location_id: stranger.workspaceId }))).toEqual(['location_id']);
    expect(pointersIn(await ask({ ...week, location_external_id: 'nowhere' }))).toEqual(['location_external_id']);
    const turned = { location_id: workspaceId, range_start: '2026-06-08', range_end: '2026-06-07' };
    expect(pointersIn(await ask(turned))).toEqual(['range_end']);
  });

  it('404 for a shift that is unknown, of another enterprise, or of a deleted location', async () => {
    const plan = await newPlan();
    const { id } = await create(plan);
    const stranger = await newPlan();
    expect((await stranger.enterprise('findPublicShifts', { query: { id } })).status).toBe(404);
    expect((await plan.enterprise('findPublicShifts', { query: { id: 4711_000 } })).status).toBe(404);
    const hotel = await plan.newLocation('Hotel');
    const { id: bar } = await plan.newArea('Bar', {}, hotel.id);
    const there = await create(plan, { location_id: hotel.id, working_area_id: bar });
    const { status } = await plan.admin.call('deleteWorkspace', { params: { workspace_id: hotel.id } });
    expect(status).toBe(200);
    expect((await plan.enterprise('findPublicShifts', { query: { id: there.id } })).status).toBe(404);
    expect((await plan.enterprise('getAssignments', { query: { shift_id: there.id } })).status).toBe(404);
  });
});

describe('updatePublicShift', () => {
  it('200 changes what is sent. Null changes nothing, and an empty text clears', async () => {
    const plan = await newPlan();
    const { id: bar } = await plan.newArea('Bar', { external_id: 'bar' });
    const night = await plan.newTag('Night');
    const { id } = await create(plan, { note: 'Bring keys', visible: true, tags: night });
    const times = { starts_at: '2026-06-08T09:00:00+02:00', ends_at: '2026-06-08T24:00:00+02:00' };
    const changed = await put(plan, { id: String(id), ...times, working_area_external_id: 'bar', note: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      id,
      working_area_id: bar,
      starts_at: '2026-06-08T07:00:00Z',
      ends_at: '2026-06-08T22:00:00Z',
      number_of_employees: 2,
      note: 'Bring keys',
      visible: true,
      tags: [{ id: night }],
      edited: true,
    });
    const cleared = await put(plan, { id, note: '', tags: '', visible: 'false', number_of_employees: 5 });
    expect(cleared.body).toMatchObject({ note: null, tags: [], visible: false, number_of_employees: 5 });
  });

  it('400 for what cannot be, and without an id', async () => {
    const plan = await newPlan();
    const { id } = await create(plan);
    const hotel = await plan.newLocation('Hotel');
    const { id: bar } = await plan.newArea('Bar', {}, hotel.id);
    expect(pointersIn(await put(plan, { id, ends_at: '2026-06-08T07:00:00+02:00' }))).toEqual(['ends_at']);
    expect(pointersIn(await put(plan, { id, working_area_id: bar }))).toEqual(['working_area_id']);
    expect(titlesIn(await put(plan, { note: 'Which one?' }))).toEqual(['id is required.']);
  });

  it('404 for a shift that is unknown or of another enterprise', async () => {
    const plan = await newPlan();
    const { id } = await create(plan);
    expect((await put(await newPlan(), { id, note: 'Mine' })).status).toBe(404);
    expect((await put(plan, { id: 4711_000, note: 'Nobody' })).status).toBe(404);
  });
});

describe('deletePublicShift', () => {
  it('200 returns the shift, which is gone then, named in the body or in the query', async () => {
    const plan = await newPlan();
    const { enterprise } = plan;
    const ways = [
      (id: number) => ({ body: { shift: { id } } }),
      (id: number) => ({ body: { id: String(id) } }),
      (id: number) => ({ query: { id } }),
    ];
    for (const way of ways) {
      const { id } = await create(plan);
      const { status, body } = await enterprise('deletePublicShift', way(id));
      expect([status, body.id]).toEqual([200, id]);
      expect((await enterprise('findPublicShifts', { query: { id } })).status).toBe(404);
    }
  });

  it('400 without an id, 404 for a shift that is unknown or of another enterprise', async () => {
    const plan = await newPlan();
    const { id } = await create(plan);
    const remove = (by: Enterprise, query: object) => by.enterprise('deletePublicShift', { query: { ...query } });
    expect((await remove(plan, {})).status).toBe(400);
    expect((await remove(await newPlan(), { id })).status).toBe(404);
    expect((await remove(plan, { id: 4711_000 })).status).toBe(404);
  });
});
