import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

const setRegion = (person: Person, holiday_region: string | null) =>
  person.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region }) });
const create = (person: Person, attributes: object) =>
  person.call('createPublicHoliday', { body: bodyOf('public_holiday', attributes) });
const update = (person: Person, id: string, attributes: object) =>
  person.call('updatePublicHoliday', { params: { public_holiday_id: id }, body: bodyOf('public_holiday', attributes) });
const remove = (person: Person, id: string, query: Readonly<Record<string, string>> = {}) =>
  person.call('deletePublicHoliday', { params: { public_holiday_id: id }, query });

interface Listed {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const listed = async (person: Person, query: string): Promise<Listed[]> => {
  const { status, body } = await person.call('listPublicHolidays', { query: `${query}&items=100` });
  expect(status).toBe(200);
  return body.data;
};
const datesIn = async (person: Person, query: string) =>
  (await listed(person, query)).map(({ attributes }) => attributes['date']);

const eve = { date: '2026-12-24', title: 'Christmas Eve', factor: 0.5 };

describe('listHolidayRegions', () => {
  it('200 with countries, states and regions, for everybody', async () => {
    const { employee } = await newWorld();
    const { status, body } = await employee.call('listHolidayRegions', {
      query: 'filter[country]=eq:DE&filter[name]=ct:Berlin',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { type: 'holiday_region', id: 'DE-BE', attributes: { country: 'DE', name: 'Germany, Berlin' } },
    ]);
    const all = await employee.call('listHolidayRegions');
    expect(all.body.meta.total_count).toBeGreaterThan(500);
    expect(all.body.data[0].id).toBe('AD');
    const found = await employee.call('listHolidayRegions', { query: 'filter[id]=in:AT-9,FR,DE-BY-A&sort=-id' });
    expect(found.body.data.map(({ id }: Listed) => id)).toEqual(['FR', 'DE-BY-A', 'AT-9']);
  });

  it('400 for an invalid page', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('listHolidayRegions', { query: { items: 500 } })).status).toBe(400);
  });
});

describe('holiday_region', () => {
  it('200 on the workspace, from its creation on, and cleared', async () => {
    const { admin } = await newWorld();
    const created = await admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Hill', holiday_region: 'AT-9' }),
    });
    expect(created.body.data.attributes.holiday_region).toBe('AT-9');
    expect((await admin.call('getWorkspace')).body.data.attributes.holiday_region).toBeNull();
    expect((await setRegion(admin, 'DE-BY')).body.data.attributes.holiday_region).toBe('DE-BY');
    const found = await admin.call('listWorkspaces', { query: 'filter[holiday_region]=pre:DE' });
    expect(found.body.meta.total_count).toBe(1);
    expect((await setRegion(admin, null)).body.data.attributes.holiday_region).toBeNull();
  });

  it('200 on the user, with the day from which it applies', async () => {
    const { admin, employee } = await newWorld();
    const own = { holiday_region: 'FR', holiday_region_from: '2026-02-01' };
    const created = await admin.call('createUser', { body: bodyOf('user', { username: 'Robin', ...own }) });
    expect(created.body.data.attributes).toMatchObject(own);
    const params = { user_id: employee.id };
    const changed = await admin.call('updateUser', { params, body: bodyOf('user', own) });
    expect(changed.body.data.attributes).toMatchObject(own);
    const cleared = { holiday_region: null, holiday_region_from: null };
    const { body } = await admin.call('updateUser', { params, body: bodyOf('user', cleared) });
    expect(body.data.attributes).toMatchObject(cleared);
  });

  it('400 for an unknown one, naming some, with every other problem', async () => {
    const { admin, employee } = await newWorld();
    const title = (region: string) =>
      `holiday_region must be a region such as DE-BY, AT-9 or FR, but was "${region}". listHolidayRegions returns all of them.`;
    expect(titlesIn(await setRegion(admin, 'DE-XX'))).toEqual([title('DE-XX')]);
    const both = await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { holiday_region: 'XX', time_zone: 'Atlantis' }),
    });
    expect(both.status).toBe(400);
    expect(pointersIn(both).sort()).toEqual(['holiday_region', 'time_zone']);
    expect(titlesIn(await setRegion(admin, 'Bavaria'))).toEqual([
      'holiday_region must be a region such as DE-BY, AT-9 or FR, but was "Bavaria".',
    ]);
    expect((await admin.call('getWorkspace')).body.data.attributes.holiday_region).toBeNull();
  });
});

