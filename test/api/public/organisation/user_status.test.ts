import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

const ids = (records: { id: number }[]): number[] => records.map(({ id }) => id);

describe('activatePublicUser and deactivatePublicUser', () => {
  it('200 without a body, by id and by external id, any number of times', async () => {
    const { db, accountId, enterprise, employee } = await newEnterprise();
    await db
      .updateTable('users')
      .set({ external_id: 'erika' })
      .where('account_id', '=', accountId)
      .where('id', '=', employee.id)
      .execute();
    const statusNow = async () => (await enterprise('findPublicUsers', { query: { id: employee.id } })).body.status;
    for (const user of [{ id: employee.id }, { external_id: 'erika' }]) {
      for (let time = 0; time < 2; time++) {
        const response = await enterprise('deactivatePublicUser', { body: { user } });
        expect([response.status, response.text]).toEqual([200, '']);
        expect(await statusNow()).toBe('inactive');
      }
      for (let time = 0; time < 2; time++) {
        const response = await enterprise('activatePublicUser', { body: { user } });
        expect([response.status, response.text]).toEqual([200, '']);
        expect(await statusNow()).toBe('active');
      }
    }
  });

  it('a deactivated user is signed out, and stays so when they are activated again', async () => {
    const { enterprise, employee } = await newEnterprise();
    expect((await employee.call('getCurrentUser')).status).toBe(200);
    await enterprise('deactivatePublicUser', { body: { user: { id: employee.id } } });
    expect((await employee.call('getCurrentUser')).status).toBe(401);
    await enterprise('activatePublicUser', { body: { user: { id: employee.id } } });
    expect((await employee.call('getCurrentUser')).status).toBe(401);
  });

  it('400 without a name, and for the last account admin who is active', async () => {
    const { enterprise, admin, addMember } = await newEnterprise();
    for (const operation of ['activatePublicUser', 'deactivatePublicUser']) {
      const response = await enterprise(operation, { body: { user: {} } });
      expect([response.status, pointersIn(response)]).toEqual([400, ['id']]);
    }
    expect((await enterprise('deactivatePublicUser', { body: { user: { id: admin.id } } })).status).toBe(400);
    const second = await addMember('accountAdmin');
    expect((await enterprise('deactivatePublicUser', { body: { user: { id: second.id } } })).status).toBe(200);
    expect((await enterprise('deactivatePublicUser', { body: { user: { id: admin.id } } })).status).toBe(400);
    expect((await enterprise('deletePublicUser', { body: { user: { id: admin.id } } })).status).toBe(400);
  });

  it('404 for an unknown user', async () => {
    const { enterprise } = await newEnterprise();
    for (const operation of ['activatePublicUser', 'deactivatePublicUser']) {
      for (const user of [{ id: 999999999 }, { external_id: 'nobody' }])
        expect((await enterprise(operation, { body: { user } })).status).toBe(404);
    }
  });
});

describe('deletePublicUser', () => {
  it('200 without a body, named in the body or in the query', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const requests = [
      (id: number) => ({ body: { user: { id } } }),
      () => ({ body: { user: { external_id: 'erika' } } }),
      (id: number) => ({ query: { id } }),
      () => ({ query: { external_id: 'erika' } }),
    ];
    for (const request of requests) {
      const { id } = await newUser({ external_id: 'erika' });
      const response = await enterprise('deletePublicUser', request(id));
      expect([response.status, response.text]).toEqual([200, '']);
      expect((await enterprise('findPublicUsers', { query: { id } })).status).toBe(404);
      expect(ids((await enterprise('findPublicUsers')).body.users)).not.toContain(id);
    }
  });

  it('frees their names, takes them out of areas, and ends their sessions', async () => {
    const { enterprise, employee, admin, newArea, newUser } = await newEnterprise();
    const bar = await newArea('Bar');
    await enterprise('updatePublicUser', { body: { user: { id: employee.id, working_area_ids: bar.id } } });
    expect((await enterprise('deletePublicUser', { query: { id: employee.id } })).status).toBe(200);
    expect((await employee.call('getCurrentUser')).status).toBe(401);
    expect((await admin.call('getArea', { params: { area_id: bar.id } })).body.data.relationships.users.data).toEqual(
      [],
    );
    await newUser({ email: employee.email });
  });

  it('400 without a name, and for the last account admin; 404 the second time', async () => {
    const { enterprise, admin, newUser } = await newEnterprise();
    expect(pointersIn(await enterprise('deletePublicUser', { body: {} }))).toEqual(['id']);
    const last = await enterprise('deletePublicUser', { query: { id: admin.id } });
    expect([last.status, titlesIn(last)]).toEqual([400, ['This would leave the account without an account admin.']]);
    const { id } = await newUser();
    expect((await enterprise('deletePublicUser', { query: { id } })).status).toBe(200);
    expect((await enterprise('deletePublicUser', { query: { id } })).status).toBe(404);
  });

  it('one of two account admins stays when both are deleted at the same moment', async () => {
    const { enterprise, admin, addMember } = await newEnterprise();
    const second = await addMember('accountAdmin');
    const statuses = await Promise.all(
      [admin.id, second.id].map(async (id) => (await enterprise('deletePublicUser', { query: { id } })).status),
    );
    expect(statuses.sort()).toEqual([200, 400]);
  });
});
