import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

describe('listDataProfiles', () => {
  it("200 lists the account's default profile", async () => {
    const { status, body } = await world.employee.call('listDataProfiles');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        type: 'data_profile',
        attributes: { permissions: null, position: null, user_checkin: false, enabled: true, title: 'Personal data' },
      },
    ]);
    expect(body.data[0].relationships.custom_fields.data).toHaveLength(7);
    expect(body.meta.total_count).toBe(1);
  });

  it('200 with its fields in order, and with permissions', async () => {
    const { body } = await world.employee.call('listDataProfiles', {
      query: { include: 'custom_fields', permissions: 'true' },
    });
    expect(body.included.map((field: { attributes: { key: string } }) => field.attributes.key)).toEqual([
      'phone',
      'start_of_work',
      'trial_period',
      'end_of_contract',
      'desc',
      'cost_center',
      'cost_object',
    ]);
    expect(body.included[1]).toMatchObject({
      type: 'custom_field',
      attributes: { title: 'Start of work', kind: 'date', position: 2 },
    });
    expect(body.data[0].attributes.permissions).toEqual({ read: true, update: false, destroy: false });
  });

  it('200 filtered', async () => {
    const count = async (query: Record<string, string>) =>
      (await world.employee.call('listDataProfiles', { query })).body.data.length;
    expect(await count({ 'filter[title]': 'ct:personal' })).toBe(1);
    expect(await count({ 'filter[enabled]': 'eq:false' })).toBe(0);
    expect(await count({ 'filter[position]': 'present:true' })).toBe(0);
  });

  it('400 for an unknown include', async () => {
    expect(pointersIn(await world.employee.call('listDataProfiles', { query: { include: 'users' } }))).toEqual([
      'include',
    ]);
  });

  it('404 for a workspace and an account that do not belong together, or to the caller', async () => {
    const other = await newWorld();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const places: Record<string, number>[] = [
      { account_id: other.accountId },
      { workspace_id: other.workspaceId },
      { account_id: other.accountId, workspace_id: other.workspaceId },
    ];
    for (const params of places) expect((await world.admin.call('listDataProfiles', { params })).status).toBe(404);
    expect((await world.employee.call('listDataProfiles', { params: { workspace_id: body.data.id } })).status).toBe(
      404,
    );
    expect((await world.stranger.call('listDataProfiles')).status).toBe(404);
  });
});
