import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

describe('getAccount', () => {
  it('200 for everybody who belongs to it', async () => {
    for (const person of [world.admin, world.employee]) {
      const { status, body } = await person.call('getAccount');
      expect(status).toBe(200);
      expect(body.data).toEqual({
        type: 'account',
        id: String(world.accountId),
        attributes: {
          phone: null,
          country: null,
          locale: 'de',
          account_name: 'admin',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      });
    }
  });

  it('200 with the attributes that were asked for', async () => {
    const { body } = await world.employee.call('getAccount', { query: { fields: 'account_name,nothing' } });
    expect(body.data).toMatchObject({ attributes: { account_name: 'admin' }, relationships: {} });
    expect(Object.keys(body.data.attributes)).toEqual(['account_name']);
  });

  it('404 for a stranger', async () => {
    expect((await world.stranger.call('getAccount')).status).toBe(404);
  });
});

describe('updateAccount', () => {
  it('200 takes a name and shows it as account_name', async () => {
    const { admin } = await newWorld();
    const { status, body } = await admin.call('updateAccount', {
      body: bodyOf('account', { name: 'Harbour Group', account_name: 'Ignored' }),
    });
    expect(status).toBe(200);
    expect(body.data.attributes.account_name).toBe('Harbour Group');
    expect((await admin.call('getAccount')).body.data.attributes.account_name).toBe('Harbour Group');
  });

  it('200 without a change leaves everything alone', async () => {
    const before = await world.admin.call('getAccount');
    const { status, body } = await world.admin.call('updateAccount', { body: bodyOf('account', {}) });
    expect(status).toBe(200);
    expect(body.data).toEqual(before.body.data);
  });

  it.each(['', ' ', null, 5, 'x'.repeat(256), 'a\0'])('400 for the name %j', async (name) => {
    const response = await world.admin.call('updateAccount', { body: bodyOf('account', { name }) });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['name']);
  });

  it('400 for another type', async () => {
    expect(pointersIn(await world.admin.call('updateAccount', { body: bodyOf('accounts', { name: 'x' }) }))).toEqual([
      'type',
    ]);
  });

  it('403 for everybody but account admins', async () => {
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    for (const person of [workspaceAdmin, world.employee])
      expect((await person.call('updateAccount', { body: bodyOf('account', { name: 'Mine' }) })).status).toBe(403);
  });

  it('404 for a stranger', async () => {
    expect((await world.stranger.call('updateAccount', { body: bodyOf('account', { name: 'Mine' }) })).status).toBe(
      404,
    );
  });
});

describe('listAccountUsers', () => {
  it('200 lists everybody once, by username, with account and without what belongs to a workspace', async () => {
    const { admin, addMember, accountId } = await newWorld();
    await addMember('employee', 'Zoe');
    await addMember('areaAdmin', 'Ann');
    const { status, body } = await admin.call('listAccountUsers');
    expect(status).toBe(200);
    expect(body.data.map((user: { attributes: { username: string } }) => user.attributes.username)).toEqual([
      'Ann',
      'Zoe',
      'admin',
      'employee',
    ]);
    expect(body.meta).toMatchObject({ link: 0, current_page: 1, page_items: 20, total_pages: 1, total_count: 4 });
    for (const user of body.data) {
      expect(user.relationships.account.data).toEqual({ type: 'account', id: String(accountId) });
      expect(user.attributes).not.toHaveProperty('assumed_role');
      expect(user.relationships).not.toHaveProperty('roles');
      expect(user.relationships).not.toHaveProperty('last_action');
    }
  });

  it('200 leaves out the deleted, and those of other accounts', async () => {
    const { admin, addMember } = await newWorld();
    const gone = await addMember('employee', 'Gone');
    await admin.call('deleteUser', { params: { user_id: gone.id } });
    const { body } = await admin.call('listAccountUsers', { query: { sort: '-id' } });
    expect(body.data.map((user: { attributes: { username: string } }) => user.attributes.username)).toEqual([
      'employee',
      'admin',
    ]);
  });

  it('200 with account, workspaces and absence types', async () => {
    const { body } = await world.admin.call('listAccountUsers', {
      query: { include: 'account, workspaces, absence_types' },
    });
    const types = body.included.map((record: { type: string }) => record.type);
    expect(types.filter((type: string) => type === 'account')).toHaveLength(1);
    expect(types.filter((type: string) => type === 'workspace')).toHaveLength(1);
    expect(types.filter((type: string) => type === 'absence_type')).toHaveLength(4);
  });

  it('400 for an unknown include and an invalid page', async () => {
    const response = await world.admin.call('listAccountUsers', { query: { include: 'friends' } });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['include']);
    expect(
      pointersIn(await world.admin.call('listAccountUsers', { query: { page: 0, items: 101, outset: -1 } })).sort(),
    ).toEqual(['items', 'outset', 'page']);
  });

  it('403 without the module', async () => {
    const { db, admin, accountId } = await newWorld();
    await db.updateTable('accounts').set({ modules: [] }).where('id', '=', accountId).execute();
    expect((await admin.call('listAccountUsers')).status).toBe(403);
  });

  it('403 for everybody but account admins', async () => {
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    for (const person of [workspaceAdmin, world.employee])
      expect((await person.call('listAccountUsers')).status).toBe(403);
  });

  it('404 for a stranger', async () => {
    expect((await world.stranger.call('listAccountUsers')).status).toBe(404);
  });
});

describe('getAccountUser', () => {
  it('200 for an account admin and for oneself, in full', async () => {
    const { db, admin, employee } = await newWorld();
    await db.updateTable('users').set({ salary: 17.25, tablet_pin: '4711' }).where('id', '=', employee.id).execute();
    for (const person of [admin, employee]) {
      const { status, body } = await person.call('getAccountUser', {
        params: { user_id: employee.id },
        query: { include: 'account,areas,workspaces' },
      });
      expect(status).toBe(200);
      expect(body.data.attributes).toMatchObject({ email: employee.email, salary: 17.25, tablet_pin: '4711' });
      expect(body.data.attributes.identifier_pin).toHaveLength(4);
      expect(body.included.map((record: { type: string }) => record.type).sort()).toEqual(['account', 'workspace']);
    }
  });

  it('400 for an unknown include', async () => {
    expect(
      (
        await world.admin.call('getAccountUser', {
          params: { user_id: world.employee.id },
          query: { include: 'friends' },
        })
      ).status,
    ).toBe(400);
  });

  it('403 for anybody else, whatever their role in a workspace', async () => {
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    expect((await workspaceAdmin.call('getAccountUser', { params: { user_id: world.employee.id } })).status).toBe(403);
    expect((await world.employee.call('getAccountUser', { params: { user_id: world.admin.id } })).status).toBe(403);
  });

  it('404 for a user who is unknown, of another account, or deleted', async () => {
    const gone = await world.addMember('employee');
    await world.admin.call('deleteUser', { params: { user_id: gone.id } });
    for (const id of [gone.id, world.stranger.id, 0, 'abc', '99999999999999999999'])
      expect((await world.admin.call('getAccountUser', { params: { user_id: id } })).status).toBe(404);
  });
});
