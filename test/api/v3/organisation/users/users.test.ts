import { beforeAll, describe, expect, it } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

let world: World;
let workspaceAdmin: Person;
beforeAll(async () => {
  world = await newWorld();
  workspaceAdmin = await world.addMember('workspaceAdmin');
});

describe('getUser', () => {
  const show = (person: Person, user_id: number | string, query: Record<string, string> = {}) =>
    person.call('getUser', { params: { user_id }, query });

  it('200 for oneself, for workspace admins, and for the admin of a shared area', async () => {
    const { admin, employee, addMember } = await newWorld();
    const areaAdmin = await addMember('areaAdmin');
    expect((await show(areaAdmin, employee.id)).status).toBe(403);
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    await admin.call('updateArea', {
      params: { area_id: area.body.data.id },
      body: bodyOf('area', { user_ids: [employee.id, areaAdmin.id] }),
    });
    for (const person of [employee, areaAdmin, await addMember('workspaceAdmin'), admin]) {
      const { status, body } = await show(person, employee.id);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        id: String(employee.id),
        attributes: { email: employee.email, assumed_role: 'employee' },
      });
    }
  });

  it('200 with exactly the permissions that were asked for', async () => {
    const permissions = async (person: Person, user_id: number, asked: string) =>
      (await show(person, user_id, { permissions: asked })).body.data.attributes.permissions;
    expect(await permissions(workspaceAdmin, world.employee.id, 'true')).toEqual({
      read: true,
      update: true,
      destroy: true,
      update_account_admin_role: false,
    });
    expect(await permissions(workspaceAdmin, world.admin.id, '')).toEqual({
      read: true,
      update: false,
      destroy: false,
      update_account_admin_role: false,
    });
    expect(await permissions(world.employee, world.employee.id, 'read, destroy, fly')).toEqual({
      read: true,
      destroy: false,
    });
    expect(await permissions(world.admin, world.employee.id, 'update_account_admin_role')).toEqual({
      update_account_admin_role: true,
    });
    expect(await permissions(world.admin, world.admin.id, 'true')).toEqual({
      read: true,
      update: true,
      destroy: false,
      update_account_admin_role: false,
    });
  });

  it('200 with exactly the fields that were asked for', async () => {
    const { body } = await world.employee.call('getUser', {
      params: { user_id: world.employee.id },
      query: 'fields[user]=username,email,nothing',
    });
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
    await db
      .insertInto('custom_field_values')
      .values({ account_id: accountId, custom_field_id: field.id, user_id: employee.id, value: '4100' })
      .execute();
    const include =
      'account, areas, roles, workspaces, current_absence, absence_types, tags, custom_field_values, last_action';
    const { body } = await show(admin, employee.id, { include });
    const types = body.included.map((record: { type: string }) => record.type);
    expect(types).toEqual([
      'role',
      'workspace',
      'absence_type',
      'absence_type',
      'absence_type',
      'absence_type',
      'custom_field_value',
    ]);
    expect(body.included.at(-1).attributes).toMatchObject({ key: 'cost_center', title: 'Cost centre', value: '4100' });
    expect((await show(admin, admin.id, { include: 'account' })).body.included).toMatchObject([{ type: 'account' }]);
    expect((await show(admin, employee.id, { include: 'account' })).body.included).toEqual([]);
    expect((await show(admin, employee.id, { include: '' })).body).not.toHaveProperty('included');
  });

  it('200 includes no workspace that the caller does not belong to', async () => {
    const { db, admin, employee, addMember, accountId, workspaceId } = await newWorld();
    const { body: hill } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Secret' }) });
    await db
      .insertInto('memberships')
      .values({
        account_id: accountId,
        workspace_id: Number(hill.data.id),
        user_id: employee.id,
        role: 1,
        identifier_pin: 'X',
        created_at: new Date(),
      })
      .execute();
    const included = async (person: Person) =>
      (await show(person, employee.id, { include: 'workspaces' })).body.included.map(({ id }: { id: string }) => id);
    expect(await included(await addMember('workspaceAdmin'))).toEqual([String(workspaceId)]);
    expect(await included(employee)).toEqual([String(workspaceId), hill.data.id]);
    expect(await included(admin)).toEqual([String(workspaceId), hill.data.id]);
  });

  it('400 for an unknown include', async () => {
    const response = await show(world.employee, world.employee.id, { include: 'areas,friends,foes' });
    expect(response.status).toBe(400);
    expect(titlesIn(response)[0]).toMatch(
      /^include does not know "friends", "foes"\. It may name: account, areas, roles, workspaces, /,
    );
  });

  it('403 for a colleague', async () => {
    expect((await show(world.employee, workspaceAdmin.id)).status).toBe(403);
  });

  it('404 for an unknown user and one of another workspace', async () => {
    for (const id of [world.stranger.id, 0, 'abc', '22_22']) expect((await show(world.admin, id)).status).toBe(404);
    expect((await show(world.stranger, world.employee.id)).status).toBe(404);
  });
});

describe('listUsers', () => {
  const names = async (person: Person, query: Record<string, string> = {}): Promise<string[]> =>
    (await person.call('listUsers', { query })).body.data.map(
      (user: { attributes: { username: string } }) => user.attributes.username,
    );

  it('200 lists those whom the caller may read in full, by username', async () => {
    const { admin, employee, addMember } = await newWorld();
    const [areaAdmin, colleague] = [await addMember('areaAdmin'), await addMember('employee', 'Colleague')];
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    await admin.call('updateArea', {
      params: { area_id: area.body.data.id },
      body: bodyOf('area', { user_ids: [colleague.id, areaAdmin.id] }),
    });
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
      .values({
        account_id: accountId,
        workspace_id: workspaceId,
        title: 'Late',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await admin.call('createUser', {
      body: bodyOf('user', {
        username: 'Ann',
        salary: 20,
        time_zone: 'New York',
        area_ids: [area.body.data.id],
        identifier_pin: 'ANN1',
      }),
    });
    await admin.call('createUser', {
      body: bodyOf('user', { username: 'Bob', salary: 10, birthday: '1990-05-01', filter_ids: [tag.id] }),
    });
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

  it('400 for an invalid page, 404 for a stranger', async () => {
    expect((await world.employee.call('listUsers', { query: { page: 0 } })).status).toBe(400);
    expect((await world.employee.call('listUsers', { query: { include: 'friends' } })).status).toBe(400);
    expect((await world.stranger.call('listUsers')).status).toBe(404);
  });
});

describe('getCurrentUser', () => {
  it('200 with account and workspaces, and without what belongs to a workspace', async () => {
    const { status, body } = await world.employee.call('getCurrentUser', {
      query: { include: 'account,areas,workspaces,roles' },
    });
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

  it('400 for an unknown include', async () => {
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

  it('400 for an unknown include, 404 for a stranger', async () => {
    expect((await world.employee.call('getCurrentWorkspaceUser', { query: { include: 'x' } })).status).toBe(400);
    expect((await world.stranger.call('getCurrentWorkspaceUser')).status).toBe(404);
  });
});
