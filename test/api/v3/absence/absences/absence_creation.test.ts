import { describe, expect, it } from 'vitest';
import { absenceOf, at, request, rowsIn, setHoursOfVacationDay, typeOf } from '../../../../support/absences.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('createAbsence', () => {
  it('200 pending, widened to full local days, with its days and hours', async () => {
    const world = await newWorld();
    const { status, body } = await request(world, world.employee);
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      permissions: null,
      title: 'Urlaub',
      hours: 80,
      days: 10,
      full_day: true,
      confirmation_status: 'pending',
      confirmed: null,
      created_by: null,
      use_custom_values: false,
      external_id: null,
      confirm_message: null,
      attachments_count: 0,
      system_notes_count: 1,
      user_notes_count: 0,
      starts_at: '2026-07-05T22:00:00Z',
      ends_at: '2026-07-17T21:59:59Z',
      confirmed_at: null,
    });
    expect(body.data.relationships).toMatchObject({
      absence_type: { data: { type: 'absence_type', id: String(await typeOf(world)) } },
      user: { data: { type: 'user_overview', id: String(world.employee.id) } },
      confirmed_by_user: { data: null },
      followers: { data: [] },
      attachments: { data: [] },
    });
    expect(body.data.relationships.notes.data).toHaveLength(1);
  });

  it('200 with every attribute of the table; the state of a new absence is not the client’s to say', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { status, body } = await request(world, admin, {
      user_id: String(employee.id),
      title: 'Summer',
      created_by: 'browser',
      confirm_message: 'Enjoy',
      external_id: 'leave-1',
      import_id: 9,
      outlook_id: 'AAMk',
      secure_id: 's3cret',
      charge_days_job_status: 'failed',
      confirmed: true,
      confirmed_at: '2026-01-01T00:00:00Z',
      confirmed_by: admin.id,
      use_custom_values: true,
      hours: 75.125,
      days: 9.5,
      follower_ids: [admin.id, String(admin.id)],
      notes_attributes: [{ created_by: 1, content: 'Anna covers for me.' }, { content: 'Call me.' }],
      unknown: 1,
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      title: 'Summer',
      created_by: 'browser',
      confirm_message: 'Enjoy',
      external_id: 'leave-1',
      use_custom_values: true,
      hours: 75.13,
      days: 9.5,
      confirmation_status: 'pending',
      confirmed: null,
      confirmed_at: null,
      system_notes_count: 1,
      user_notes_count: 2,
    });
    expect(body.data.relationships.followers.data).toEqual([{ type: 'user_overview', id: String(admin.id) }]);
    expect(body.data.relationships.confirmed_by_user.data).toBeNull();
    const row = await world.db
      .selectFrom('absences')
      .selectAll()
      .where('account_id', '=', world.accountId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      import_id: '9',
      outlook_id: 'AAMk',
      secure_id: 's3cret',
      charge_days_job_status: 'success',
      created_by_user_id: admin.id,
      confirmed_by_user_id: null,
    });
    const { body: notes } = await employee.call('listAbsenceNotes', at(body.data.id));
    expect(notes.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { type: 'SystemNote', content: 'admin created the absence: 2026-07-06 to 2026-07-17, Urlaub.' },
      { type: 'UserNote', content: 'Anna covers for me.', author: 'admin', author_role: 'admin' },
      { type: 'UserNote', content: 'Call me.', author: 'admin', author_role: 'admin' },
    ]);
  });

  it('200 for part of a day: its length, and its part of a day', async () => {
    const world = await newWorld();
    const times = { starts_at: '2026-02-10T08:00:00Z', ends_at: '2026-02-10T12:00:00.999Z', full_day: false };
    const { body } = await request(world, world.employee, times);
    expect(body.data.attributes).toMatchObject({
      hours: 4,
      days: 0.5,
      starts_at: '2026-02-10T08:00:00Z',
      ends_at: '2026-02-10T12:00:00Z',
    });
    const { body: notes } = await world.employee.call('listAbsenceNotes', at(body.data.id));
    expect(notes.data[0].attributes.content).toBe('employee created the absence: 2026-02-10 09:00 to 13:00, Urlaub.');
  });

  it('200 by the user’s own hours of a full vacation day', async () => {
    const world = await newWorld();
    await setHoursOfVacationDay(world, 6);
    expect((await request(world, world.employee)).body.data.attributes).toMatchObject({ days: 10, hours: 60 });
    const times = { starts_at: '2026-02-10T08:00:00Z', ends_at: '2026-02-10T11:00:00Z', full_day: false };
    expect((await request(world, world.employee, times)).body.data.attributes).toMatchObject({ days: 0.38, hours: 3 });
  });

  it('200 in the zone of the workspace', async () => {
    const world = await newWorld();
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'Auckland' }) });
    const times = { starts_at: '2026-03-01T23:30:00Z', ends_at: '2026-03-01T23:30:00Z', full_day: true };
    const { body } = await request(world, world.employee, times);
    // Monday there, Sunday in UTC.
    expect(body.data.attributes).toMatchObject({
      starts_at: '2026-03-01T11:00:00Z',
      ends_at: '2026-03-02T10:59:59Z',
      days: 1,
    });
  });

  it('200 from the first midnight of a day that has two', async () => {
    const world = await newWorld();
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'Atlantic/Azores' }) });
    const times = { starts_at: '2026-10-25T12:00:00Z', ends_at: '2026-10-25T12:00:00Z', full_day: true };
    const { body } = await request(world, world.employee, times);
    expect(body.data.attributes).toMatchObject({ starts_at: '2026-10-25T00:00:00Z', ends_at: '2026-10-26T00:59:59Z' });
  });

  it('200 where either name of the switch takes numbers by hand, and computes what is not given', async () => {
    const world = await newWorld();
    const both = async (attributes: object) => (await request(world, world.employee, attributes)).body.data.attributes;
    expect(await both({ force_calc_custom_hours: true, hours: 40 })).toMatchObject({
      use_custom_values: true,
      hours: 40,
      days: 10,
    });
    expect(await both({ use_custom_values: true, days: 3 })).toMatchObject({
      use_custom_values: true,
      hours: 80,
      days: 3,
    });
    expect(await both({ use_custom_values: true, force_calc_custom_hours: false, days: 0 })).toMatchObject({
      use_custom_values: true,
      days: 0,
    });
    expect(await both({ use_custom_values: false, hours: 1, days: 1 })).toMatchObject({
      use_custom_values: false,
      hours: 80,
      days: 10,
    });
    expect(await both({ hours: 1, days: 1 })).toMatchObject({ use_custom_values: false, hours: 80, days: 10 });
  });

  it('200 with blanks in optional attributes, which then have their defaults', async () => {
    const world = await newWorld();
    const blanks = {
      title: ' ',
      user_id: '',
      full_day: null,
      hours: '',
      days: null,
      follower_ids: null,
      external_id: '',
      notes_attributes: null,
      created_by: null,
    };
    const { status, body } = await request(world, world.employee, blanks);
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      title: 'Urlaub',
      full_day: false,
      external_id: '',
      created_by: null,
    });
    expect((await request(world, world.employee, { external_id: '' })).status).toBe(200);
  });

  it('200 for an absence that overlaps another, of one year, and of one second', async () => {
    const world = await newWorld();
    await absenceOf(world, world.employee);
    expect((await request(world, world.employee)).status).toBe(200);
    const year = await request(world, world.employee, {
      starts_at: '2026-01-01T00:00:00+01:00',
      ends_at: '2027-01-01T00:00:00+01:00',
      full_day: false,
    });
    expect(year.body.data.attributes).toMatchObject({ hours: 2088, days: 261 });
    const second = await request(world, world.employee, {
      starts_at: '2026-01-01T00:00:00Z',
      ends_at: '2026-01-01T00:00:01Z',
      full_day: false,
    });
    expect(second.body.data.attributes).toMatchObject({ hours: 0, days: 0 });
  });

  it('200 for a full day given backwards within that day', async () => {
    const world = await newWorld();
    const { body } = await request(world, world.employee, {
      starts_at: '2026-07-06T17:00:00+02:00',
      ends_at: '2026-07-06T09:00:00+02:00',
    });
    expect(body.data.attributes).toMatchObject({
      days: 1,
      starts_at: '2026-07-05T22:00:00Z',
      ends_at: '2026-07-06T21:59:59Z',
    });
  });

  it('one of many concurrent requests gets an external id', async () => {
    const world = await newWorld();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => request(world, world.employee, { external_id: 'once' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect((await rowsIn(world))['notes']).toBe(1);
  });
});
