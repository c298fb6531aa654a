import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { create, defaults } from './support.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

let world: World;
let workspaceAdmin: Person;
beforeAll(async () => {
  world = await newWorld();
  workspaceAdmin = await world.addMember('workspaceAdmin');
});

const update = (person: Person, attributes: object, workspace_id: number | string = world.workspaceId) =>
  person.call('updateWorkspace', { params: { workspace_id }, body: bodyOf('workspace', attributes) });

const namesIn = (body: { data: { attributes: { name: string } }[] }): string[] =>
  body.data.map(({ attributes }) => attributes.name);

describe('listWorkspaces', () => {
  it('200 lists all of the account to its admin, and to others those they belong to', async () => {
    const { admin, employee } = await newWorld();
    await create(admin, { name: 'Hill' });
    expect(namesIn((await admin.call('listWorkspaces')).body)).toEqual(['admin', 'Hill']);
    expect(namesIn((await employee.call('listWorkspaces')).body)).toEqual(['admin']);
  });

  it('200 with areas, permissions and the welcome message', async () => {
    const { admin } = await newWorld();
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const { body } = await admin.call('listWorkspaces', { query: { include: 'areas', permissions: 'update, fly' } });
    expect(body.data[0].attributes).toMatchObject({
      permissions: { update: true },
      welcome_message: 'Welcome to your Workspace!',
    });
    expect(body.included).toMatchObject([
      { type: 'area', id: area.body.data.id, attributes: { permissions: { update: true } } },
    ]);
  });

  it('200 shows each workspace with the permissions of the role held there', async () => {
    const { db, admin, addMember, accountId } = await newWorld();
    const person = await addMember('workspaceAdmin');
    const { body: hill } = await create(admin, { name: 'Hill' });
    await db
      .insertInto('memberships')
      .values({
        account_id: accountId,
        workspace_id: Number(hill.data.id),
        user_id: person.id,
        role: 1,
        identifier_pin: 'PINS',
        created_at: new Date(),
      })
      .execute();
    const permissions = async (query: object) =>
      (await person.call('listWorkspaces', { query: { permissions: 'read,update', ...query } })).body.data.map(
        (row: { attributes: { permissions: object } }) => row.attributes.permissions,
      );
    expect(await permissions({})).toEqual([
      { read: true, update: true },
      { read: true, update: false },
    ]);
    const me = await person.call('getCurrentWorkspaceUser', {
      query: { include: 'workspaces', permissions: 'update' },
    });
    expect(me.body.included.map((row: { attributes: { permissions: object } }) => row.attributes.permissions)).toEqual([
      { update: true },
      { update: false },
    ]);
  });

  it('200 filtered and sorted by what is shown', async () => {
    const { admin } = await newWorld();
    await create(admin, { name: 'Hill', time_zone: 'New York', locale: 'en', external_id: 'hill' });
    const filtered = async (query: object) =>
      namesIn((await admin.call('listWorkspaces', { query: query as Record<string, string> })).body);
    expect(await filtered({ 'filter[time_zone]': 'eq:New York' })).toEqual(['Hill']);
    expect(await filtered({ 'filter[locale]': '!eq:en' })).toEqual(['admin']);
    expect(await filtered({ 'filter[external_id]': 'present:false' })).toEqual(['admin']);
    expect(await filtered({ 'filter[checkin]': 'present:true' })).toEqual([]);
    expect(await filtered({ sort: 'name' })).toEqual(['Hill', 'admin']);
  });

  it('400 for an invalid page, 404 for a stranger', async () => {
    expect(pointersIn(await world.employee.call('listWorkspaces', { query: { items: 0, include: 'users' } }))).toEqual([
      'items',
    ]);
    expect(pointersIn(await world.employee.call('listWorkspaces', { query: { include: 'users' } }))).toEqual([
      'include',
    ]);
    expect((await world.stranger.call('listWorkspaces')).status).toBe(404);
  });
});

