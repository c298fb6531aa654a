import { describe, expect, it } from 'vitest';
import { absenceOf, at, request, rowsIn, typeOf } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const idsFor = async (person: Person, query: Record<string, string> = {}): Promise<number[]> =>
  (await person.call('listAbsenceTypes', { query })).body.data.map((type: { id: string }) => Number(type.id));
const on = (absence_type_id: string | number, attributes?: object) => ({
  params: { absence_type_id },
  ...(attributes ? { body: bodyOf('absence_type', attributes) } : {}),
});
const moving = { title: 'Moving house', kind: 'special', external_id: 'moving' };

describe('listAbsenceTypes', () => {
  it('200 with the four that every workspace begins with', async () => {
    const { employee } = await newWorld();
    const { status, body } = await employee.call('listAbsenceTypes');
    expect(status).toBe(200);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      { title: 'Urlaub', kind: 'vacation' },
      { title: 'Krankheit', kind: 'sickness' },
      { title: 'Sonderurlaub', kind: 'special' },
      { title: 'Unbezahlter Urlaub', kind: 'unpaid' },
    ]);
    expect(body.meta).toMatchObject({ total_count: 4, page_items: 20 });
  });

  it('200 by what some or all of several users may use', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [vacation, sickness, special] = [
      await typeOf(world),
      await typeOf(world, 'sickness'),
      await typeOf(world, 'special'),
    ];
    const colleague = await world.addMember('employee', 'colleague');
    const allow = (user_id: number, absence_type_ids: number[]) =>
      admin.call('updateUser', { params: { user_id }, body: bodyOf('user', { absence_type_ids }) });
    await allow(employee.id, [vacation, sickness]);
    await allow(colleague.id, [sickness, special]);
    const some = (...ids: (number | string)[]) => idsFor(admin, { 'filter[users_id_in]': ids.join(',') });
    const all = (...ids: (number | string)[]) => idsFor(admin, { 'filter[intersecting_users]': ids.join(',') });
    expect(await some(employee.id)).toEqual([vacation, sickness]);
    expect(await some(employee.id, colleague.id)).toEqual([vacation, sickness, special]);
    expect(await some(employee.id, 999_999_999)).toEqual([vacation, sickness]);
    expect(await some(999_999_999)).toEqual([]);
    expect(await some(world.stranger.id)).toEqual([]);
    expect(await all(employee.id)).toEqual([vacation, sickness]);
    expect(await all(employee.id, colleague.id)).toEqual([sickness]);
    expect(await all(employee.id, colleague.id, admin.id)).toEqual([sickness]);
    expect(await all(employee.id, 999_999_999)).toEqual([]);
    expect(
      await idsFor(employee, { 'filter[intersecting_users]': `${employee.id}`, 'filter[kind]': 'eq:sickness' }),
    ).toEqual([sickness]);
    // An employee gets no information about colleagues.
    const both = `${employee.id},${colleague.id}`;
    expect(await idsFor(employee, { 'filter[users_id_in]': both })).toEqual([vacation, sickness]);
    expect(await idsFor(employee, { 'filter[intersecting_users]': both })).toEqual([]);
  });

  it('200 filtered, sorted and in pages', async () => {
    const world = await newWorld();
    const titles = async (query: Record<string, string>) =>
      (await world.employee.call('listAbsenceTypes', { query })).body.data.map(
        ({ attributes }: { attributes: { title: string } }) => attributes.title,
      );
    expect(await titles({ 'filter[title]': 'ct:URLAUB', sort: '-title' })).toEqual([
      'Urlaub',
      'Unbezahlter Urlaub',
      'Sonderurlaub',
    ]);
    expect(await titles({ items: '1', page: '2' })).toEqual(['Krankheit']);
    expect(await titles({ 'filter[id]': `in:${await typeOf(world)}` })).toEqual(['Urlaub']);
  });

  it('400 for an invalid page, 404 for a stranger', async () => {
    const { employee, stranger } = await newWorld();
    expect((await employee.call('listAbsenceTypes', { query: { items: 0 } })).status).toBe(400);
    expect((await stranger.call('listAbsenceTypes')).status).toBe(404);
  });
});

