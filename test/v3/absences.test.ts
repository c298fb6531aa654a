import { describe, expect, it } from 'vitest';
import { absenceOf, at, request, rowsIn, typeOf } from '../support/absences.ts';
import { pointersIn, titlesIn } from '../support/client.ts';
import { insertArea } from '../support/records.ts';
import { bodyOf, newWorld } from '../support/world.ts';

const change = (absence_id: string, attributes: object) => at(absence_id, { body: bodyOf('absence', attributes) });

describe('createAbsence', () => {
  it('200 pending, widened to full local days, with its days and hours', async () => {
    const world = await newWorld();
    const { status, body } = await request(world, world.employee);
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      permissions: null,
      title: 'Vacation',
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
    const row = await world.db.selectFrom('absences').selectAll().where('account_id', '=', world.accountId).executeTakeFirstOrThrow();
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
      { type: 'SystemNote', content: 'admin created the absence: 2026-07-06 to 2026-07-17, Vacation.' },
      { type: 'UserNote', content: 'Anna covers for me.', author: 'admin', author_role: 'admin' },
      { type: 'UserNote', content: 'Call me.', author: 'admin', author_role: 'admin' },
    ]);
  });

  it('200 for part of a day: its length, and its part of a day', async () => {
    const world = await newWorld();
    const times = { starts_at: '2026-02-10T08:00:00Z', ends_at: '2026-02-10T12:00:00.999Z', full_day: false };
    const { body } = await request(world, world.employee, times);
    expect(body.data.attributes).toMatchObject({ hours: 4, days: 0.5, starts_at: '2026-02-10T08:00:00Z', ends_at: '2026-02-10T12:00:00Z' });
    const { body: notes } = await world.employee.call('listAbsenceNotes', at(body.data.id));
    expect(notes.data[0].attributes.content).toBe('employee created the absence: 2026-02-10 09:00 to 13:00, Vacation.');
  });

  it('200 by the user’s own hours of a vacation day', async () => {
    const world = await newWorld();
    await world.db
      .updateTable('users')
      .set({ hours_on_vacation_day: 6 })
      .where('account_id', '=', world.accountId)
      .where('id', '=', world.employee.id)
      .execute();
    expect((await request(world, world.employee)).body.data.attributes).toMatchObject({ days: 10, hours: 60 });
    const times = { starts_at: '2026-02-10T08:00:00Z', ends_at: '2026-02-10T11:00:00Z', full_day: false };
    expect((await request(world, world.employee, times)).body.data.attributes).toMatchObject({ days: 0.5, hours: 3 });
  });

  it('200 in the zone of the workspace', async () => {
    const world = await newWorld();
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'Auckland' }) });
    const times = { starts_at: '2026-03-01T23:30:00Z', ends_at: '2026-03-01T23:30:00Z', full_day: true };
    const { body } = await request(world, world.employee, times);
    // Monday there, Sunday in UTC.
    expect(body.data.attributes).toMatchObject({ starts_at: '2026-03-01T11:00:00Z', ends_at: '2026-03-02T10:59:59Z', days: 1 });
  });

  it('200 where either name of the switch takes numbers by hand, and computes what is not given', async () => {
    const world = await newWorld();
    const both = async (attributes: object) => (await request(world, world.employee, attributes)).body.data.attributes;
    expect(await both({ force_calc_custom_hours: true, hours: 40 })).toMatchObject({ use_custom_values: true, hours: 40, days: 10 });
    expect(await both({ use_custom_values: true, days: 3 })).toMatchObject({ use_custom_values: true, hours: 80, days: 3 });
    expect(await both({ use_custom_values: true, force_calc_custom_hours: false, days: 0 })).toMatchObject({ use_custom_values: true, days: 0 });
    expect(await both({ use_custom_values: false, hours: 1, days: 1 })).toMatchObject({ use_custom_values: false, hours: 80, days: 10 });
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
    expect(body.data.attributes).toMatchObject({ title: 'Vacation', full_day: false, external_id: '', created_by: null });
    expect((await request(world, world.employee, { external_id: '' })).status).toBe(200);
  });

  it('200 for an absence that overlaps another, of one year, and of one second', async () => {
    const world = await newWorld();
    await absenceOf(world, world.employee);
    expect((await request(world, world.employee)).status).toBe(200);
    const year = await request(world, world.employee, { starts_at: '2026-01-01T00:00:00+01:00', ends_at: '2027-01-01T00:00:00+01:00', full_day: false });
    expect(year.body.data.attributes).toMatchObject({ hours: 8760, days: 1095 });
    const second = await request(world, world.employee, { starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-01-01T00:00:01Z', full_day: false });
    expect(second.body.data.attributes).toMatchObject({ hours: 0, days: 0 });
  });

  it('200 for a full day given backwards within that day', async () => {
    const world = await newWorld();
    const { body } = await request(world, world.employee, { starts_at: '2026-07-06T17:00:00+02:00', ends_at: '2026-07-06T09:00:00+02:00' });
    expect(body.data.attributes).toMatchObject({ days: 1, starts_at: '2026-07-05T22:00:00Z', ends_at: '2026-07-06T21:59:59Z' });
  });

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

  it('400 for each attribute that is required', async () => {
    const { employee } = await newWorld();
    const response = await employee.call('createAbsence', { body: bodyOf('absence', {}) });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['absence_type_id', 'ends_at', 'starts_at']);
    const blank = await employee.call('createAbsence', { body: bodyOf('absence', { starts_at: '', ends_at: null, absence_type_id: ' ' }) });
    expect(pointersIn(blank).sort()).toEqual(['absence_type_id', 'ends_at', 'starts_at']);
  });

  it('400 names everything that the data speaks against, at once, and writes nothing', async () => {
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
    expect(pointersIn(response).sort()).toEqual(['absence_type_id', 'ends_at', 'external_id', 'follower_ids', 'user_id']);
    expect(titlesIn(response)).toContain('absence_type_id 999999999 is no absence type of this workspace.');
    expect(titlesIn(response)).toContain('external_id "leave-1" is already used by another absence of this account.');
    expect(titlesIn(response)).toContain('ends_at must be after starts_at (2026-07-17T00:00:00+02:00), but was 2026-07-06T23:59:59+02:00.');
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
    const { body: elsewhere } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const { body: types } = await admin.call('listAbsenceTypes', { params: { workspace_id: elsewhere.data.id } });
    const { body: home } = await stranger.call('getCurrentUser');
    const { body: strange } = await stranger.call('listAbsenceTypes', { params: { workspace_id: home.data.relationships.workspaces.data[0].id } });
    const deleted = await typeOf(world, 'unpaid');
    await admin.call('deleteAbsenceType', { params: { absence_type_id: deleted } });
    for (const absence_type_id of [types.data[0].id, strange.data[0].id, deleted]) {
      expect(pointersIn(await request(world, employee, { absence_type_id }))).toEqual(['absence_type_id']);
    }
    const special = await typeOf(world, 'special');
    await admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { absence_type_ids: [await typeOf(world)] }) });
    const response = await request(world, employee, { absence_type_id: special });
    expect(titlesIn(response)).toEqual([`absence_type_id ${special} is not among the absence types that the user may use.`]);
  });

  it('400 for a user who is a stranger or was deleted', async () => {
    const world = await newWorld();
    const gone = await world.addMember('employee', 'gone');
    await world.admin.call('deleteUser', { params: { user_id: gone.id } });
    expect(pointersIn(await request(world, world.admin, { user_id: world.stranger.id }))).toEqual(['user_id']);
    expect(pointersIn(await request(world, world.admin, { user_id: gone.id }))).toEqual(['user_id']);
  });

  it('403 for somebody else, unless the caller administers him', async () => {
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

  it('one of many at once gets an external id', async () => {
    const world = await newWorld();
    const responses = await Promise.all(Array.from({ length: 4 }, () => request(world, world.employee, { external_id: 'once' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect((await rowsIn(world))['notes']).toBe(1);
  });
});

describe('getAbsence', () => {
  it('200 with everything that include can name', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, { follower_ids: [admin.id], notes_attributes: [{ content: 'Anna covers for me.' }] });
    await admin.call('confirmAbsence', at(id));
    await employee.call(
      'createAbsenceAttachments',
      at(id, {
        files: [
          { field: 'files', name: 'a.txt', bytes: Buffer.from('text') },
          { field: 'files', name: 'b.txt', bytes: Buffer.from('text') },
        ],
      }),
    );
    const { status, body } = await employee.call(
      'getAbsence',
      at(id, { query: { include: 'absence_type, user,confirmed_by_user,followers,notes,attachments' } }),
    );
    expect(status).toBe(200);
    const kinds = body.included.map(({ type }: { type: string }) => type).sort();
    expect(kinds).toEqual(['absence_type', 'attachment', 'attachment', 'note', 'note', 'note', 'user_overview', 'user_overview']);
    expect(body.data.attributes).toMatchObject({ attachments_count: 2, system_notes_count: 2, user_notes_count: 1 });
  });

  it('200 with nothing to show for a relationship that is empty', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    expect((await world.employee.call('getAbsence', at(id, { query: { include: 'followers,confirmed_by_user' } }))).body.included).toEqual([]);
    expect((await world.employee.call('getAbsence', at(id, { query: { include: '' } }))).body).not.toHaveProperty('included');
  });

  it('200 with permissions by state and role', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, employee, { follower_ids: [follower.id] });
    const permissions = async (person: typeof admin) => (await person.call('getAbsence', at(id, { query: 'permissions' }))).body.data.attributes.permissions;
    expect(await permissions(employee)).toEqual({ read: true, update: true, destroy: true });
    expect(await permissions(follower)).toEqual({ read: true, update: false, destroy: false });
    await admin.call('confirmAbsence', at(id));
    expect(await permissions(employee)).toEqual({ read: true, update: false, destroy: false });
    expect(await permissions(admin)).toEqual({ read: true, update: true, destroy: true });
  });

  it('200 after its user was deleted, whom it shows as inactive', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    await world.admin.call('deleteUser', { params: { user_id: world.employee.id } });
    const { body } = await world.admin.call('getAbsence', at(id, { query: { include: 'user' } }));
    expect(body.included[0].attributes).toMatchObject({ username: 'employee', status: 'inactive' });
  });

  it('400 for an unknown include', async () => {
    const world = await newWorld();
    const response = await world.employee.call('getAbsence', at(await absenceOf(world, world.employee), { query: { include: 'users' } }));
    expect(response.status).toBe(400);
    expect(titlesIn(response)[0]).toContain('absence_type, user, confirmed_by_user, followers, notes, attachments');
  });

  it('403 for a colleague’s', async () => {
    const world = await newWorld();
    expect((await world.employee.call('getAbsence', at(await absenceOf(world, world.admin)))).status).toBe(403);
  });

  it('404 for what can be no id, an unknown one, and another workspace’s', async () => {
    const world = await newWorld();
    const { body: elsewhere } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const id = await absenceOf(world, world.employee);
    for (const absence_id of ['abc', '22_22', '0', '99999999999999999999', 999_999_999]) {
      expect((await world.admin.call('getAbsence', at(absence_id))).status).toBe(404);
    }
    expect((await world.admin.call('getAbsence', { params: { workspace_id: elsewhere.data.id, absence_id: id } })).status).toBe(404);
    expect((await world.stranger.call('getAbsence', at(id))).status).toBe(404);
  });
});

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
    expect((await world.employee.call('updateAbsence', change(id, times))).body.data.attributes).toMatchObject({ full_day: false, hours: 4, days: 0.5 });
    const { body } = await world.employee.call('updateAbsence', change(id, { full_day: true }));
    expect(body.data.attributes).toMatchObject({ full_day: true, hours: 8, days: 1, starts_at: '2026-07-05T22:00:00Z', ends_at: '2026-07-06T21:59:59Z' });
  });

  it('200 and keeps numbers given by hand until they are taken back', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee, { use_custom_values: true, hours: 30, days: 4 });
    const after = async (attributes: object) => (await world.employee.call('updateAbsence', change(id, attributes))).body.data.attributes;
    expect(await after({ ends_at: '2026-07-15T12:00:00+02:00' })).toMatchObject({ use_custom_values: true, hours: 30, days: 4 });
    expect(await after({ hours: 31 })).toMatchObject({ use_custom_values: true, hours: 31, days: 4 });
    expect(await after({ force_calc_custom_hours: true, days: 5 })).toMatchObject({ use_custom_values: true, hours: 64, days: 5 });
    expect(await after({ force_calc_custom_hours: false, days: 99 })).toMatchObject({ use_custom_values: false, hours: 64, days: 8 });
    expect(await after({ hours: 1, days: 1 })).toMatchObject({ use_custom_values: false, hours: 64, days: 8 });
    expect(await after({ use_custom_values: true, hours: 1, days: 1 })).toMatchObject({ use_custom_values: true, hours: 1, days: 1 });
  });

  it('200 without a system note where nothing changes, and without new numbers for old times', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    await world.db
      .updateTable('users')
      .set({ hours_on_vacation_day: 6 })
      .where('account_id', '=', world.accountId)
      .where('id', '=', world.employee.id)
      .execute();
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'New York' }) });
    const { body } = await world.employee.call('updateAbsence', change(id, { notes_attributes: [{ content: 'Hello.' }] }));
    expect(body.data.attributes).toMatchObject({ hours: 80, starts_at: '2026-07-05T22:00:00Z', system_notes_count: 1, user_notes_count: 1 });
  });

  it('200 and adds, changes and removes notes', async () => {
    const world = await newWorld();
    const { employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'one' }, { content: 'two' }] });
    const { body: before } = await employee.call('listAbsenceNotes', at(id, { query: { 'filter[type]': 'eq:UserNote' } }));
    const [one, two] = before.data.map((note: { id: string }) => note.id);
    const notes_attributes = [
      { id: one, content: 'eins' },
      { id: Number(two), _destroy: true },
      { content: 'three', created_by: 1 },
    ];
    const { status, body } = await employee.call('updateAbsence', change(id, { notes_attributes }));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ user_notes_count: 2, system_notes_count: 1 });
    const { body: after } = await employee.call('listAbsenceNotes', at(id, { query: { 'filter[type]': 'eq:UserNote' } }));
    expect(after.data.map((note: { attributes: { content: string } }) => note.attributes.content)).toEqual(['eins', 'three']);
  });

  it('200 and tells those who follow it, but not who changed it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, employee, { follower_ids: [follower.id, admin.id] });
    await admin.call('updateAbsence', change(id, { ends_at: '2026-07-15T12:00:00+02:00' }));
    const { body } = await follower.call('listNotifications');
    expect(body.data).toMatchObject([
      { type: 'notification', attributes: { title: 'An absence was changed' }, relationships: { entity: { data: { type: 'absence', id } } } },
    ]);
    expect((await admin.call('listNotifications')).body.data).toEqual([]);
    expect((await employee.call('listNotifications')).body.data).toEqual([]);
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
        notes_attributes: [{}, { _destroy: true }, { id: '1' }, { id: '1', content: '' }, { id: {}, content: 'x' }, { id: 1, _destroy: 'yes' }],
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

  it('400 for notes that are not there, of the system, of another absence, or named twice; nothing is written', async () => {
    const world = await newWorld();
    const { employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'one' }] });
    const other = await absenceOf(world, employee, { notes_attributes: [{ content: 'else' }] });
    const idsOf = async (absence: string) => (await employee.call('listAbsenceNotes', at(absence))).body.data.map((note: { id: string }) => note.id);
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
    const response = await employee.call('updateAbsence', change(id, { starts_at: '2026-07-20T00:00:00Z', notes_attributes }));
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['ends_at', ...[0, 1, 2, 3, 5].map((index) => `notes_attributes/${index}/id`)]);
    expect(await rowsIn(world)).toEqual(before);
    expect((await employee.call('listAbsenceNotes', at(id))).body.data[1].attributes.content).toBe('one');
  });

  it('403 for another’s note, whoever asks, and nothing of the request is done', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await absenceOf(world, employee, { notes_attributes: [{ content: 'mine' }] });
    const { body: notes } = await employee.call('listAbsenceNotes', at(id));
    const notes_attributes = [{ id: notes.data[1].id, content: 'yours' }];
    const response = await admin.call('updateAbsence', change(id, { ends_at: '2026-07-15T12:00:00+02:00', notes_attributes }));
    expect(response.status).toBe(403);
    expect((await employee.call('getAbsence', at(id))).body.data.attributes).toMatchObject({ days: 10, system_notes_count: 1 });
    // Removing it is an admin's right.
    expect((await admin.call('updateAbsence', change(id, { notes_attributes: [{ id: notes.data[1].id, _destroy: true }] }))).status).toBe(200);
  });

  it('403 for the owner once it is decided, for followers, and for colleagues', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, employee, { follower_ids: [follower.id] });
    const statusFor = async (person: typeof admin) => (await person.call('updateAbsence', change(id, { full_day: true }))).status;
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

