import { describe, expect, it } from 'vitest';
import { newWorld } from '../../../support/world.ts';

describe('listSuggestedFollowers', () => {
  it('200 with the names of the active members, and nothing else, for every member', async () => {
    const world = await newWorld();
    const zoe = await world.addMember('employee', 'zoe');
    const inactive = await world.addMember('employee', 'Ida');
    await world.db.updateTable('users').set({ status: 'inactive' }).where('id', '=', inactive.id).execute();
    const { status, body } = await world.employee.call('listSuggestedFollowers');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { id: String(world.admin.id), type: 'user', attributes: { username: 'admin' } },
      { id: String(world.employee.id), type: 'user', attributes: { username: 'employee' } },
      { id: String(zoe.id), type: 'user', attributes: { username: 'zoe' } },
    ]);
  });

  it('200 filtered by name, with pages', async () => {
    const world = await newWorld();
    await world.addMember('employee', 'zoe');
    const { body } = await world.employee.call('listSuggestedFollowers', { query: { 'filter[username]': 'ct:OE' } });
    expect(body.data).toMatchObject([{ attributes: { username: 'zoe' } }]);
    const page = await world.employee.call('listSuggestedFollowers', { query: { items: 2, page: 2 } });
    expect(page.body.meta).toMatchObject({ current_page: 2, total_count: 3 });
    expect(page.body.data).toHaveLength(1);
  });

  it('400 for a bad page, 404 for a stranger', async () => {
    const { employee, stranger } = await newWorld();
    expect((await employee.call('listSuggestedFollowers', { query: { items: 0 } })).status).toBe(400);
    expect((await stranger.call('listSuggestedFollowers')).status).toBe(404);
  });
});
