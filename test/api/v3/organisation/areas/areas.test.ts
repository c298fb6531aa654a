import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const create = async (person: Person, attributes: object): Promise<string> =>
  (await person.call('createArea', { body: bodyOf('area', attributes) })).body.data.id;
const update = (person: Person, area_id: string, attributes: object) =>
  person.call('updateArea', { params: { area_id }, body: bodyOf('area', attributes) });

describe('listAreas', () => {
  it('200 lists active areas by id, and tells who may create', async () => {
    const { admin, employee, addMember } = await newWorld();
    for (const name of ['Kitchen', 'Bar']) await create(admin, { name });
    const names = (body: { data: { attributes: { name: string } }[] }) =>
      body.data.map(({ attributes }) => attributes.name);
    const [forAdmin, forEmployee] = [await admin.call('listAreas'), await employee.call('listAreas')];
    expect(names(forAdmin.body)).toEqual(['Kitchen', 'Bar']);
    expect(names(forEmployee.body)).toEqual(['Kitchen', 'Bar']);
    const mayCreate = await Promise.all(
      [admin, await addMember('workspaceAdmin'), await addMember('areaAdmin'), employee].map((person) =>
        person.call('listAreas'),
      ),
    );
    expect(mayCreate.map(({ body }) => body.meta.can_create_working_areas)).toEqual([true, true, false, false]);
  });

  it('400 for an invalid page and an unknown include', async () => {
    const { employee } = await newWorld();
    expect(pointersIn(await employee.call('listAreas', { query: { page: 'x' } }))).toEqual(['page']);
    const response = await employee.call('listAreas', { query: { include: 'tags, users' } });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(['include does not know "tags". It may name: users, areas, workspace.']);
  });

  it('404 for a stranger', async () => {
    expect((await (await newWorld()).stranger.call('listAreas')).status).toBe(404);
  });
});