describe('listPublicHolidays', () => {
  it('200 with the calendar of the region and own days, by date', async () => {
    const { admin, employee } = await newWorld();
    await create(admin, eve);
    expect(await datesIn(employee, 'filter[year]=2026')).toEqual(['2026-12-24']);
    await setRegion(admin, 'DE-BE');
    expect(await datesIn(employee, 'filter[year]=2026')).toEqual([
      '2026-01-01', '2026-03-08', '2026-04-03', '2026-04-06', '2026-05-01', '2026-05-14', '2026-05-25', '2026-10-03', '2026-12-24', '2026-12-25', '2026-12-26',
    ]); // prettier-ignore
    const [own] = await listed(employee, 'filter[year]=2026&filter[kind]=eq:own');
    expect(own!.attributes).toEqual({ permissions: null, kind: 'own', ...eve });
    const [easter] = await listed(employee, 'filter[year]=2026&filter[date]=eq:2026-04-06');
    expect(easter).toEqual({
      type: 'public_holiday',
      id: 'DE-BE-2026-04-06',
      attributes: { permissions: null, kind: 'calendar', date: '2026-04-06', title: 'Ostermontag', factor: 1 },
    });
  });

  it('200 of this year without a year, and of any year with one', async () => {
    const { admin } = await newWorld();
    await setRegion(admin, 'DE');
    const year = String(new Date().getUTCFullYear());
    const dates = (await datesIn(admin, 'sort=date')) as string[];
    expect(new Set(dates.map((date) => date.slice(0, 4)))).toEqual(new Set([year]));
    expect(await datesIn(admin, 'filter[year]=2017&filter[title]=ct:reformation')).toEqual(['2017-10-31']);
    expect(await datesIn(admin, 'filter[year]=nonsense')).toEqual(dates);
    expect(await datesIn(admin, 'filter[year]=9999')).toEqual([]);
  });

  it('200 in the language of the workspace, in pages, with permissions', async () => {
    const { admin } = await newWorld();
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { locale: 'en', holiday_region: 'DE-BE' }) });
    await create(admin, eve);
    const query = 'filter[year]=2026&sort=-date&items=1&page=2&permissions=true';
    const { body } = await admin.call('listPublicHolidays', { query });
    expect(body.data[0].attributes).toMatchObject({ title: 'Christmas Day', permissions: { update: false } });
    expect(body.meta).toMatchObject({ total_count: 11, total_pages: 11, current_page: 2 });
    const [own] = await listed(admin, 'filter[year]=2026&filter[factor]=eq:0.5&permissions=true');
    expect(own!.attributes['permissions']).toEqual({ read: true, update: true, destroy: true });
  });

  it('400 for an invalid page, 404 for a stranger', async () => {
    const { admin, stranger } = await newWorld();
    expect((await admin.call('listPublicHolidays', { query: { items: 500 } })).status).toBe(400);
    expect((await stranger.call('listPublicHolidays')).status).toBe(404);
  });
});

describe('createPublicHoliday', () => {
  it('201 for a whole day unless a half is asked for', async () => {
    const { admin } = await newWorld();
    const { status, body } = await create(admin, { date: '2026-08-08', title: 'Peace festival' });
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({
      permissions: null,
      kind: 'own',
      date: '2026-08-08',
      title: 'Peace festival',
      factor: 1,
    });
    expect((await create(admin, eve)).body.data.attributes.factor).toBe(0.5);
  });

  it('400 names every problem at once, and a date that is taken', async () => {
    const { admin } = await newWorld();
    const bad = await create(admin, { date: '2026-02-30', title: ' ', factor: 0.3 });
    expect(bad.status).toBe(400);
    expect([...new Set(pointersIn(bad))].sort()).toEqual(['date', 'factor', 'title']);
    await create(admin, eve);
    expect(titlesIn(await create(admin, { ...eve, title: 'Again' }))).toEqual([
      'date "2026-12-24" is already used by another public holiday of this workspace.',
    ]);
  });

  it('201 once and 400 otherwise where several are created for one date at the same moment', async () => {
    const { admin } = await newWorld();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(admin, eve)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });

  it('403 for an employee, 404 for a stranger', async () => {
    const { employee, stranger } = await newWorld();
    expect((await create(employee, eve)).status).toBe(403);
    expect((await create(stranger, eve)).status).toBe(404);
  });
});

describe('updatePublicHoliday', () => {
  it('200 changes what is sent', async () => {
    const { admin } = await newWorld();
    const { id } = (await create(admin, eve)).body.data;
    const { status, body } = await update(admin, id, { factor: 1 });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ ...eve, factor: 1 });
    expect((await update(admin, id, { date: eve.date })).status).toBe(200);
  });

  it('400 for the date of another one', async () => {
    const { admin } = await newWorld();
    await create(admin, eve);
    const { id } = (await create(admin, { date: '2026-12-31', title: 'New Year’s Eve' })).body.data;
    expect(pointersIn(await update(admin, id, { date: eve.date }))).toEqual(['date']);
  });

  it('403 for an employee, 404 for a day of a calendar and for one of another workspace', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, eve)).body.data;
    expect((await update(employee, id, { factor: 1 })).status).toBe(403);
    expect((await update(admin, 'DE-BE-2026-05-01', { factor: 1 })).status).toBe(404);
    const other = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const elsewhere = await admin.call('updatePublicHoliday', {
      params: { workspace_id: other.body.data.id, public_holiday_id: id },
      body: bodyOf('public_holiday', { factor: 1 }),
    });
    expect(elsewhere.status).toBe(404);
  });
});

describe('deletePublicHoliday', () => {
  it('200 once, then 404', async () => {
    const { admin } = await newWorld();
    const { id } = (await create(admin, eve)).body.data;
    const answers = await Promise.all([remove(admin, id), remove(admin, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await listed(admin, 'filter[year]=2026')).toEqual([]);
  });

  it('400 for an option that is neither true nor false, and the day stays', async () => {
    const { admin } = await newWorld();
    const { id } = (await create(admin, eve)).body.data;
    const answer = await remove(admin, id, { reset_confirmed_absences: 'perhaps' });
    expect(answer.status).toBe(400);
    expect(titlesIn(answer)).toEqual(['reset_confirmed_absences must be true or false, but was "perhaps".']);
    expect(await listed(admin, 'filter[year]=2026')).toHaveLength(1);
  });

  it('403 for an employee', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, eve)).body.data;
    expect((await remove(employee, id)).status).toBe(403);
  });
});
