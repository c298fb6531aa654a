import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('events', () => {
  it('record who changed what', async () => {
    const { admin, employee } = await newWorld();
    const created = await admin.call('createArea', { body: bodyOf('area', { name: 'Kitchen' }) });
    const area = created.body.data.id;
    const params = { area_id: area };
    await admin.call('updateArea', { params, body: bodyOf('area', { name: 'Bar', user_ids: [String(employee.id)] }) });
    await admin.call('updateArea', { params, body: bodyOf('area', { name: 'Bar' }) });
    const { body } = await admin.call('listEvents', { query: { 'filter[record_type]': 'eq:area', sort: 'id' } });
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      {
        name: 'area.created',
        actor_type: 'user',
        actor_id: String(admin.id),
        request_id: created.headers['x-request-id'],
        record_id: area,
        changes: { name: [null, 'Kitchen'], status: [null, 'active'] },
      },
      { name: 'area.updated', changes: { name: ['Kitchen', 'Bar'], user_ids: [[], [employee.id]] } },
    ]);
  });
});