describe('getArea', () => {
  it('200 with users and workspace, whose private attributes an employee does not see', async () => {
    const { db, admin, employee, workspaceId } = await newWorld();
    await db
      .updateTable('users')
      .set({ salary: 99, birthday: '1990-01-01', tablet_pin: '4711' })
      .where('id', '=', admin.id)
      .execute();
    const area_id = await create(admin, { name: 'Bar' });
    await update(admin, area_id, { user_ids: [admin.id, employee.id] });
    const shown = async (person: Person) =>
      (await person.call('getArea', { params: { area_id }, query: { include: 'users, workspace, areas' } })).body;
    const body = await shown(employee);
    expect(body.data.relationships.users.data.map(({ id }: { id: string }) => id)).toEqual([
      String(admin.id),
      String(employee.id),
    ]);
    expect(body.included.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`)).toEqual([
      `user ${admin.id}`,
      `user ${employee.id}`,
      `workspace ${workspaceId}`,
    ]);
    expect(body.included[0].attributes).toMatchObject({
      email: '',
      salary: 0,
      birthday: null,
      tablet_pin: null,
      identifier_pin: '',
    });
    expect(body.included[1].attributes.identifier_pin).toHaveLength(4);
    expect((await shown(admin)).included[0].attributes).toMatchObject({
      salary: 99,
      birthday: '1990-01-01',
      tablet_pin: '4711',
    });
  });

  it('200 with permissions of the area, and of what is included', async () => {
    const { admin, addMember } = await newWorld();
    const areaAdmin = await addMember('areaAdmin');
    const [own, other] = [await create(admin, { name: 'Bar' }), await create(admin, { name: 'Kitchen' })];
    await update(admin, own, { user_ids: [areaAdmin.id] });
    const permissions = async (area_id: string) =>
      (await areaAdmin.call('getArea', { params: { area_id }, query: { permissions: '' } })).body.data.attributes
        .permissions;
    expect(await permissions(own)).toEqual({ read: true, update: true, destroy: false });
    expect(await permissions(other)).toEqual({ read: true, update: false, destroy: false });
    const { body } = await areaAdmin.call('getArea', {
      params: { area_id: own },
      query: { include: 'users,workspace', permissions: 'update' },
    });
    expect(
      body.included.map((record: { attributes: { permissions: object } }) => record.attributes.permissions),
    ).toEqual([{ update: false }, { update: false }]);
  });

  it('400 for an unknown include', async () => {
    const { admin } = await newWorld();
    expect(
      (
        await admin.call('getArea', {
          params: { area_id: await create(admin, { name: 'Bar' }) },
          query: { include: 'nothing' },
        })
      ).status,
    ).toBe(400);
  });

  it('404 for an area of another workspace, of a stranger, or none', async () => {
    const { admin } = await newWorld();
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const elsewhere = await admin.call('createArea', {
      params: { workspace_id: body.data.id },
      body: bodyOf('area', { name: 'Bar' }),
    });
    const foreign = await create((await newWorld()).admin, { name: 'Bar' });
    for (const area_id of [elsewhere.body.data.id, foreign, '0', 'abc'])
      expect((await admin.call('getArea', { params: { area_id } })).status).toBe(404);
  });
});

describe('updateArea', () => {
  it('200 changes only the given attributes', async () => {
    const { admin, employee } = await newWorld();
    const area = await create(admin, { name: 'Bar', external_id: 'bar' });
    await update(admin, area, { user_ids: [String(employee.id), employee.id] });
    const { status, body } = await update(admin, area, { name: 'Lounge', color: '#abcdef' });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ name: 'Lounge', color: '#abcdef', external_id: 'bar' });
    expect(body.data.relationships.users.data).toEqual([{ type: 'user', id: String(employee.id) }]);
    expect((await update(admin, area, { external_id: null, user_ids: [] })).body.data).toMatchObject({
      attributes: { external_id: null },
      relationships: { users: { data: [] } },
    });
  });

  it('200 keeps its own name and external id', async () => {
    const { admin } = await newWorld();
    const area = await create(admin, { name: 'Bar', external_id: 'bar' });
    expect((await update(admin, area, { name: 'Bar', external_id: 'bar' })).status).toBe(200);
  });

  it('200 for an area admin in their own areas, 403 in others', async () => {
    const { admin, employee, addMember } = await newWorld();
    const areaAdmin = await addMember('areaAdmin');
    const [own, other] = [await create(admin, { name: 'Bar' }), await create(admin, { name: 'Kitchen' })];
    await update(admin, own, { user_ids: [areaAdmin.id] });
    expect((await update(areaAdmin, own, { name: 'Lounge', user_ids: [areaAdmin.id] })).status).toBe(200);
    expect((await update(areaAdmin, other, { name: 'Mine' })).status).toBe(403);
    expect((await update(employee, own, { name: 'Mine' })).status).toBe(403);
  });

  it('200 for an area admin who moves members between their areas and keeps members who rank higher', async () => {
    const { admin, employee, addMember } = await newWorld();
    const [areaAdmin, workspaceAdmin] = [await addMember('areaAdmin'), await addMember('workspaceAdmin')];
    const [bar, kitchen] = [await create(admin, { name: 'Bar' }), await create(admin, { name: 'Kitchen' })];
    await update(admin, bar, { user_ids: [areaAdmin.id, employee.id] });
    await update(admin, kitchen, { user_ids: [areaAdmin.id, workspaceAdmin.id] });
    const user_ids = [areaAdmin.id, workspaceAdmin.id, employee.id];
    expect((await update(areaAdmin, kitchen, { user_ids })).status).toBe(200);
  });

  it('400 where somebody adds users whom they do not administer', async () => {
    const { admin, employee, addMember } = await newWorld();
    const [areaAdmin, workspaceAdmin] = [await addMember('areaAdmin'), await addMember('workspaceAdmin')];
    const [bar, kitchen] = [await create(admin, { name: 'Bar' }), await create(admin, { name: 'Kitchen' })];
    await update(admin, bar, { user_ids: [areaAdmin.id, workspaceAdmin.id] });
    await update(admin, kitchen, { user_ids: [areaAdmin.id] });
    for (const added of [employee, workspaceAdmin, admin]) {
      const response = await update(areaAdmin, kitchen, { user_ids: [areaAdmin.id, added.id] });
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`user_ids names ${added.id}, which is no user whom you administer.`]);
    }
    expect((await update(workspaceAdmin, kitchen, { user_ids: [admin.id, employee.id] })).status).toBe(200);
  });

  it('400 where null or blank would clear what cannot be cleared', async () => {
    const { admin } = await newWorld();
    const area = await create(admin, { name: 'Bar' });
    for (const value of [null, '', ' ']) {
      const response = await update(admin, area, { name: value, color: value, user_ids: value });
      expect(response.status).toBe(400);
      expect([...new Set(pointersIn(response))].sort()).toEqual(['color', 'name', 'user_ids']);
    }
  });

  it('400 names a taken name, a taken external id and every user who is none, at once', async () => {
    const { admin, stranger } = await newWorld();
    await create(admin, { name: 'Kitchen', external_id: 'kitchen' });
    const area = await create(admin, { name: 'Bar' });
    const response = await update(admin, area, {
      name: 'Kitchen',
      external_id: 'kitchen',
      user_ids: [stranger.id, 'abc', Number.MAX_SAFE_INTEGER, admin.id],
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['name', 'external_id', 'user_ids']);
    expect(titlesIn(response)[2]).toBe(
      `user_ids names "abc", ${Number.MAX_SAFE_INTEGER}, ${stranger.id}, which is no user of this workspace.`,
    );
  });

  it('404 for an unknown area', async () => {
    const { admin, stranger } = await newWorld();
    expect((await update(admin, '0', { name: 'Bar' })).status).toBe(404);
    expect((await update(stranger, '0', { name: 'Bar' })).status).toBe(404);
  });

  it('200 for many changes of members at once, from both sides', async () => {
    const { admin, employee } = await newWorld();
    const area = await create(admin, { name: 'Bar' });
    const changes = Array.from({ length: 24 }, (_, index) =>
      index % 2
        ? update(admin, area, { user_ids: [admin.id, employee.id] })
        : admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { area_ids: [area] }) }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
  });
});

describe('deleteArea', () => {
  it('200 shows it inactive and without members, and frees its name and external id', async () => {
    const { admin, employee } = await newWorld();
    const area_id = await create(admin, { name: 'Bar', external_id: 'bar' });
    await update(admin, area_id, { user_ids: [employee.id] });
    const { status, body } = await admin.call('deleteArea', { params: { area_id } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: area_id,
      attributes: { name: 'Bar', status: 'inactive' },
      relationships: { users: { data: [] } },
    });
    expect((await admin.call('listAreas')).body.data).toEqual([]);
    expect((await employee.call('getCurrentWorkspaceUser')).body.data.relationships.areas.data).toEqual([]);
    expect((await admin.call('createArea', { body: bodyOf('area', { name: 'Bar', external_id: 'bar' }) })).status).toBe(
      201,
    );
  });

  it('403 for area admins, also in their own areas', async () => {
    const { admin, addMember } = await newWorld();
    const areaAdmin = await addMember('areaAdmin');
    const area_id = await create(admin, { name: 'Bar' });
    await update(admin, area_id, { user_ids: [areaAdmin.id] });
    expect((await areaAdmin.call('deleteArea', { params: { area_id } })).status).toBe(403);
  });

  it('404 a second time, also at once', async () => {
    const { admin } = await newWorld();
    const area_id = await create(admin, { name: 'Bar' });
    const responses = await Promise.all([
      admin.call('deleteArea', { params: { area_id } }),
      admin.call('deleteArea', { params: { area_id } }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await admin.call('deleteArea', { params: { area_id } })).status).toBe(404);
  });
});