describe('getWorkspace', () => {
  it('200 for its members, with areas and permissions', async () => {
    const { admin, employee } = await newWorld();
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const { status, body } = await employee.call('getWorkspace', { query: { include: 'areas', permissions: 'true' } });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      ...defaults,
      name: 'admin',
      welcome_message: 'Welcome to your Workspace!',
      permissions: { read: true, update: false, destroy: false, update_account_admin_role: false },
    });
    expect(body.data.relationships.areas.data).toEqual([{ type: 'area', id: area.body.data.id }]);
    expect(body.included).toHaveLength(1);
  });

  it('200 for an account admin who is no member', async () => {
    const { admin, addMember } = await newWorld();
    const { body } = await create(admin, { name: 'Hill' });
    const other = await addMember('accountAdmin');
    expect((await other.call('getWorkspace', { params: { workspace_id: body.data.id } })).status).toBe(200);
    const me = await other.call('getCurrentWorkspaceUser', { params: { workspace_id: body.data.id } });
    expect(me.body.data.attributes.assumed_role).toBe('admin');
  });

  it('400 for an unknown include', async () => {
    expect((await world.employee.call('getWorkspace', { query: { include: 'users' } })).status).toBe(400);
  });

  it('404 for a stranger, and for a workspace of the account one does not belong to', async () => {
    const { body } = await create(world.admin, { name: 'Hill' });
    expect((await world.stranger.call('getWorkspace')).status).toBe(404);
    for (const person of [world.employee, workspaceAdmin])
      expect((await person.call('getWorkspace', { params: { workspace_id: body.data.id } })).status).toBe(404);
  });
});

describe('updateWorkspace', () => {
  const settings = {
    name: 'Hill',
    phone: '+49 40 1',
    time_zone: 'London',
    locale: 'en-GB',
    external_id: 'hill-2',
    active: false,
    checkin: true,
    allow_employees_edit_working_session_area: false,
    allow_employee_edit_punched_working_sessions: true,
    allow_employees_tag_working_sessions: true,
    require_four_eyes: true,
    max_backdating_days: 14,
  };

  it('200 changes only the given attributes', async () => {
    const { workspaceId, addMember } = await newWorld();
    const person = await addMember('workspaceAdmin');
    const { status, body } = await update(person, { ...settings, welcome_message: 'Hello!' }, workspaceId);
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject(settings);
    expect(body.data.attributes).not.toHaveProperty('welcome_message');
    await update(person, { name: 'Valley' }, workspaceId);
    const shown = await person.call('getWorkspace');
    expect(shown.body.data.attributes).toMatchObject({ ...settings, name: 'Valley', welcome_message: 'Hello!' });
  });

  it('200 where null and blank clear what can be cleared', async () => {
    const { workspaceId, admin } = await newWorld();
    await update(
      admin,
      { phone: '1', external_id: 'x', checkin: true, avatar: 'https://example.com/a.png' },
      workspaceId,
    );
    const { status, body } = await update(
      admin,
      { phone: null, external_id: null, checkin: '', avatar: '' },
      workspaceId,
    );
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      phone: null,
      external_id: null,
      checkin: null,
      avatar: defaults.avatar,
    });
    expect(
      (await update(admin, { phone: '', welcome_message: '', external_id: '' }, workspaceId)).body.data.attributes,
    ).toMatchObject({
      phone: '',
      external_id: '',
    });
  });

  it.each(['name', 'time_zone', 'locale', 'allow_employees_edit_working_session_area'])(
    '400 where null or blank would clear %s',
    async (name) => {
      for (const value of [null, '', ' ']) {
        const response = await update(world.admin, { [name]: value });
        expect(response.status).toBe(400);
        expect(new Set(pointersIn(response))).toEqual(new Set([name]));
      }
    },
  );

  it('400 for an unknown zone and an external id that is taken; its own it may keep', async () => {
    const { workspaceId, admin } = await newWorld();
    await create(admin, { name: 'Hill', external_id: 'hill' });
    expect(pointersIn(await update(admin, { external_id: 'hill', time_zone: 'Nowhere/Land' }, workspaceId))).toEqual([
      'time_zone',
      'external_id',
    ]);
    await update(admin, { external_id: 'own' }, workspaceId);
    expect((await update(admin, { external_id: 'own' }, workspaceId)).status).toBe(200);
  });

  it('403 for employees and area admins, 404 for a stranger', async () => {
    for (const person of [world.employee, await world.addMember('areaAdmin')])
      expect((await update(person, { name: 'Mine' })).status).toBe(403);
    expect((await update(world.stranger, { name: 'Mine' })).status).toBe(404);
  });
});
