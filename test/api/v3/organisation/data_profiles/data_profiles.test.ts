import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { defaultProfile, fillIn, newField, newProfile } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const at = (data_profile_id: string | number) => ({ params: { data_profile_id } });
const idsOf = async (person: Person, operation: string): Promise<string[]> =>
  (await person.call(operation)).body.data.map(({ id }: { id: string }) => id);

describe('createDataProfile', () => {
  it('201 with a title alone, and with everything', async () => {
    const plain = await world.admin.call('createDataProfile', { body: bodyOf('data_profile', { title: 'Plain' }) });
    expect(plain.status).toBe(201);
    expect(plain.body.data).toMatchObject({
      type: 'data_profile',
      attributes: { title: 'Plain', position: null, user_checkin: false, enabled: true, least_role: 'employee' },
      relationships: { custom_fields: { data: [] } },
    });
    const all = { title: 'All', position: 3, user_checkin: true, enabled: false, least_role: 'workspace_admin' };
    const full = await world.admin.call('createDataProfile', { body: bodyOf('data_profile', all) });
    expect(full.body.data.attributes).toMatchObject(all);
  });

  it('400 with all problems, 403 below account admins, 404 elsewhere', async () => {
    const wrong = bodyOf('data_profile', { title: ' ', position: -1, user_checkin: 'yes', least_role: 'boss' });
    const response = await world.admin.call('createDataProfile', { body: wrong });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['least_role', 'position', 'title', 'user_checkin']);
    const body = bodyOf('data_profile', { title: 'Mine' });
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    expect((await workspaceAdmin.call('createDataProfile', { body })).status).toBe(403);
    expect((await world.stranger.call('createDataProfile', { body })).status).toBe(404);
  });
});

describe('the least role of a data profile', () => {
  it('decides who sees it in lists, alone, and in what is included', async () => {
    const secret = await newProfile(world, { title: 'Secret', least_role: 'workspace_admin' });
    const field = await newField(world, secret, { title: 'Warnings', data_type: 'string' });
    const [areaAdmin, workspaceAdmin] = [await world.addMember('areaAdmin'), await world.addMember('workspaceAdmin')];
    await fillIn(world.admin, world.employee.id, secret, [[field, 'two']]);
    const { body: user } = await world.admin.call('getUser', {
      params: { user_id: world.employee.id },
      query: { include: 'custom_field_values' },
    });
    const valueId = user.included[0].id;

    for (const person of [world.employee, areaAdmin]) {
      expect(await idsOf(person, 'listDataProfiles')).not.toContain(secret);
      expect(await idsOf(person, 'listAccountDataProfiles')).not.toContain(secret);
      expect(await idsOf(person, 'listCustomFields')).not.toContain(field);
      expect((await person.call('getDataProfile', at(secret))).status).toBe(403);
      expect((await person.call('getCustomField', { params: { custom_field_id: field } })).status).toBe(403);
    }
    expect(await idsOf(workspaceAdmin, 'listDataProfiles')).toContain(secret);
    expect(await idsOf(world.admin, 'listAccountDataProfiles')).toContain(secret);

    // Also about themselves.
    const own = { user_id: world.employee.id, data_profile_id: secret };
    expect((await world.employee.call('getUserDataProfile', { params: own })).status).toBe(403);
    const query = { include: 'custom_field_values' };
    for (const [operation, params] of [
      ['getUser', { user_id: world.employee.id }],
      ['getCurrentUser', {}],
      ['getCurrentWorkspaceUser', {}],
    ] as const) {
      const { body } = await world.employee.call(operation, { params, query: operation === 'getUser' ? query : {} });
      expect(JSON.stringify(body.data.relationships.custom_field_values)).not.toContain(valueId);
      expect(JSON.stringify(body)).not.toContain('Warnings');
    }
    const listed = await world.employee.call('listUsers', { query });
    expect(listed.body.data[0].relationships.custom_field_values.data).toEqual([]);
    expect(listed.body.included).toEqual([]);
    const seen = await workspaceAdmin.call('getUser', { params: { user_id: world.employee.id }, query });
    expect(seen.body.included[0].attributes).toMatchObject({ title: 'Warnings', value: 'two', data_type: 'string' });
  });

  it('ends for those who switch their role', async () => {
    const secret = await newProfile(world, { title: 'Secret', least_role: 'workspace_admin' });
    const switching = await world.addMember('workspaceAdmin');
    await switching.call('switchRole');
    expect(await idsOf(switching, 'listDataProfiles')).not.toContain(secret);
  });
});

