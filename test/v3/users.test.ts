import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../support/client.ts';
import { newEmail } from '../support/people.ts';
import { bodyOf, newWorld, type Person, type World } from '../support/world.ts';

let world: World;
let workspaceAdmin: Person;
beforeAll(async () => {
  world = await newWorld();
  workspaceAdmin = await world.addMember('workspaceAdmin');
});

const create = (attributes: object, person: Person = workspaceAdmin) => person.call('createUser', { body: bodyOf('user', attributes) });

describe('createUser', () => {
  it('201 with nothing but a name, and all defaults', async () => {
    const { status, body } = await create({ username: 'Robin' });
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({
      permissions: null, email: '', username: 'Robin', tablet_pin: null, abbreviation: null, hour_holidays: false, time_zone: null, initial_time_account: 0,
      checkin_complete: null, start_of_accounting: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), saldo_type: 0, salary: 0, recognition_color_variant: expect.any(Number),
      hours_on_vacation_day: 8, home_office: false, calc_holiday_options: 'target', custom_holiday_hours: 0, calc_vacation_options: 'target', working_sessions_creator: false,
      staff_number: null, external_id: null, birthday: null, identifier_pin: expect.stringMatching(/^[A-Z0-9]{4}$/), locale: null, status: 'active', assumed_role: 'employee',
      running_time_tracking: null, remaining_vacation_days_this_year: 0, avatar: '/images/avatar.png', avatar_thumb_url: '/images/avatar.png', avatar_medium_url: '/images/avatar.png',
    }); // prettier-ignore
    expect(body.data.attributes.recognition_color_variant).toBeGreaterThanOrEqual(1);
    expect(body.data.attributes.recognition_color_variant).toBeLessThanOrEqual(8);
    expect(body.data.relationships).toMatchObject({
      account: { data: null },
      areas: { data: [] },
      roles: { data: [{ type: 'role', id: '1' }] },
      workspaces: { data: [{ type: 'workspace', id: String(world.workspaceId) }] },
      current_absence: { data: null },
      tags: { data: [] },
      custom_field_values: { data: [] },
      last_action: { data: null },
    });
    expect(body.data.relationships.absence_types.data).toHaveLength(4);
  });

  it('201 with every attribute', async () => {
    const { db, admin, accountId, workspaceId } = await newWorld();
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const { id: tag } = await db
      .insertInto('tags')
      .values({ account_id: accountId, workspace_id: workspaceId, title: 'Late', created_at: new Date(), updated_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const types = await db.selectFrom('absence_types').select('id').where('workspace_id', '=', workspaceId).orderBy('id').execute();
    const attributes = {
      username: 'Robin', email: newEmail(), tablet_pin: '4711', avatar: 'https://example.com/r.png', abbreviation: 'RB', hour_holidays: true, time_zone: 'London',
      initial_time_account: -12.5, start_of_accounting: '2026-02-01', saldo_type: 7, salary: 17.25, hours_on_vacation_day: 7.5, home_office: true, calc_holiday_options: 'custom',
      custom_holiday_hours: 6, calc_vacation_options: 'custom', working_sessions_creator: true, staff_number: '1005', external_id: 'robin', birthday: '1992-11-03',
      identifier_pin: 'R0B1N', locale: 'en',
    }; // prettier-ignore
    const references = {
      time_tracking_method_id: 'm1', filter_ids: [tag], wage_type_ids: [1, 'x'], default_break_ids: ['2'], absence_type_ids: [String(types[0]!.id)], public_holiday_ids: [], area_ids: [area.body.data.id],
    }; // prettier-ignore
    const { status, body } = await create({ ...attributes, ...references }, admin);
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject(attributes);
    expect(body.data.relationships).toMatchObject({
      areas: { data: [{ type: 'area', id: area.body.data.id }] },
      tags: { data: [{ type: 'tag', id: String(tag) }] },
      absence_types: { data: [{ type: 'absence_type', id: String(types[0]!.id) }] },
    });
    const row = await db.selectFrom('users').selectAll().where('id', '=', Number(body.data.id)).executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      time_tracking_method_id: 'm1',
      wage_type_ids: ['1', 'x'],
      default_break_ids: ['2'],
      public_holiday_ids: [],
      password_hash: null,
    });
  });

  it('201 where null and blank mean "not given", for every attribute', async () => {
    const names = [
      'email', 'avatar', 'hour_holidays', 'time_zone', 'initial_time_account', 'start_of_accounting', 'saldo_type', 'salary', 'hours_on_vacation_day', 'home_office', 'calc_holiday_options',
      'custom_holiday_hours', 'calc_vacation_options', 'working_sessions_creator', 'birthday', 'identifier_pin', 'locale', 'time_tracking_method_id', 'filter_ids', 'wage_type_ids',
      'default_break_ids', 'absence_type_ids', 'public_holiday_ids', 'area_ids',
    ]; // prettier-ignore
    const [plain, withNull, withBlank] = [
      await create({ username: 'Robin' }),
      await create({ username: 'Robin', ...Object.fromEntries(names.map((name) => [name, null])) }),
      await create({ username: 'Robin', ...Object.fromEntries(names.map((name) => [name, ' '])) }),
    ];
    for (const { status, body } of [withNull, withBlank]) {
      expect(status).toBe(201);
      const own = { identifier_pin: expect.any(String), recognition_color_variant: expect.any(Number) };
      expect(body.data.attributes).toEqual({ ...plain.body.data.attributes, ...own });
      expect(body.data.relationships).toEqual(plain.body.data.relationships);
    }
  });

  it('201 keeps blanks in text', async () => {
    const { body } = await create({ username: 'Robin', tablet_pin: '', abbreviation: '', staff_number: '', external_id: '' });
    expect(body.data.attributes).toMatchObject({ tablet_pin: '', abbreviation: '', staff_number: '', external_id: '' });
    expect((await create({ username: 'Robin', external_id: '' })).status).toBe(201);
  });

  it('400 names every problem of form at once', async () => {
    const bad = {
      username: '', email: 'nobody', tablet_pin: 5, avatar: 'data:image/svg+xml;base64,PHN2Zy8+', hour_holidays: 'yes', initial_time_account: 1e9, start_of_accounting: '2026-02-30', saldo_type: -1,
      salary: 'much', hours_on_vacation_day: -1, calc_holiday_options: 'x'.repeat(256), birthday: '03.11.1992', external_id: 'x'.repeat(256), area_ids: '1', locale: 'e',
    }; // prettier-ignore
    const response = await create(bad);
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(Object.keys(bad).sort());
    expect(titlesIn(response)).toContain('start_of_accounting must be a day that exists, like 2026-01-30, but was "2026-02-30".');
  });

  it('400 names every problem with the data at once', async () => {
    const email = newEmail();
    await create({ username: 'Robin', email, external_id: 'taken', identifier_pin: 'TAKEN' });
    const response = await create({
      username: 'Robin', email: email.toUpperCase(), external_id: 'taken', identifier_pin: 'TAKEN', time_zone: 'Atlantis', avatar: 'data:image/png;base64,AAAA',
      area_ids: [0], filter_ids: ['abc'], absence_type_ids: [999999999],
    }); // prettier-ignore
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual([
      'absence_type_ids',
      'area_ids',
      'avatar',
      'email',
      'external_id',
      'filter_ids',
      'identifier_pin',
      'time_zone',
    ]);
    expect(titlesIn(response).join()).not.toContain('TAKEN');
  });

  it('400 for references into other workspaces', async () => {
    const other = await newWorld();
    const area = await other.admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const [type] = await other.db.selectFrom('absence_types').select('id').where('workspace_id', '=', other.workspaceId).execute();
    expect(pointersIn(await create({ username: 'Robin', area_ids: [area.body.data.id], absence_type_ids: [type!.id] }))).toEqual([
      'area_ids',
      'absence_type_ids',
    ]);
  });

  it.each(['email', 'external_id', 'identifier_pin'])('400 for all but one of many with one %s at once', async (name) => {
    const value = name === 'email' ? newEmail() : `race ${name}`;
    const responses = await Promise.all(Array.from({ length: 4 }, () => create({ username: 'Robin', [name]: value })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    for (const response of responses.filter(({ status }) => status === 400)) expect(pointersIn(response)).toEqual([name]);
  });

  it('403 for those below a workspace admin, 404 for a stranger', async () => {
    expect((await create({ username: 'Robin' }, await world.addMember('areaAdmin'))).status).toBe(403);
    expect((await create({ username: 'Robin' }, world.employee)).status).toBe(403);
    expect((await create({ username: 'Robin' }, world.stranger)).status).toBe(404);
  });
});

describe('getUser', () => {
  const show = (person: Person, user_id: number | string, query: Record<string, string> = {}) => person.call('getUser', { params: { user_id }, query });

  it('200 for oneself, for workspace admins, and for the admin of a shared area', async () => {
    const { admin, employee, addMember } = await newWorld();
    const areaAdmin = await addMember('areaAdmin');
    expect((await show(areaAdmin, employee.id)).status).toBe(403);
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    await admin.call('updateArea', { params: { area_id: area.body.data.id }, body: bodyOf('area', { user_ids: [employee.id, areaAdmin.id] }) });
    for (const person of [employee, areaAdmin, await addMember('workspaceAdmin'), admin]) {
      const { status, body } = await show(person, employee.id);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ id: String(employee.id), attributes: { email: employee.email, assumed_role: 'employee' } });
    }
  });

  it('200 with exactly the permissions that were asked for', async () => {
    const permissions = async (person: Person, user_id: number, asked: string) =>
      (await show(person, user_id, { permissions: asked })).body.data.attributes.permissions;
    expect(await permissions(workspaceAdmin, world.employee.id, 'true')).toEqual({ read: true, update: true, destroy: true, update_account_admin_role: false });
    expect(await permissions(workspaceAdmin, world.admin.id, '')).toEqual({ read: true, update: false, destroy: false, update_account_admin_role: false });
    expect(await permissions(world.employee, world.employee.id, 'read, destroy, fly')).toEqual({ read: true, destroy: false });
    expect(await permissions(world.admin, world.employee.id, 'update_account_admin_role')).toEqual({ update_account_admin_role: true });
    expect(await permissions(world.admin, world.admin.id, 'true')).toEqual({ read: true, update: true, destroy: false, update_account_admin_role: false });
  });

  it('200 with exactly the fields that were asked for', async () => {
    const { body } = await world.employee.call('getUser', { params: { user_id: world.employee.id }, query: 'fields[user]=username,email,nothing' });
    expect(body.data).toEqual({
      type: 'user',
      id: String(world.employee.id),
      attributes: { username: 'employee', email: world.employee.email },
      relationships: {},
    });
  });

  it('200 with everything that can be included', async () => {
    const { db, admin, employee, accountId } = await newWorld();
    const field = await db
      .selectFrom('custom_fields')
      .select('id')
      .where('account_id', '=', accountId)
      .where('key', '=', 'cost_center')
      .executeTakeFirstOrThrow();
    await db.insertInto('custom_field_values').values({ account_id: accountId, custom_field_id: field.id, user_id: employee.id, value: '4100' }).execute();
    const include = 'account, areas, roles, workspaces, current_absence, absence_types, tags, custom_field_values, last_action';
    const { body } = await show(admin, employee.id, { include });
    const types = body.included.map((record: { type: string }) => record.type);
    expect(types).toEqual(['role', 'workspace', 'absence_type', 'absence_type', 'absence_type', 'absence_type', 'custom_field_value']);
    expect(body.included.at(-1).attributes).toEqual({ key: 'cost_center', title: 'Cost centre', value: '4100' });
    expect((await show(admin, admin.id, { include: 'account' })).body.included).toMatchObject([{ type: 'account' }]);
    expect((await show(admin, employee.id, { include: 'account' })).body.included).toEqual([]);
    expect((await show(admin, employee.id, { include: '' })).body).not.toHaveProperty('included');
  });

  it('200 includes no workspace that the caller has nothing to do with', async () => {
    const { db, admin, employee, addMember, accountId, workspaceId } = await newWorld();
    const { body: hill } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Secret' }) });
    await db
      .insertInto('memberships')
      .values({ account_id: accountId, workspace_id: Number(hill.data.id), user_id: employee.id, role: 1, identifier_pin: 'X', created_at: new Date() })
      .execute();
    const included = async (person: Person) => (await show(person, employee.id, { include: 'workspaces' })).body.included.map(({ id }: { id: string }) => id);
    expect(await included(await addMember('workspaceAdmin'))).toEqual([String(workspaceId)]);
    expect(await included(employee)).toEqual([String(workspaceId), hill.data.id]);
    expect(await included(admin)).toEqual([String(workspaceId), hill.data.id]);
  });

  it('400 for something that cannot be included', async () => {
    const response = await show(world.employee, world.employee.id, { include: 'areas,friends,foes' });
    expect(response.status).toBe(400);
    expect(titlesIn(response)[0]).toMatch(/^include does not know "friends", "foes"\. It may name: account, areas, roles, workspaces, /);
  });

  it('403 for a colleague', async () => {
    expect((await show(world.employee, workspaceAdmin.id)).status).toBe(403);
  });

  it('404 for those who are not here', async () => {
    for (const id of [world.stranger.id, 0, 'abc', '22_22']) expect((await show(world.admin, id)).status).toBe(404);
    expect((await show(world.stranger, world.employee.id)).status).toBe(404);
  });
});