describe('deleteAbsence', () => {
  it('200 and shows it a last time, without notes and attachments; its external id is free', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const attributes = { external_id: 'leave', notes_attributes: [{ content: 'one' }], follower_ids: [admin.id] };
    const id = await absenceOf(world, employee, attributes);
    await employee.call('createAbsenceAttachments', at(id, { files: [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }] }));
    await admin.call('confirmAbsence', at(id));
    const { status, body } = await admin.call('deleteAbsence', at(id));
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      external_id: 'leave',
      confirmation_status: 'confirmed',
      attachments_count: 0,
      system_notes_count: 0,
      user_notes_count: 0,
    });
    expect(body.data.relationships).toMatchObject({ notes: { data: [] }, attachments: { data: [] } });
    expect(await rowsIn(world)).toMatchObject({ absences: 0, notes: 0, absence_followers: 0, attachments: 0, files: 0, notifications: 0 });
    expect((await admin.call('getAbsence', at(id))).status).toBe(404);
    expect((await admin.call('deleteAbsence', at(id))).status).toBe(404);
    expect((await request(world, employee, attributes)).status).toBe(200);
  });

  it('403 for the owner once it is decided, and for a follower', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const id = await absenceOf(world, world.employee, { follower_ids: [follower.id] });
    expect((await follower.call('deleteAbsence', at(id))).status).toBe(403);
    await world.admin.call('confirmAbsence', at(id));
    expect((await world.employee.call('deleteAbsence', at(id))).status).toBe(403);
    await world.admin.call('rejectAbsence', at(id));
    expect((await world.employee.call('deleteAbsence', at(id))).status).toBe(200);
  });

  it('one of two at once deletes it', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    const responses = await Promise.all([world.admin.call('deleteAbsence', at(id)), world.employee.call('deleteAbsence', at(id))]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
