import { describe, expect, it } from 'vitest';
import { call, pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { service } from '../../../support/service.ts';
import { bodyOf } from '../../../support/world.ts';

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
