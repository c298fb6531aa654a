import { describe, expect, it } from 'vitest';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const assumedRole = async (person: Person): Promise<unknown> =>
  (await person.call('getCurrentWorkspaceUser')).body.data.attributes.assumed_role;

const switchRole = async (person: Person): Promise<number> => (await person.call('switchRole')).status;

const trackingsSeenBy = async (person: Person): Promise<number> =>
  (await person.call('listTimeTrackings')).body.meta.total_count;

/** Everything that an employee and an admin are answered differently. */
const queryOptionsOf = async (person: Person) => ({
  role: await assumedRole(person),
  trackings: await trackingsSeenBy(person),
  confirmed: (await person.call('getSummary', { query: { resource: 'TimeTracking', scopes: 'unconfirmed' } })).body.meta
    .unconfirmed,
  users: (await person.call('listUsers')).body.meta.total_count,
  features: (await person.call('getFeatures')).body.data.length,
  mayUpdate: (await person.call('getWorkspace', { query: { permissions: 'update' } })).body.data.attributes.permissions
    .update,
  created: (await person.call('createTag', { body: bodyOf('tag', { title: `${Math.random()}` }) })).status,
});

async function recordedWorld(): Promise<World> {
  const world = await newWorld();
  await record(world.employee);
  await record(world.admin);
  return world;
}

describe('switchRole', () => {
  it('204 makes an admin an employee in what they see and may do, and back', async () => {
    const world = await recordedWorld();
    for (const person of [world.admin, await world.addMember('workspaceAdmin')]) {
      const before = await queryOptionsOf(person);
      expect(before).toMatchObject({ role: 'admin', features: 10, mayUpdate: true, created: 201 });
      expect(await switchRole(person)).toBe(204);
      const own = person === world.admin ? 1 : 0;
      const employee = { role: 'employee', trackings: own, confirmed: own, users: 1, features: 6 };
      expect(await queryOptionsOf(person)).toEqual({ ...employee, mayUpdate: false, created: 403 });
      expect(await switchRole(person)).toBe(204);
      expect(await queryOptionsOf(person)).toEqual({ ...before, users: before.users });
    }
  });

  it('204 in this workspace only, with the roles that they hold', async () => {
    const world = await newWorld();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const elsewhere = { params: { workspace_id: body.data.id } };
    await switchRole(world.admin);
    const tag = { body: bodyOf('tag', { title: 'Night' }) };
    expect((await world.admin.call('createTag', { ...elsewhere, ...tag })).status).toBe(201);
    expect((await world.admin.call('createTag', tag)).status).toBe(403);
    const me = await world.admin.call('getCurrentWorkspaceUser');
    expect(me.body.data.relationships.roles.data).toContainEqual({ type: 'role', id: '4' });
  });

  it('204 is never cached', async () => {
    const { admin } = await newWorld();
    const { headers } = await admin.call('switchRole');
    expect(headers['cache-control']).toContain('no-store');
  });

  it('405 for HEAD, which changes nothing', async () => {
    const { admin, workspaceId } = await newWorld();
    const { url } = await service();
    const response = await fetch(`${url}/api/v3/workspaces/${workspaceId}/users/switch_role`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${admin.token}` },
    });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET']);
    expect(await assumedRole(admin)).toBe('admin');
  });

  it('403 for employees, also for admins who became employees meanwhile', async () => {
    const world = await newWorld();
    expect(await switchRole(world.employee)).toBe(403);
    const areaAdmin = await world.addMember('areaAdmin');
    expect(await switchRole(areaAdmin)).toBe(204);
    await world.db.updateTable('memberships').set({ role: 1 }).where('user_id', '=', areaAdmin.id).execute();
    expect(await switchRole(areaAdmin)).toBe(403);
    expect(await assumedRole(areaAdmin)).toBe('employee');
  });

  it('404 for a stranger', async () => {
    expect(await switchRole((await newWorld()).stranger)).toBe(404);
  });
});

describe('updateCurrentWorkspaceUser', () => {
  const assume = (person: Person, assumed_role: unknown) =>
    person.call('updateCurrentWorkspaceUser', { body: bodyOf('user', { assumed_role }) });

  it('200 makes an admin an employee in what they see and may do, and back, however often it is sent', async () => {
    const { admin, ...world } = await recordedWorld();
    for (const role of ['employee', 'employee', 'admin', 'admin']) {
      const { status, body } = await assume(admin, role);
      expect([status, body.data.attributes.assumed_role]).toEqual([200, role]);
      expect(body.data).toEqual((await admin.call('getCurrentWorkspaceUser')).body.data);
      expect(await trackingsSeenBy(admin)).toBe(role === 'admin' ? 2 : 1);
    }
    const events = await world.db
      .selectFrom('events')
      .select('name')
      .where('account_id', '=', world.accountId)
      .where('record_type', '=', 'assumed_role')
      .orderBy('id')
      .execute();
    expect(events.map(({ name }) => name)).toEqual(['assumed_role.created', 'assumed_role.deleted']);
  });

  it('400 for another role', async () => {
    const { status, body } = await assume((await newWorld()).admin, 'guest');
    expect([status, body.errors[0].meta.allowed]).toEqual([400, ['admin', 'employee']]);
  });

  it('403 for employees, 404 for a stranger', async () => {
    const world = await newWorld();
    expect((await assume(world.employee, 'admin')).status).toBe(403);
    expect((await assume(world.stranger, 'employee')).status).toBe(404);
  });
});
