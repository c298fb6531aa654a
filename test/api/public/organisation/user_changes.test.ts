import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

describe('updatePublicUser', () => {
  it('200 changes only the sent attributes, by id and by external id', async () => {
    const { enterprise, newUser, newArea, newTag } = await newEnterprise();
    const bar = await newArea('Bar');
    const tag = await newTag('Night');
    const email = `erika-${crypto.randomUUID()}@example.com`;
    const made = await newUser({
      external_id: 'erika',
      email,
      salary: 18,
      abbrev: 'EE',
      working_area_ids: bar.id,
      tags: tag,
      data_profiles: { phone: '1', desc: 'x', birthday: '1990-04-12' },
    });
    const byId = await enterprise('updatePublicUser', { body: { user: { id: made.id, salary: 19 } } });
    expect(byId.status).toBe(200);
    expect(byId.body).toEqual({ ...made, salary: 19, desc: 'x' });
    const byName = await enterprise('updatePublicUser', {
      body: { user: { external_id: 'erika', home_office: true, data_profiles: { desc: 'y' } } },
    });
    expect(byName.body).toMatchObject({
      id: made.id,
      salary: 19,
      home_office: true,
      desc: 'y',
      working_area_ids: [bar.id],
      tags: [tag],
    });
    expect(byName.body.data_profiles).toMatchObject({
      phone: { value: '1' },
      desc: { value: 'y' },
      birthday: { value: '1990-04-12' },
    });
  });

  it('200 replaces areas and tags where they are sent, and empties them where nothing is', async () => {
    const { enterprise, newUser, newArea, newTag } = await newEnterprise();
    const [bar, kitchen] = [
      await newArea('Bar', { external_id: 'bar' }),
      await newArea('Kitchen', { external_id: 'kitchen' }),
    ];
    const tag = await newTag('Night');
    const { id } = await newUser({ working_area_ids: bar.id });
    const areasAfter = async (change: object) =>
      (await enterprise('updatePublicUser', { body: { user: { id, ...change } } })).body.working_area_ids;
    expect(await areasAfter({ working_area_ids: kitchen.id })).toEqual([kitchen.id]);
    expect(await areasAfter({ working_area_external_ids: 'bar' })).toEqual([bar.id]);
    expect(await areasAfter({ working_area_ids: [bar.id], working_area_external_ids: ['kitchen'] })).toEqual([
      bar.id,
      kitchen.id,
    ]);
    for (const none of ['', []]) {
      await areasAfter({ working_area_ids: bar.id });
      expect(await areasAfter({ working_area_ids: none })).toEqual([]);
    }
    expect((await enterprise('updatePublicUser', { body: { user: { id, tags: tag } } })).body.tags).toEqual([tag]);
    expect((await enterprise('updatePublicUser', { body: { user: { id, tags: '' } } })).body.tags).toEqual([]);
  });

  it('200 clears what can be cleared, and frees an address', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const email = `erika-${crypto.randomUUID()}@example.com`;
    const { id } = await newUser({
      email,
      abbrev: 'EE',
      staff_number: '5',
      locale: 'de',
      data_profiles: { birthday: '1990-04-12', phone: '1' },
    });
    const user = {
      id,
      email: '',
      abbrev: '',
      staff_number: '',
      locale: '',
      data_profiles: { birthday: '', phone: '' },
    };
    const { body } = await enterprise('updatePublicUser', { body: { user } });
    expect(body).toMatchObject({ email: null, abbrev: null, staff_number: null, locale: null });
    expect(body.data_profiles).toMatchObject({ birthday: { value: null }, phone: { value: null } });
    await newUser({ email });
    const taken = await enterprise('updatePublicUser', { body: { user: { id, email } } });
    expect([taken.status, pointersIn(taken)]).toEqual([400, ['email']]);
  });

  it('400 for a blank name, areas and tags outside their locations, and no name at all', async () => {
    const { enterprise, newUser, newLocation, newArea, newTag } = await newEnterprise();
    const hotel = await newLocation('Hotel');
    const pool = await newArea('Pool', {}, hotel.id);
    const tag = await newTag('Guest', hotel.id);
    const { id } = await newUser();
    expect(
      pointersIn(await enterprise('updatePublicUser', { body: { user: { id, username: '', salary: '' } } })).sort(),
    ).toEqual(['salary', 'username']);
    const outside = await enterprise('updatePublicUser', {
      body: { user: { id, working_area_ids: pool.id, tags: `${tag}` } },
    });
    expect([outside.status, pointersIn(outside)]).toEqual([400, ['working_area_ids', 'tags']]);
    const nameless = await enterprise('updatePublicUser', { body: { user: { salary: 5 } } });
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['id']]);
  });

  it('404 for an unknown or deleted user', async () => {
    const { enterprise, newUser } = await newEnterprise();
    const { id } = await newUser({ external_id: 'erika' });
    await enterprise('deletePublicUser', { body: { user: { id } } });
    for (const user of [{ id: 999999999 }, { external_id: 'nobody' }, { id }, { external_id: 'erika' }]) {
      expect((await enterprise('updatePublicUser', { body: { user } })).status).toBe(404);
    }
  });
});