describe('listUsers', () => {
  const names = async (person: Person, query: Record<string, string> = {}): Promise<string[]> =>
    (await person.call('listUsers', { query })).body.data.map((user: { attributes: { username: string } }) => user.attributes.username);

  it('200 lists those whom the caller may read in full, by username', async () => {
    const { admin, employee, addMember } = await newWorld();
    const [areaAdmin, colleague] = [await addMember('areaAdmin'), await addMember('employee', 'Colleague')];
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    await admin.call('updateArea', { params: { area_id: area.body.data.id }, body: bodyOf('area', { user_ids: [colleague.id, areaAdmin.id] }) });
    const everybody = ['Colleague', 'admin', 'areaAdmin', 'employee', 'workspaceAdmin'];
    expect(await names(await addMember('workspaceAdmin'))).toEqual(everybody);
    expect(await names(admin)).toEqual(everybody);
    expect(await names(areaAdmin)).toEqual(['Colleague', 'areaAdmin']);
    expect(await names(employee)).toEqual(['employee']);
    expect((await employee.call('listUsers')).body.meta.total_count).toBe(1);
  });

  it('200 filtered by attributes, areas and tags', async () => {
    const { db, admin, accountId, workspaceId } = await newWorld();
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const tag = await db
      .insertInto('tags')
      .values({ account_id: accountId, workspace_id: workspaceId, title: 'Late', created_at: new Date(), updated_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await create({ username: 'Ann', salary: 20, time_zone: 'New York', area_ids: [area.body.data.id], identifier_pin: 'ANN1' }, admin);
    await create({ username: 'Bob', salary: 10, birthday: '1990-05-01', filter_ids: [tag.id] }, admin);
    expect(await names(admin, { 'filter[salary]': 'gte:15' })).toEqual(['Ann']);
    expect(await names(admin, { 'filter[time_zone]': 'eq:New York' })).toEqual(['Ann']);
    expect(await names(admin, { 'filter[identifier_pin]': 'eq:ANN1' })).toEqual(['Ann']);
    expect(await names(admin, { 'filter[email]': 'eq:' })).toEqual(['Ann', 'Bob']);
    expect(await names(admin, { 'filter[birthday]': 'present:true' })).toEqual(['Bob']);
    expect(await names(admin, { 'filter[areas]': area.body.data.id })).toEqual(['Ann']);
    expect(await names(admin, { 'filter[tags]': `${tag.id},0` })).toEqual(['Bob']);
    expect(await names(admin, { 'filter[areas]': '0' })).toEqual([]);
    expect(await names(admin, { 'filter[username]': 'in:Ann,Bob', sort: '-username' })).toEqual(['Bob', 'Ann']);
  });

  it('200 lists the inactive, and not the deleted', async () => {
    const { db, admin, employee, addMember } = await newWorld();
    const gone = await addMember('employee', 'Gone');
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', employee.id).execute();
    await admin.call('deleteUser', { params: { user_id: gone.id } });
    expect(await names(admin)).toEqual(['admin', 'employee']);
    expect(await names(admin, { 'filter[status]': 'eq:inactive' })).toEqual(['employee']);
  });

  it('400 for a bad page, 404 for a stranger', async () => {
    expect((await world.employee.call('listUsers', { query: { page: 0 } })).status).toBe(400);
    expect((await world.employee.call('listUsers', { query: { include: 'friends' } })).status).toBe(400);
    expect((await world.stranger.call('listUsers')).status).toBe(404);
  });
});

describe('getCurrentUser', () => {
  it('200 with account and workspaces, and without what belongs to a workspace', async () => {
    const { status, body } = await world.employee.call('getCurrentUser', { query: { include: 'account,areas,workspaces,roles' } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: String(world.employee.id),
      relationships: {
        account: { data: { type: 'account', id: String(world.accountId) } },
        workspaces: { data: [{ type: 'workspace', id: String(world.workspaceId) }] },
      },
    });
    expect(body.data.attributes).not.toHaveProperty('assumed_role');
    expect(body.data.relationships).not.toHaveProperty('roles');
    expect(body.included.map((record: { type: string }) => record.type)).toEqual(['account', 'workspace']);
  });

  it('400 for something that cannot be included', async () => {
    expect((await world.employee.call('getCurrentUser', { query: { include: 'x' } })).status).toBe(400);
  });
});

describe('getCurrentWorkspaceUser', () => {
  it('200 with the role in effect', async () => {
    const roles = async (person: Person) => {
      const { body } = await person.call('getCurrentWorkspaceUser');
      return [body.data.id, body.data.attributes.assumed_role, body.data.relationships.roles.data[0].id];
    };
    const areaAdmin = await world.addMember('areaAdmin');
    expect(await roles(world.employee)).toEqual([String(world.employee.id), 'employee', '1']);
    expect(await roles(areaAdmin)).toEqual([String(areaAdmin.id), 'admin', '2']);
    expect(await roles(workspaceAdmin)).toEqual([String(workspaceAdmin.id), 'admin', '3']);
    expect(await roles(world.admin)).toEqual([String(world.admin.id), 'admin', '4']);
  });

  it('400 for something that cannot be included, 404 for a stranger', async () => {
    expect((await world.employee.call('getCurrentWorkspaceUser', { query: { include: 'x' } })).status).toBe(400);
    expect((await world.stranger.call('getCurrentWorkspaceUser')).status).toBe(404);
  });
});