describe('createAbsenceType', () => {
  it('201 and every user of the workspace may use it', async () => {
    const world = await newWorld();
    const { status, body } = await world.admin.call('createAbsenceType', { body: bodyOf('absence_type', moving) });
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({ title: 'Moving house', kind: 'special' });
    expect(await idsFor(world.employee, { 'filter[users_id_in]': String(world.employee.id) })).toContain(
      Number(body.data.id),
    );
    expect((await request(world, world.employee, { absence_type_id: body.data.id })).body.data.attributes.title).toBe(
      'Moving house',
    );
  });

  it('400 names every problem, and writes nothing', async () => {
    const world = await newWorld();
    const before = await rowsIn(world);
    const response = await world.admin.call('createAbsenceType', {
      body: bodyOf('type', { title: ' ', kind: 'party', external_id: 5 }),
    });
    expect(response.status).toBe(400);
    expect(new Set(pointersIn(response))).toEqual(new Set(['type', 'title', 'kind', 'external_id']));
    expect(
      pointersIn(await world.admin.call('createAbsenceType', { body: bodyOf('absence_type', {}) })).sort(),
    ).toEqual(['kind', 'title']);
    expect(await rowsIn(world)).toEqual(before);
  });

  it('400 for an external id that is taken, also at the same moment', async () => {
    const world = await newWorld();
    const create = () => world.admin.call('createAbsenceType', { body: bodyOf('absence_type', moving) });
    const responses = await Promise.all([create(), create(), create()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(titlesIn(await create())).toEqual([
      'external_id "moving" is already used by another absence type of this account.',
    ]);
  });

  it('403 below a workspace admin, 404 for a stranger', async () => {
    const world = await newWorld();
    for (const person of [world.employee, await world.addMember('areaAdmin')]) {
      expect((await person.call('createAbsenceType', { body: bodyOf('absence_type', moving) })).status).toBe(403);
    }
    expect((await world.stranger.call('createAbsenceType', { body: bodyOf('absence_type', moving) })).status).toBe(404);
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    expect((await workspaceAdmin.call('createAbsenceType', { body: bodyOf('absence_type', moving) })).status).toBe(201);
  });
});

describe('updateAbsenceType', () => {
  it('200 and changes the given attributes; absences keep their titles', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const { status, body } = await world.admin.call(
      'updateAbsenceType',
      on(await typeOf(world), { title: 'Holidays' }),
    );
    expect(status).toBe(200);
    expect(body.data.attributes).toEqual({ title: 'Holidays', kind: 'vacation' });
    expect((await world.employee.call('getAbsence', at(id))).body.data.attributes.title).toBe('Urlaub');
    expect((await world.admin.call('updateAbsenceType', on(await typeOf(world), { external_id: null }))).status).toBe(
      200,
    );
  });

  it('400 names every problem', async () => {
    const world = await newWorld();
    await world.admin.call('createAbsenceType', { body: bodyOf('absence_type', moving) });
    const response = await world.admin.call('updateAbsenceType', on(await typeOf(world), { title: '', kind: null }));
    expect(new Set(pointersIn(response))).toEqual(new Set(['title', 'kind']));
    expect(
      pointersIn(await world.admin.call('updateAbsenceType', on(await typeOf(world), { external_id: 'moving' }))),
    ).toEqual(['external_id']);
  });

  it('403 below a workspace admin, 404 for a type of another workspace or account, and for an unknown one', async () => {
    const world = await newWorld();
    const { admin } = world;
    expect((await world.employee.call('updateAbsenceType', on(await typeOf(world), {}))).status).toBe(403);
    const { body: elsewhere } = await admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere' }),
    });
    const { body: types } = await admin.call('listAbsenceTypes', { params: { workspace_id: elsewhere.data.id } });
    for (const id of [types.data[0].id, 'abc', 999_999_999])
      expect((await admin.call('updateAbsenceType', on(id, {}))).status).toBe(404);
  });
});

describe('deleteAbsenceType', () => {
  it('200 and one in use is not lost: its absences show it as before', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { body: created } = await admin.call('createAbsenceType', { body: bodyOf('absence_type', moving) });
    const id = await absenceOf(world, employee, { absence_type_id: created.data.id });
    const { status, body } = await admin.call('deleteAbsenceType', on(created.data.id));
    expect(status).toBe(200);
    expect(body.data).toEqual(created.data);
    expect(await idsFor(employee)).not.toContain(Number(created.data.id));
    const { body: shown } = await employee.call('getAbsence', at(id, { query: { include: 'absence_type' } }));
    expect(shown.included).toEqual([created.data]);
    expect(
      (await employee.call('updateAbsence', at(id, { body: bodyOf('absence', { ends_at: '2026-07-08T00:00:00Z' }) })))
        .status,
    ).toBe(200);
    expect(pointersIn(await request(world, employee, { absence_type_id: created.data.id }))).toEqual([
      'absence_type_id',
    ]);
    const { body: user } = await employee.call('getCurrentWorkspaceUser');
    expect(user.data.relationships.absence_types.data).toHaveLength(4);
  });

  it('200 once, also at the same moment; then its external id is free', async () => {
    const world = await newWorld();
    const { body } = await world.admin.call('createAbsenceType', { body: bodyOf('absence_type', moving) });
    const responses = await Promise.all([1, 2].map(() => world.admin.call('deleteAbsenceType', on(body.data.id))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await world.admin.call('createAbsenceType', { body: bodyOf('absence_type', moving) })).status).toBe(201);
  });

  it('403 below a workspace admin, 404 for an unknown one', async () => {
    const world = await newWorld();
    expect((await world.employee.call('deleteAbsenceType', on(await typeOf(world)))).status).toBe(403);
    expect((await world.admin.call('deleteAbsenceType', on('22_22'))).status).toBe(404);
  });
});
