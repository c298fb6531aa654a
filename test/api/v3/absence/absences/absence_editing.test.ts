import { describe, expect, it } from 'vitest';
import { absenceOf, at, rowsIn, setHoursOfVacationDay } from '../../../../support/absences.ts';
import { pointersIn } from '../../../../support/client.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

const change = (absence_id: string, attributes: object) => at(absence_id, { body: bodyOf('absence', attributes) });

describe('updateAbsence', () => {
  it('200 with new times and numbers, a note of old and new, and the state as it was', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee);
    await admin.call('confirmAbsence', at(id));
    const { status, body } = await admin.call('updateAbsence', change(id, { ends_at: '2026-07-15T12:00:00+02:00' }));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      starts_at: '2026-07-05T22:00:00Z',
      ends_at: '2026-07-15T21:59:59Z',
      days: 8,
      hours: 64,
      confirmation_status: 'confirmed',
      confirmed: true,
      system_notes_count: 3,
    });
    const { body: notes } = await admin.call('listAbsenceNotes', at(id, { query: { sort: '-id' } }));
    expect(notes.data[0].attributes.content).toBe(
      'admin changed the absence from 2026-07-06 to 2026-07-17, 10 days, 80 hours to 2026-07-06 to 2026-07-15, 8 days, 64 hours.',
    );
  });

  it('200 and moves between full days and parts of days', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const times = { starts_at: '2026-07-06T08:00:00+02:00', ends_at: '2026-07-06T12:00:00+02:00', full_day: false };
    expect((await world.employee.call('updateAbsence', change(id, times))).body.data.attributes).toMatchObject({
      full_day: false,
      hours: 4,
      days: 0.5,
    });
    const { body } = await world.employee.call('updateAbsence', change(id, { full_day: true }));
    expect(body.data.attributes).toMatchObject({
      full_day: true,
      hours: 8,
      days: 1,
      starts_at: '2026-07-05T22:00:00Z',
      ends_at: '2026-07-06T21:59:59Z',
    });
  });

  it('200 and keeps given numbers until they are removed', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee, { use_custom_values: true, hours: 30, days: 4 });
    const after = async (attributes: object) =>
      (await world.employee.call('updateAbsence', change(id, attributes))).body.data.attributes;
    expect(await after({ ends_at: '2026-07-15T12:00:00+02:00' })).toMatchObject({
      use_custom_values: true,
      hours: 30,
      days: 4,
    });
    expect(await after({ hours: 31 })).toMatchObject({ use_custom_values: true, hours: 31, days: 4 });
    expect(await after({ force_calc_custom_hours: true, days: 5 })).toMatchObject({
      use_custom_values: true,
      hours: 64,
      days: 5,
    });
    expect(await after({ force_calc_custom_hours: false, days: 99 })).toMatchObject({
      use_custom_values: false,
      hours: 64,
      days: 8,
    });
    expect(await after({ hours: 1, days: 1 })).toMatchObject({ use_custom_values: false, hours: 64, days: 8 });
    expect(await after({ use_custom_values: true, hours: 1, days: 1 })).toMatchObject({
      use_custom_values: true,
      hours: 1,
      days: 1,
    });
  });

  it('200 without a system note where nothing changes, and without new numbers for old times', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    await setHoursOfVacationDay(world, 6);
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'New York' }) });
    const { body } = await world.employee.call(
      'updateAbsence',
      change(id, { notes_attributes: [{ content: 'Hello.' }] }),
    );
    expect(body.data.attributes).toMatchObject({
      hours: 80,
      starts_at: '2026-07-05T22:00:00Z',
      system_notes_count: 1,
      user_notes_count: 1,
    });
  });

  it('200 and adds, changes and removes notes', async () => {
    const world = await newWorld();
    const { employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'one' }, { content: 'two' }] });
    const { body: before } = await employee.call(
      'listAbsenceNotes',
      at(id, { query: { 'filter[type]': 'eq:UserNote' } }),
    );
    const [one, two] = before.data.map((note: { id: string }) => note.id);
    const notes_attributes = [
      { id: one, content: 'eins' },
      { id: Number(two), _destroy: true },
      { content: 'three', created_by: 1 },
    ];
    const { status, body } = await employee.call('updateAbsence', change(id, { notes_attributes }));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ user_notes_count: 2, system_notes_count: 1 });
    const { body: after } = await employee.call(
      'listAbsenceNotes',
      at(id, { query: { 'filter[type]': 'eq:UserNote' } }),
    );
    expect(after.data.map((note: { attributes: { content: string } }) => note.attributes.content)).toEqual([
      'eins',
      'three',
    ]);
  });

  it('200 and notifies its followers and its user, but not the actor', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, admin, { user_id: employee.id, follower_ids: [follower.id, admin.id] });
    await admin.call('updateAbsence', change(id, { ends_at: '2026-07-15T12:00:00+02:00' }));
    const { body } = await follower.call('listNotifications');
    expect(body.data).toMatchObject([
      {
        type: 'notification',
        attributes: { title: 'An absence was changed' },
        relationships: { entity: { data: { type: 'absence', id } } },
      },
    ]);
    expect((await admin.call('listNotifications')).body.data).toEqual([]);
    expect((await employee.call('listNotifications')).body.data).toMatchObject([
      { attributes: { title: 'Your absence was changed' } },
    ]);
  });

  it('400 names every bad value, and writes nothing', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const { body: before } = await world.employee.call('getAbsence', at(id));
    const response = await world.employee.call('updateAbsence', {
      ...at(id),
      body: bodyOf('absences', {
        starts_at: null,
        ends_at: 'tomorrow',
        full_day: 'no',
        use_custom_values: 'x',
        force_calc_custom_hours: 1,
        hours: null,
        days: '',
        notes_attributes: [
          {},
          { _destroy: true },
          { id: '1' },
          { id: '1', content: '' },
          { id: {}, content: 'x' },
          { id: 1, _destroy: 'yes' },
        ],
      }),
    });
    expect(response.status).toBe(400);
    expect(new Set(pointersIn(response))).toEqual(
      new Set([
        'type', 'starts_at', 'ends_at', 'full_day', 'use_custom_values', 'force_calc_custom_hours', 'hours', 'days', 'notes_attributes/0/content',
        'notes_attributes/1/id', 'notes_attributes/2/content', 'notes_attributes/3/content', 'notes_attributes/4/id', 'notes_attributes/5/_destroy',
        'notes_attributes/5/content',
      ]), // prettier-ignore
    );
    expect((await world.employee.call('getAbsence', at(id))).body.data).toEqual(before.data);
  });

  it('400 for unknown notes, system notes, notes of another absence and notes that occur twice; nothing is written', async () => {
    const world = await newWorld();
    const { employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'one' }] });
    const other = await absenceOf(world, employee, { notes_attributes: [{ content: 'else' }] });
    const idsOf = async (absence: string) =>
      (await employee.call('listAbsenceNotes', at(absence))).body.data.map((note: { id: string }) => note.id);
    const [system, own] = await idsOf(id);
    const [, foreign] = await idsOf(other);
    const before = await rowsIn(world);
    const notes_attributes = [
      { id: system, content: 'x' },
      { id: foreign, content: 'x' },
      { id: 'abc', _destroy: true },
      { id: 999_999_999, content: 'x' },
      { id: own, content: 'changed' },
      { id: own, _destroy: true },
      { content: 'added' },
    ];
    const response = await employee.call(
      'updateAbsence',
      change(id, { starts_at: '2026-07-20T00:00:00Z', notes_attributes }),
    );
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual([
      'ends_at',
      ...[0, 1, 2, 3, 5].map((index) => `notes_attributes/${index}/id`),
    ]);
    expect(await rowsIn(world)).toEqual(before);
    expect((await employee.call('listAbsenceNotes', at(id))).body.data[1].attributes.content).toBe('one');
  });

  it('403 for another’s note, for every role, and nothing of the request is done', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'mine' }] });
    const { body: notes } = await employee.call('listAbsenceNotes', at(id));
    const notes_attributes = [{ id: notes.data[1].id, content: 'yours' }];
    const response = await admin.call(
      'updateAbsence',
      change(id, { ends_at: '2026-07-15T12:00:00+02:00', notes_attributes }),
    );
    expect(response.status).toBe(403);
    expect((await employee.call('getAbsence', at(id))).body.data.attributes).toMatchObject({
      days: 10,
      system_notes_count: 1,
    });
    // Removing it is an admin's right.
    expect(
      (await admin.call('updateAbsence', change(id, { notes_attributes: [{ id: notes.data[1].id, _destroy: true }] })))
        .status,
    ).toBe(200);
  });

  it('403 for the owner once it is decided, for followers, and for colleagues', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, employee, { follower_ids: [follower.id] });
    const statusFor = async (person: typeof admin) =>
      (await person.call('updateAbsence', change(id, { full_day: true }))).status;
    expect(await statusFor(follower)).toBe(403);
    expect(await statusFor(await world.addMember('employee', 'colleague'))).toBe(403);
    expect(await statusFor(employee)).toBe(200);
    for (const decision of ['confirmAbsence', 'resetAbsence']) {
      await admin.call(decision, at(id));
      expect(await statusFor(employee)).toBe(403);
    }
    await admin.call('rejectAbsence', at(id));
    expect(await statusFor(employee)).toBe(200);
  });

  it('404 for an unknown one', async () => {
    const { admin } = await newWorld();
    expect((await admin.call('updateAbsence', change('999999999', {}))).status).toBe(404);
  });
});
