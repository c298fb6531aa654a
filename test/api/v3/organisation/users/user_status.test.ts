import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const setStatus = (person: Person, user_id: number | string, status: unknown) =>
  person.call('updateUserStatus', { params: { user_id }, body: bodyOf('user', { status }) });

describe('updateUserStatus', () => {
  it('200 signs the user out, and lets them in again', async () => {
    const { admin, employee } = await newWorld();
    const { status, body } = await setStatus(admin, employee.id, 'inactive');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: String(employee.id), type: 'user', attributes: { status: 'inactive' } });
    expect((await employee.call('getCurrentUser')).status).toBe(401);
    expect((await setStatus(admin, employee.id, 'active')).body.data.attributes.status).toBe('active');
    const again = await setStatus(admin, employee.id, 'active');
    expect(again.status).toBe(200);
  });

  it('400 for a status that does not exist', async () => {
    const { admin, employee } = await newWorld();
    for (const status of ['deleted', '', null]) expect((await setStatus(admin, employee.id, status)).status).toBe(400);
  });

  it('403 for oneself, for employees and area admins, and for users who rank higher or work elsewhere too', async () => {
    const world = await newWorld();
    const [workspaceAdmin, areaAdmin] = [await world.addMember('workspaceAdmin'), await world.addMember('areaAdmin')];
    for (const person of [world.admin, workspaceAdmin])
      expect((await setStatus(person, person.id, 'inactive')).status).toBe(403);
    for (const person of [world.employee, areaAdmin])
      expect((await setStatus(person, world.employee.id, 'active')).status).toBe(403);
    expect((await setStatus(workspaceAdmin, world.admin.id, 'inactive')).status).toBe(403);
    const elsewhere = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const membership = { account_id: world.accountId, workspace_id: Number(elsewhere.body.data.id), role: 1 };
    await world.db
      .insertInto('memberships')
      .values({ ...membership, user_id: world.employee.id, identifier_pin: 'AAAA', created_at: new Date() })
      .execute();
    expect((await setStatus(workspaceAdmin, world.employee.id, 'inactive')).status).toBe(403);
    expect((await setStatus(world.admin, world.employee.id, 'inactive')).status).toBe(200);
  });

  it('404 for users of other accounts and those who do not exist', async () => {
    const { admin, stranger } = await newWorld();
    for (const id of [stranger.id, 0, 'x']) expect((await setStatus(admin, id, 'inactive')).status).toBe(404);
  });
});