describe('getDataProfile', () => {
  it('200 with fields and permissions, 400 for an unknown include, 404 for an unknown one', async () => {
    const { id } = await defaultProfile(world);
    const { status, body } = await world.employee.call('getDataProfile', {
      ...at(id),
      query: { include: 'custom_fields', permissions: 'true' },
    });
    expect(status).toBe(200);
    expect(body.data.attributes.permissions).toEqual({ read: true, update: false, destroy: false });
    expect(body.included[0]).toMatchObject({
      attributes: { key: 'phone', data_type: 'string', kind: 'text' },
      relationships: { data_profile: { data: { type: 'data_profile', id } } },
    });
    const byAdmin = await world.admin.call('getDataProfile', { ...at(id), query: { permissions: 'true' } });
    expect(byAdmin.body.data.attributes.permissions).toEqual({ read: true, update: true, destroy: false });
    expect((await world.admin.call('getDataProfile', { ...at(id), query: { include: 'users' } })).status).toBe(400);
    for (const unknown of ['0', '999999999', 'x'])
      expect((await world.admin.call('getDataProfile', at(unknown))).status).toBe(404);
    const other = await newWorld();
    expect((await other.admin.call('getDataProfile', at(id))).status).toBe(404);
  });
});

describe('updateDataProfile', () => {
  it('200 changes what is sent, 412 if it has changed meanwhile', async () => {
    const id = await newProfile(world, { position: 1 });
    const { headers } = await world.admin.call('getDataProfile', at(id));
    const change = (attributes: object, more: object = {}) =>
      world.admin.call('updateDataProfile', { ...at(id), body: bodyOf('data_profile', attributes), ...more });
    const changed = await change({ title: 'Gear', position: null, least_role: 'account_admin' });
    expect(changed.body.data.attributes).toMatchObject({ title: 'Gear', position: null, least_role: 'account_admin' });
    const stale = await change({ title: 'Late' }, { headers: { 'If-Match': headers['etag'] } });
    expect(stale.status).toBe(412);
    expect((await change({ title: 'Now' }, { headers: { 'If-Match': changed.headers['etag'] } })).status).toBe(200);
  });

  it('400 without a title, 403 below account admins, 404 for an unknown one', async () => {
    const id = await newProfile(world);
    const body = bodyOf('data_profile', { title: '' });
    expect((await world.admin.call('updateDataProfile', { ...at(id), body })).status).toBe(400);
    expect((await world.employee.call('updateDataProfile', { ...at(id), body })).status).toBe(403);
    const named = bodyOf('data_profile', { title: 'x' });
    expect((await world.admin.call('updateDataProfile', { ...at('0'), body: named })).status).toBe(404);
  });
});

describe('deleteDataProfile', () => {
  it('200 with its fields and their values', async () => {
    const id = await newProfile(world);
    const field = await newField(world, id);
    await fillIn(world.admin, world.employee.id, id, [[field, '43']]);
    expect((await world.employee.call('deleteDataProfile', at(id))).status).toBe(403);
    const { status, body } = await world.admin.call('deleteDataProfile', at(id));
    expect([status, body.data.id]).toEqual([200, id]);
    expect((await world.admin.call('deleteDataProfile', at(id))).status).toBe(404);
    expect((await world.admin.call('getCustomField', { params: { custom_field_id: field } })).status).toBe(404);
    const left = await world.db
      .selectFrom('custom_field_values')
      .select('id')
      .where('account_id', '=', world.accountId)
      .where('custom_field_id', '=', Number(field))
      .execute();
    expect(left).toEqual([]);
  });

  it('400 for the default one, 412 if it has changed meanwhile', async () => {
    const { id } = await defaultProfile(world);
    const response = await world.admin.call('deleteDataProfile', at(id));
    expect(response.status).toBe(400);
    expect(titlesIn(response)[0]).toContain('is the default one and cannot be deleted');
    const other = await newProfile(world);
    const stale = await world.admin.call('deleteDataProfile', { ...at(other), headers: { 'If-Match': '"x"' } });
    expect(stale.status).toBe(412);
  });
});

describe('listAccountDataProfiles', () => {
  it('200 in pages, filtered and sorted, 404 elsewhere', async () => {
    const fresh = await newWorld();
    for (const [position, title] of ['Zebra', 'Apple'].entries()) await newProfile(fresh, { title, position });
    const { body } = await fresh.admin.call('listAccountDataProfiles', {
      query: { sort: 'title', items: 2, 'filter[position]': 'present:true' },
    });
    expect(body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual([
      'Apple',
      'Zebra',
    ]);
    expect(body.meta.total_count).toBe(2);
    const strict = { headers: { Prefer: 'handling=strict' }, query: 'filter[position]=gt:x' };
    expect((await fresh.admin.call('listAccountDataProfiles', strict)).status).toBe(400);
    expect((await fresh.stranger.call('listAccountDataProfiles')).status).toBe(404);
  });
});
