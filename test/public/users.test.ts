import { describe, expect, it } from 'vitest';
import { call, pointersIn, titlesIn } from '../support/client.ts';
import { newEnterprise } from '../support/enterprise.ts';
import { service } from '../support/service.ts';
import { bodyOf } from '../support/world.ts';

describe('createPublicUser', () => {
  it('200 with every attribute of a user', async () => {
    const { enterprise, admin, accountId, workspaceId, newArea, newTag } = await newEnterprise();
    const [bar, kitchen] = [await newArea('Bar'), await newArea('Kitchen')];
    const tag = await newTag('Night');
    const plain = {
      username: 'Erika',
      email: 'erika-create@example.com',
      abbrev: 'EE',
      initial_time_account: -3.5,
      salary: 18.25,
    };
    const more = {
      home_office: true,
      working_sessions_creator: true,
      staff_number: '1002',
      external_id: 'hr-1002',
      locale: 'de',
    };
    const data_profiles = {
      phone: '+49',
      start_of_work: '2026-01-05',
      desc: 'Nights',
      cost_center: '4711',
      birthday: '1990-04-12',
    };
    const { status, body } = await enterprise('createPublicUser', {
      body: {
        user: {
          ...plain,
          ...more,
          location_ids: String(workspaceId),
          working_area_ids: `${bar.id}, ${kitchen.id}`,
          tags: String(tag),
          data_profiles,
        },
      },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      ...plain,
      ...more,
      enterprise_id: accountId,
      location_ids: [workspaceId],
      working_area_ids: [bar.id, kitchen.id],
      tags: [tag],
      data_profiles: {
        phone: { label: 'Phone', value: '+49' },
        start_of_work: { label: 'Start of work', value: '2026-01-05' },
        trial_period: { label: 'Trial period', value: null },
        end_of_contract: { label: 'End of contract', value: null },
        desc: { label: 'Description', value: 'Nights' },
        cost_center: { label: 'Cost centre', value: '4711' },
        cost_object: { label: 'Cost object', value: null },
        birthday: { label: 'Birthday', value: '1990-04-12' },
      },
    });
    const seen = (await admin.call('getUser', { params: { user_id: body.id } })).body.data;
    expect(seen.attributes).toMatchObject({
      username: 'Erika',
      abbreviation: 'EE',
      birthday: '1990-04-12',
      status: 'active',
      assumed_role: 'employee',
    });
    expect(seen.relationships.absence_types.data).toHaveLength(4);
  });

  it('200 with only a name and a location', async () => {
    const { newUser, workspaceId } = await newEnterprise();
    expect(await newUser()).toMatchObject({
      email: null,
      abbrev: null,
      initial_time_account: 0,
      salary: 0,
      home_office: false,
      working_sessions_creator: false,
      staff_number: null,
      external_id: null,
      locale: null,
      location_ids: [workspaceId],
      working_area_ids: [],
      tags: [],
    });
  });

  it('200 in locations and areas by id, by external id, and by both, which add up', async () => {
    const { newUser, newLocation, newArea, workspaceId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const spa = await newLocation('Spa', { external_id: 'spa' });
    const bar = await newArea('Bar');
    const pool = await newArea('Pool', { external_id: 'pool' }, hotel.id);
    const both = {
      location_ids: [workspaceId, hotel.id],
      location_external_ids: 'hotel, spa',
      working_area_ids: bar.id,
      working_area_external_ids: 'pool',
    };
    expect(await newUser(both)).toMatchObject({
      location_ids: [workspaceId, hotel.id, spa.id],
      working_area_ids: [bar.id, pool.id],
    });
    const named = { location_ids: undefined, location_external_ids: ['hotel'], working_area_external_ids: ['pool'] };
    expect(await newUser(named)).toMatchObject({ location_ids: [hotel.id], working_area_ids: [pool.id] });
  });

  it('400 without a location, however it is left out', async () => {
    const { enterprise } = await newEnterprise();
    for (const location of [
      {},
      { location_ids: '' },
      { location_ids: null },
      { location_external_ids: '' },
      { location_ids: [], location_external_ids: [] },
      { location_external_ids: ',' },
    ]) {
      const response = await enterprise('createPublicUser', { body: { user: { username: 'Erika', ...location } } });
      expect([response.status, pointersIn(response)]).toEqual([400, ['location_ids']]);
    }
  });

  it('400 from the contract, all at once', async () => {
    const { enterprise } = await newEnterprise();
    const user = {
      username: '',
      email: 'nobody',
      salary: 'much',
      home_office: 5,
      locale: 'fr',
      tags: '1,x',
      location_ids: '1;2',
      data_profiles: { phone: '4'.repeat(256) },
    };
    const response = await enterprise('createPublicUser', { body: { user } });
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(
      ['data_profiles/phone', 'email', 'home_office', 'locale', 'location_ids', 'salary', 'tags', 'username'],
    ); // prettier-ignore
  });

  it('400 for records that are unknown, and an area or a tag outside their locations, all at once', async () => {
    const { enterprise, newLocation, newArea, newTag, workspaceId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const pool = await newArea('Pool', { external_id: 'pool' }, hotel.id);
    const tag = await newTag('Guest', hotel.id);
    const user = {
      location_ids: [workspaceId, 999999999],
      location_external_ids: 'nowhere',
      working_area_ids: pool.id,
      working_area_external_ids: 'pool',
      tags: tag,
    };
    const response = await enterprise('createPublicUser', { body: { user: { username: 'Erika', ...user } } });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual([
      'location_ids',
      'location_external_ids',
      'working_area_ids',
      'working_area_external_ids',
      'tags',
    ]);
    expect(titlesIn(response)[2]).toBe(
      `working_area_ids names ${pool.id}, which is no active working area of the user's locations.`,
    );
  });

  it('400 for an e-mail address and an external id that are taken', async () => {
    const { enterprise, employee, newUser, workspaceId } = await newEnterprise();
    await newUser({ external_id: 'erika' });
    const user = {
      location_ids: workspaceId,
      username: 'Erika',
      email: employee.email.toUpperCase(),
      external_id: 'erika',
    };
    const response = await enterprise('createPublicUser', { body: { user } });
    expect([response.status, pointersIn(response)]).toEqual([400, ['email', 'external_id']]);
  });

  it('sends an invitation with a link for the first password to a given address, and to nobody else', async () => {
    const { newUser } = await newEnterprise();
    const { jobs, mails } = await service();
    const email = `erika-${crypto.randomUUID()}@example.com`;
    await jobs.drain();
    const before = mails.length;
    await newUser();
    await newUser({ email });
    await jobs.drain();
    const sent = mails.slice(before);
    expect(sent.map(({ to }) => to)).toEqual([email]);
    const [, reset_password_token] = /https:\/\/app\.example\.com\/password\?reset_password_token=(\S+)/.exec(
      sent[0]!.text,
    )!;
    const { status } = await call('v3', 'updatePassword', {
      body: bodyOf('user', { email, reset_password_token, password: 'first password' }),
    });
    expect(status).toBe(200);
  });
});

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
