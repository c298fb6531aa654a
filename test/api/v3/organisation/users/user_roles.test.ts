import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person, type RoleName } from '../../../../support/world.ts';

const setRoles = (person: Person, user: { id: number }, role_ids: unknown) =>
  person.call('updateUser', { params: { user_id: user.id }, body: bodyOf('user', { role_ids }) });

const roleOf = async (person: Person): Promise<string> => {
  const { body } = await person.call('getCurrentWorkspaceUser');
  return `${body.data.relationships.roles.data.map(({ id }: { id: string }) => id).join()} ${body.data.attributes.assumed_role}`;
};

describe('updateUser with role_ids', () => {
  it('200 gives the highest role that is named, and that of an employee where none is', async () => {
    const { admin, employee } = await newWorld();
    for (const [given, role] of [
      [['2'], '2 admin'],
      [[1, 3], '3 admin'],
      [['1'], '1 employee'],
      [[4], '4 admin'],
      [[3, 2], '3 admin'],
      [[], '1 employee'],
    ] as const) {
      expect((await setRoles(admin, employee, given)).status).toBe(200);
      expect(await roleOf(employee)).toBe(role);
    }
  });

  it('200 for a workspace admin up to their own rank', async () => {
    const { employee, addMember } = await newWorld();
    const person = await addMember('workspaceAdmin');
    for (const role of [2, 3, 1]) expect((await setRoles(person, employee, [role])).status).toBe(200);
  });

  it('400 for a role that does not exist', async () => {
    const { admin, employee } = await newWorld();
    for (const role of [5, 0, 'abc', '1.5', Number.MAX_SAFE_INTEGER]) {
      const response = await setRoles(admin, employee, [1, role]);
      expect(response.status).toBe(400);
      expect(pointersIn(response)).toEqual(['role_ids']);
    }
    for (const role of [1e300, -1, '-1']) {
      const response = await setRoles(admin, employee, [1, role]);
      expect(response.status).toBe(400);
      expect(pointersIn(response)).toEqual(['role_ids/1']);
    }
  });

  it('403 where a workspace admin gives or takes the highest role', async () => {
    const { admin, employee, addMember } = await newWorld();
    const person = await addMember('workspaceAdmin');
    const response = await setRoles(person, employee, [4]);
    expect(response.status).toBe(403);
    expect(titlesIn(response)).toEqual(['You are not authorized to perform this action.']);
    expect((await setRoles(person, admin, [1])).status).toBe(403);
    expect(await roleOf(employee)).toBe('1 employee');
    expect(await roleOf(admin)).toBe('4 admin');
  });

  it('403 where somebody changes their own; naming those they have is no change', async () => {
    const { admin, addMember } = await newWorld();
    const person = await addMember('workspaceAdmin');
    await addMember('accountAdmin');
    for (const [who, own] of [
      [admin, 4],
      [person, 3],
    ] as const) {
      for (const role of [1, 2, own === 3 ? 4 : 3]) expect((await setRoles(who, who, [role])).status).toBe(403);
      expect((await setRoles(who, who, [own])).status).toBe(200);
    }
  });

  it('403 for everybody below a workspace admin', async () => {
    const { employee, addMember } = await newWorld();
    for (const role of ['employee', 'areaAdmin'] as RoleName[])
      expect((await setRoles(await addMember(role), employee, [2])).status).toBe(403);
  });

  it('writes nothing of a change whose roles are refused', async () => {
    const { employee, addMember } = await newWorld();
    const person = await addMember('workspaceAdmin');
    const response = await person.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { username: 'Never', role_ids: [4] }),
    });
    expect(response.status).toBe(403);
    expect((await employee.call('getCurrentUser')).body.data.attributes.username).toBe('employee');
  });
});

describe('the last account admin', () => {
  it('stays, also where other admins are inactive', async () => {
    const { db, admin, addMember } = await newWorld();
    const [other, inactive] = [await addMember('accountAdmin'), await addMember('accountAdmin')];
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', inactive.id).execute();
    expect((await setRoles(other, admin, [1])).status).toBe(200);
    expect((await setRoles(admin, other, [1])).status).toBe(403);
    expect((await setRoles(other, inactive, [1])).status).toBe(200);
  });

  it('stays where two take the role from each other at once', async () => {
    for (let round = 0; round < 3; round++) {
      const { db, admin, addMember, accountId } = await newWorld();
      const other = await addMember('accountAdmin');
      const responses = await Promise.all([setRoles(admin, other, [1]), setRoles(other, admin, [1])]);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect([400, 403]).toContain(responses.find(({ status }) => status !== 200)!.status);
      expect(
        await db
          .selectFrom('users')
          .select('id')
          .where('account_id', '=', accountId)
          .where('is_account_admin', '=', true)
          .execute(),
      ).toHaveLength(1);
    }
  });

  it('stays where two delete each other at once', async () => {
    for (let round = 0; round < 3; round++) {
      const { db, admin, addMember, accountId } = await newWorld();
      const other = await addMember('accountAdmin');
      const responses = await Promise.all([
        admin.call('deleteUser', { params: { user_id: other.id } }),
        other.call('deleteUser', { params: { user_id: admin.id } }),
      ]);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(
        await db
          .selectFrom('users')
          .select('id')
          .where('account_id', '=', accountId)
          .where('is_account_admin', '=', true)
          .execute(),
      ).toHaveLength(1);
    }
  });
});
