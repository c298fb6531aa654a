import { describe, expect, it } from 'vitest';
import { givePassword, password, signIn } from '../../../../support/people.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const remove = (person: Person, user: { id: number | string }) =>
  person.call('deleteUser', { params: { user_id: user.id } });

/** A second workspace, of which the user becomes a member too. */
async function joinAnother({ db, admin, accountId }: World, user: { id: number }, role = 1): Promise<string> {
  const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
  const row = {
    account_id: accountId,
    workspace_id: Number(body.data.id),
    user_id: user.id,
    role,
    identifier_pin: 'HILL',
    created_at: new Date(),
  };
  await db.insertInto('memberships').values(row).execute();
  return body.data.id;
}

describe('listUsers of those who left', () => {
  const leavers = async (person: Person, query = 'filter[status]=eq:deleted') =>
    (await person.call('listUsers', { query })).body as {
      data: { id: string; attributes: Record<string, unknown> }[];
      meta: { total_count: number };
    };

  it('200 lists the leavers whose time is in the totals, only for admins and with that filter', async () => {
    const { admin, employee, addMember } = await newWorld();
    const idle = await addMember('employee', 'idle');
    const areaAdmin = await addMember('areaAdmin', 'areaAdmin');
    await record(employee, {});
    expect((await leavers(admin)).data).toEqual([]);
    await remove(admin, employee);
    await remove(admin, idle);
    const { data, meta } = await leavers(admin);
    expect(data.map(({ id, attributes }) => [id, attributes['username']])).toEqual([[String(employee.id), 'employee']]);
    expect(meta.total_count).toBe(1);
    expect(data[0]!.attributes).toMatchObject({ email: '', status: 'inactive' });
    const listed = (await leavers(admin, '')).data.map(({ id }) => id);
    expect(listed).not.toContain(String(employee.id));
    expect((await leavers(areaAdmin)).data).toEqual([]);
  });

  it('200 lists nobody of another workspace', async () => {
    const { admin, employee, stranger } = await newWorld();
    await record(employee, {});
    await remove(admin, employee);
    const other = await newWorld();
    expect((await leavers(other.admin)).data).toEqual([]);
    expect((await stranger.call('listUsers', { query: 'filter[status]=eq:deleted' })).status).toBe(404);
  });
});

describe('deleteUser', () => {
  it('200 returns the user, inactive and without memberships', async () => {
    const { admin, employee } = await newWorld();
    const { body } = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { area_ids: [body.data.id] }),
    });
    const response = await remove(admin, employee);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      id: String(employee.id),
      attributes: { username: 'employee', email: employee.email, status: 'inactive' },
      relationships: { areas: { data: [] }, workspaces: { data: [] }, absence_types: { data: [] }, tags: { data: [] } },
    });
    expect(
      (await admin.call('getArea', { params: { area_id: body.data.id } })).body.data.relationships.users.data,
    ).toEqual([]);
  });

  it('200 ends everything they could do, and frees their address and external id', async () => {
    const { db, admin, employee } = await newWorld();
    await givePassword(db, employee);
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { external_id: 'robin', identifier_pin: 'ROBN' }),
    });
    await remove(admin, employee);
    expect((await employee.call('getCurrentUser')).status).toBe(401);
    expect((await signIn({ email: employee.email, password })).status).toBe(401);
    expect((await admin.call('getUser', { params: { user_id: employee.id } })).status).toBe(404);
    const heir = await admin.call('createUser', {
      body: bodyOf('user', { username: 'Heir', email: employee.email, external_id: 'robin', identifier_pin: 'ROBN' }),
    });
    expect(heir.status).toBe(201);
  });

  it('200 by a workspace admin takes a user of several workspaces out of this one only', async () => {
    const world = await newWorld();
    const { admin, employee, addMember } = world;
    const hill = await joinAnother(world, employee);
    const area = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { area_ids: [area.body.data.id] }),
    });
    const response = await remove(await addMember('workspaceAdmin'), employee);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      attributes: { status: 'active' },
      relationships: { workspaces: { data: [{ id: hill }] }, areas: { data: [] }, absence_types: { data: [] } },
    });
    expect((await employee.call('getWorkspace')).status).toBe(404);
    expect((await employee.call('getWorkspace', { params: { workspace_id: hill } })).status).toBe(200);
    expect((await admin.call('getUser', { params: { user_id: employee.id } })).status).toBe(404);
  });

  it('200 by an account admin deletes a user of several workspaces altogether', async () => {
    const world = await newWorld();
    const hill = await joinAnother(world, world.employee);
    expect((await remove(world.admin, world.employee)).body.data.attributes.status).toBe('inactive');
    expect(
      (await world.admin.call('getUser', { params: { user_id: world.employee.id, workspace_id: hill } })).status,
    ).toBe(404);
    expect((await world.employee.call('getCurrentUser')).status).toBe(401);
  });

  it('200 for a workspace admin where the user is an admin of another place only', async () => {
    const world = await newWorld();
    await joinAnother(world, world.employee, 3);
    expect((await remove(await world.addMember('workspaceAdmin'), world.employee)).body.data.attributes.status).toBe(
      'active',
    );
  });

  it('403 for oneself, with any role', async () => {
    const { admin, employee, addMember } = await newWorld();
    await addMember('accountAdmin');
    for (const person of [admin, employee, await addMember('workspaceAdmin')]) {
      const response = await remove(person, person);
      expect(response.status).toBe(403);
      expect(response.body.errors).toEqual([
        {
          status: 'forbidden',
          code: 'forbidden',
          source: { pointer: 'base' },
          title: 'You are not authorized to perform this action.',
          links: { about: expect.stringMatching(/^http:.*#forbidden$/) },
        },
      ]);
    }
  });

  it('403 where a workspace admin deletes workspace or account admins, who go through account admins', async () => {
    const { admin, addMember } = await newWorld();
    const [person, colleague, areaAdmin, otherAdmin] = [
      await addMember('workspaceAdmin'),
      await addMember('workspaceAdmin'),
      await addMember('areaAdmin'),
      await addMember('accountAdmin'),
    ];
    for (const user of [colleague, otherAdmin, admin]) expect((await remove(person, user)).status).toBe(403);
    expect((await remove(person, areaAdmin)).status).toBe(200);
    for (const user of [colleague, otherAdmin]) expect((await remove(admin, user)).status).toBe(200);
  });

  it('403 for those below a workspace admin', async () => {
    const { employee, addMember } = await newWorld();
    const colleague = await addMember('employee');
    for (const person of [employee, await addMember('areaAdmin')])
      expect((await remove(person, colleague)).status).toBe(403);
  });

  it('404 for all but one of those who delete a user at once, from the account or from the workspace', async () => {
    const world = await newWorld();
    const [admin, person] = [world.admin, await world.addMember('workspaceAdmin')];
    const colleague = await world.addMember('employee');
    await joinAnother(world, colleague);
    for (const [who, user] of [
      [admin, world.employee],
      [person, colleague],
    ] as const) {
      const responses = await Promise.all(Array.from({ length: 3 }, () => remove(who, user)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    }
  });

  it('404 a second time, for a stranger, and for an unknown user', async () => {
    const { admin, employee, stranger } = await newWorld();
    expect((await remove(stranger, employee)).status).toBe(404);
    for (const id of [stranger.id, 0, 'abc']) expect((await remove(admin, { id })).status).toBe(404);
    expect((await remove(admin, employee)).status).toBe(200);
    expect((await remove(admin, employee)).status).toBe(404);
  });
});
