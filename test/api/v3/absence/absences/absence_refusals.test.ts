import { describe, expect, it } from 'vitest';
import { absenceOf, request, rowsIn, typeOf } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('createAbsence', () => {
  it('400 names every bad value of the contract, and writes nothing', async () => {
    const world = await newWorld();
    const before = await rowsIn(world);
    const response = await world.admin.call('createAbsence', {
      body: bodyOf('absences', {
        absence_type_id: {},
        user_id: [1],
        starts_at: '2026-02-30T00:00:00Z',
        ends_at: '2026-02-01T00:00:00',
        full_day: 'yes',
        title: 'x'.repeat(256),
        use_custom_values: 1,
        force_calc_custom_hours: 'no',
        hours: 'many',
        days: 1e9,
        created_by: 7,
        confirm_message: 'x'.repeat(10_001),
        external_id: 5,
        import_id: {},
        outlook_id: [],
        secure_id: true,
        follower_ids: 1,
        notes_attributes: [{}, { content: ' ' }, { content: 'x'.repeat(10_001) }],
      }),
    });
    expect(response.status).toBe(400);
    expect(new Set(pointersIn(response))).toEqual(
      new Set([
        'type', 'absence_type_id', 'user_id', 'starts_at', 'ends_at', 'full_day', 'title', 'use_custom_values', 'force_calc_custom_hours', 'hours', 'days',
        'created_by', 'confirm_message', 'external_id', 'import_id', 'outlook_id', 'secure_id', 'follower_ids', 'notes_attributes/0/content',
        'notes_attributes/1/content', 'notes_attributes/2/content',
      ]), // prettier-ignore
    );
    expect(await rowsIn(world)).toEqual(before);
  });

  it('400 for a negative amount, and writes nothing', async () => {
    const world = await newWorld();
    const before = await rowsIn(world);
    const response = await request(world, world.employee, { use_custom_values: true, days: -300, hours: -1 });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      'hours must be at least 0, but was -1.',
      'days must be at least 0, but was -300.',
    ]);
    expect(await rowsIn(world)).toEqual(before);
  });

  it('400 for each attribute that is required', async () => {
    const { employee } = await newWorld();
    const response = await employee.call('createAbsence', { body: bodyOf('absence', {}) });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['absence_type_id', 'ends_at', 'starts_at']);
    const blank = await employee.call('createAbsence', {
      body: bodyOf('absence', { starts_at: '', ends_at: null, absence_type_id: ' ' }),
    });
    expect(pointersIn(blank).sort()).toEqual(['absence_type_id', 'ends_at', 'starts_at']);
  });

  it('400 names every conflict with stored data at once, and writes nothing', async () => {
    const world = await newWorld();
    await absenceOf(world, world.admin, { external_id: 'leave-1' });
    const before = await rowsIn(world);
    const response = await request(world, world.admin, {
      absence_type_id: 999_999_999,
      user_id: 'abc',
      starts_at: '2026-07-17T00:00:00Z',
      ends_at: '2026-07-06T00:00:00Z',
      external_id: 'leave-1',
      follower_ids: [world.stranger.id, 'x'],
      notes_attributes: [{ content: 'Never stored.' }],
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'absence_type_id',
      'ends_at',
      'external_id',
      'follower_ids',
      'user_id',
    ]);
    expect(titlesIn(response)).toContain('absence_type_id 999999999 is no absence type of this workspace.');
    expect(titlesIn(response)).toContain('external_id "leave-1" is already used by another absence of this account.');
    expect(titlesIn(response)).toContain(
      'ends_at must be after starts_at (2026-07-17T00:00:00+02:00), but was 2026-07-06T23:59:59+02:00.',
    );
    expect(await rowsIn(world)).toEqual(before);
  });

  it('400 for times that are no absence: equal, backwards, longer than a year', async () => {
    const world = await newWorld();
    const pointers = async (starts_at: string, ends_at: string, full_day = false) => {
      const response = await request(world, world.employee, { starts_at, ends_at, full_day });
      return response.status === 400 ? pointersIn(response) : response.status;
    };
    expect(await pointers('2026-07-06T09:00:00Z', '2026-07-06T09:00:00Z')).toEqual(['ends_at']);
    expect(await pointers('2026-07-06T09:00:00.100Z', '2026-07-06T09:00:00.900Z')).toEqual(['ends_at']);
    expect(await pointers('2026-07-06T09:00:00Z', '2026-07-06T08:00:00Z')).toEqual(['ends_at']);
    expect(await pointers('2026-01-01T00:00:00Z', '2027-01-01T00:00:01Z')).toEqual(['ends_at']);
    expect(await pointers('2026-01-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00', true)).toEqual(['ends_at']);
    expect(await pointers('2026-01-01T00:00:00+01:00', '2026-12-31T00:00:00+01:00', true)).toBe(200);
  });

  it('400 for a type that is another workspace’s, another account’s, deleted, or not the user’s', async () => {
    const world = await newWorld();
    const { admin, employee, stranger } = world;
    const { body: elsewhere } = await admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere' }),
    });
    const { body: types } = await admin.call('listAbsenceTypes', { params: { workspace_id: elsewhere.data.id } });
    const { body: home } = await stranger.call('getCurrentUser');
    const { body: strange } = await stranger.call('listAbsenceTypes', {
      params: { workspace_id: home.data.relationships.workspaces.data[0].id },
    });
    const deleted = await typeOf(world, 'unpaid');
    await admin.call('deleteAbsenceType', { params: { absence_type_id: deleted } });
    for (const absence_type_id of [types.data[0].id, strange.data[0].id, deleted]) {
      expect(pointersIn(await request(world, employee, { absence_type_id }))).toEqual(['absence_type_id']);
    }
    const special = await typeOf(world, 'special');
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { absence_type_ids: [await typeOf(world)] }),
    });
    const response = await request(world, employee, { absence_type_id: special });
    expect(titlesIn(response)).toEqual([
      `absence_type_id ${special} is not among the absence types that the user may use.`,
    ]);
  });

  it('400 for a user who is a stranger or was deleted', async () => {
    const world = await newWorld();
    const gone = await world.addMember('employee', 'gone');
    await world.admin.call('deleteUser', { params: { user_id: gone.id } });
    expect(pointersIn(await request(world, world.admin, { user_id: world.stranger.id }))).toEqual(['user_id']);
    expect(pointersIn(await request(world, world.admin, { user_id: gone.id }))).toEqual(['user_id']);
  });

  it('403 for somebody else, unless the caller administers them', async () => {
    const world = await newWorld();
    const { employee } = world;
    const [chef, colleague, workspaceAdmin] = [
      await world.addMember('areaAdmin'),
      await world.addMember('employee', 'colleague'),
      await world.addMember('workspaceAdmin'),
    ];
    await insertArea(world, 'Kitchen', [chef.id, colleague.id]);
    const before = await rowsIn(world);
    expect((await request(world, employee, { user_id: colleague.id })).status).toBe(403);
    expect((await request(world, employee, { user_id: 999_999_999 })).status).toBe(403);
    expect((await request(world, chef, { user_id: employee.id })).status).toBe(403);
    expect(await rowsIn(world)).toEqual(before);
    expect((await request(world, chef, { user_id: colleague.id })).status).toBe(200);
    expect((await request(world, workspaceAdmin, { user_id: employee.id })).status).toBe(200);
  });

  it('404 for a stranger', async () => {
    const world = await newWorld();
    expect((await request(world, world.stranger)).status).toBe(404);
  });
});
