import { describe, expect, it } from 'vitest';
import { answerOf, everyChange, everyRecord, publicApi, resourceApi } from '../../../../../src/client/client.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

/** The clients of an account, and the addresses that they have asked. */
async function clientsOf({ admin, apiToken }: World) {
  const { url } = await service();
  const addresses: string[] = [];
  const noting = (request: Request): Promise<Response> => {
    addresses.push(request.url);
    return fetch(request);
  };
  return {
    addresses,
    api: resourceApi({ url, token: admin.token, fetch: noting }),
    enterprise: publicApi({ url, apiToken, fetch: noting }),
  };
}

async function all<Row>(rows: AsyncGenerator<Row, void>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe('the client of the public API', () => {
  it('iterates over the records of lists with and without pages, with ids as texts', async () => {
    const world = await newWorld();
    const { enterprise } = await clientsOf(world);
    for (let number = 0; number < 26; number++) await world.addMember('employee');
    const users = await all(everyRecord(enterprise, '/users'));
    expect(users).toHaveLength(28);
    expect(users[0]).toMatchObject({ id: String(world.admin.id), location_ids: [String(world.workspaceId)] });
    expect(users[0]!.id satisfies string).toBe(String(world.admin.id));
    await world.admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const areas = await all(everyRecord(enterprise, '/working_areas'));
    expect(areas.map(({ name, location_id }) => [name, location_id])).toEqual([['Bar', String(world.workspaceId)]]);
  });

  it('has the ids of changes as the records of both APIs have them', async () => {
    const world = await newWorld();
    const { api, enterprise } = await clientsOf(world);
    await world.admin.call('createTimeTracking', {
      body: bodyOf('time_tracking', { starts_at: '2026-05-04T08:00:00Z', ends_at: '2026-05-04T16:00:00Z' }),
    });
    const feed = everyChange(enterprise, '/changes', {
      params: { query: { types: 'time_tracking', from: 'beginning' } },
    });
    const { change } = (await feed.next()).value!;
    await feed.return();
    const path = { workspace_id: change.location_id!, time_tracking_id: change.record_id! };
    const { data } = await answerOf(
      api.GET('/workspaces/{workspace_id}/time_trackings/{time_tracking_id}', { params: { path } }),
    );
    expect([data.id, data.relationships.user.data?.id]).toEqual([change.record_id, change.user_id]);
    expect(change.actor_id).toBe(String(world.admin.id));
    const read = await answerOf(enterprise.GET('/users', { params: { query: { id: Number(change.user_id) } } }));
    expect(read).toMatchObject({ id: world.admin.id });
  });

  it('puts its token into no address', async () => {
    const world = await newWorld();
    const { addresses, enterprise } = await clientsOf(world);
    await answerOf(
      enterprise.POST('/working_areas', { body: { location_id: world.workspaceId, working_area: { name: 'Bar' } } }),
    );
    const page = await answerOf(enterprise.GET('/users'));
    expect(page).toMatchObject({ total_pages: 1 });
    expect(addresses).toHaveLength(2);
    expect(addresses.join()).not.toContain('token');
  });
});

describe('the client of the resource API', () => {
  it('reads a month', async () => {
    const world = await newWorld();
    for (const day of ['04-30', '05-01', '05-31', '06-01'])
      await world.admin.call('createTimeTracking', {
        body: bodyOf('time_tracking', { starts_at: `2026-${day}T08:00:00Z`, ends_at: `2026-${day}T16:00:00Z` }),
      });
    const { api } = await clientsOf(world);
    const path = { workspace_id: String(world.workspaceId) };
    const params = { path, query: { items: 1, 'filter[starts_at]': ['gte:2026-05-01', 'lt:2026-06-01'] } };
    const trackings = await all(everyRecord(api, '/workspaces/{workspace_id}/time_trackings', { params }));
    expect(trackings.map(({ attributes }) => attributes.starts_at)).toEqual([
      '2026-05-01T08:00:00Z',
      '2026-05-31T08:00:00Z',
    ]);
    expect(trackings[0]!.attributes.net_time satisfies number).toBe(8);
  });
});
