import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

const ids = (records: { id: number }[]): number[] => records.map(({ id }) => id);

describe('findPublicUsers', () => {
  it('200 with the named user and their status', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const made = await newUser({ external_id: 'erika' });
    for (const query of [`id=${made.id}`, 'external_id=erika', `id=${made.id}&location_ids=999999999&page=9`]) {
      expect((await enterprise('findPublicUsers', { query })).body).toEqual({ ...made, status: 'active' });
    }
  });

  it('200 with all, active and inactive, each with status and birthday', async () => {
    const { enterprise, admin, employee, newUser } = await newEnterprise();
    const made = await newUser({ data_profiles: { birthday: '1990-04-12', desc: 'Nights' } });
    await enterprise('deactivatePublicUser', { body: { user: { id: made.id } } });
    const { body } = await enterprise('findPublicUsers');
    expect(ids(body.users)).toEqual([admin.id, employee.id, made.id]);
    expect(body.users[2]).toEqual({ ...made, status: 'inactive', birthday: '1990-04-12' });
    expect(body).toMatchObject({ page_number: 1, total_pages: 1, next_page: null });
  });

  it('200 with users of any of the locations, and of any of the areas; all filters must match', async () => {
    const { enterprise, newUser, newLocation, newArea, workspaceId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const spa = await newLocation('Spa', { external_id: 'spa' });
    const bar = await newArea('Bar', { external_id: 'bar' });
    const pool = await newArea('Pool', { external_id: 'pool' }, hotel.id);
    const a = await newUser({ working_area_ids: bar.id });
    const b = await newUser({ location_ids: hotel.id, working_area_ids: pool.id });
    const c = await newUser({ location_ids: [hotel.id, spa.id] });
    const found = async (query: string) =>
      ids((await enterprise('findPublicUsers', { query })).body.users).filter((id) => [a.id, b.id, c.id].includes(id));
    expect(await found(`location_ids=${workspaceId}`)).toEqual([a.id]);
    expect(await found(`location_ids=${hotel.id}`)).toEqual([b.id, c.id]);
    expect(await found('location_external_ids=spa')).toEqual([c.id]);
    expect(await found(`location_ids=${workspaceId}&location_external_ids=spa,nowhere`)).toEqual([a.id, c.id]);
    expect(await found(`location_ids[]=${workspaceId}&location_ids[]=${spa.id}`)).toEqual([a.id, c.id]);
    expect(await found(`location_ids=${workspaceId}&location_ids=${spa.id}`)).toEqual([a.id, c.id]);
    expect(await found(`working_area_ids=${bar.id},${pool.id}`)).toEqual([a.id, b.id]);
    expect(await found('working_area_external_ids=pool')).toEqual([b.id]);
    expect(await found(`working_area_ids=${bar.id}&working_area_external_ids=pool`)).toEqual([a.id, b.id]);
    expect(await found(`working_area_ids=${bar.id}&location_ids=${hotel.id}`)).toEqual([]);
    expect(await found('location_ids=999999999')).toEqual([]);
    expect(await found('working_area_external_ids=nothing')).toEqual([]);
    expect(await found('location_external_ids=a%00b')).toEqual([]);
  });

  it('200 with those who have one of the tags, and with 0 those who have none', async () => {
    const { enterprise, admin, employee, newUser, newTag } = await newEnterprise();
    const [night, event] = [await newTag('Night'), await newTag('Event')];
    const a = await newUser({ tags: night });
    const b = await newUser({ tags: `${night},${event}` });
    const c = await newUser();
    const found = async (tags: string) => ids((await enterprise('findPublicUsers', { query: { tags } })).body.users);
    expect(await found(`${night}`)).toEqual([a.id, b.id]);
    expect(await found(`${event}, ${night}`)).toEqual([a.id, b.id]);
    expect(await found(`${event}`)).toEqual([b.id]);
    expect(await found('0')).toEqual([admin.id, employee.id, c.id]);
    expect(await found(`0,${event}`)).toEqual([admin.id, employee.id, b.id, c.id]);
    expect(await found('999999999')).toEqual([]);
  });

  it('400 for tags that are anything but non-negative integers', async () => {
    const { enterprise } = await newEnterprise();
    for (const tags of ['-1', '1,-2', 'abc', '1.5', '1,,2', '1;2', '0x1']) {
      const response = await enterprise('findPublicUsers', { query: { tags } });
      expect([tags, response.status, pointersIn(response)]).toEqual([tags, 400, ['tags']]);
    }
  });

  it('404 for an unknown user', async () => {
    const { enterprise } = await newEnterprise();
    expect((await enterprise('findPublicUsers', { query: { external_id: 'nobody' } })).status).toBe(404);
  });
});
