import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { create, defaults } from './support.ts';
import { newWorld, type World } from '../../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

describe('createWorkspace', () => {
  it('200 with all defaults, the default absence types, and its creator as a member', async () => {
    const { admin } = await newWorld();
    const { status, body } = await create(admin, { name: 'Hill' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      type: 'workspace',
      attributes: { ...defaults, name: 'Hill' },
      relationships: { areas: { data: [] } },
    });
    expect(body.data.attributes).not.toHaveProperty('welcome_message');
    const me = await admin.call('getCurrentWorkspaceUser', {
      params: { workspace_id: body.data.id },
      query: { include: 'absence_types' },
    });
    expect(me.body.data.relationships.workspaces.data).toContainEqual({ type: 'workspace', id: body.data.id });
    expect(me.body.included).toHaveLength(4);
  });

  it.each([
    ['de-AT', ['Urlaub', 'Krankheit', 'Sonderurlaub', 'Unbezahlter Urlaub']],
    ['en', ['Vacation', 'Sick leave', 'Special leave', 'Unpaid leave']],
    ['fr', ['Vacation', 'Sick leave', 'Special leave', 'Unpaid leave']],
  ])('200 with absence types named in its language, %s', async (locale, titles) => {
    const { admin } = await newWorld();
    const { body } = await create(admin, { name: 'Hill', locale });
    const listed = await admin.call('listAbsenceTypes', { params: { workspace_id: body.data.id }, query: 'sort=id' });
    expect(listed.body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)).toEqual(
      titles,
    );
  });

  it('200 with every attribute', async () => {
    const attributes = {
      name: 'Hill',
      phone: '+49 40 1',
      time_zone: 'America/New_York',
      locale: 'en',
      external_id: 'hill',
      avatar: 'https://example.com/hill.png',
    };
    const { body } = await create((await newWorld()).admin, attributes);
    expect(body.data.attributes).toMatchObject({ ...attributes, time_zone: 'New York' });
  });

  it('200 where null and blank mean "not given"', async () => {
    const { status, body } = await create(world.admin, {
      name: 'Blank',
      phone: null,
      time_zone: '',
      locale: null,
      external_id: '',
      avatar: '',
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ ...defaults, external_id: '' });
    expect((await create(world.admin, { name: 'Blank', external_id: '' })).status).toBe(200);
  });

  it.each([
    ['Berlin', 'Berlin'],
    ['Kolkata', 'Kolkata'],
    ['europe/london', 'London'],
    ['UTC', 'UTC'],
    ['Buenos Aires', 'Buenos Aires'],
  ])('200 with the zone %s', async (time_zone, shown) => {
    expect((await create(world.admin, { name: 'Zone', time_zone })).body.data.attributes.time_zone).toBe(shown);
  });

  it('400 names every problem at once', async () => {
    const bad = await create(world.admin, {
      name: '',
      phone: 5,
      time_zone: 5,
      locale: '1',
      external_id: 'x'.repeat(256),
      avatar: 'http://example.com/a.png',
    });
    expect(bad.status).toBe(400);
    expect(pointersIn(bad).sort()).toEqual(
      expect.arrayContaining(['avatar', 'external_id', 'locale', 'name', 'phone', 'time_zone']),
    );
  });

  it('400 for an unknown zone and an external id that is taken, both at once', async () => {
    await create(world.admin, { name: 'First', external_id: 'taken' });
    const response = await create(world.admin, { name: 'Second', external_id: 'taken', time_zone: 'Atlantis' });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      'time_zone must be a city such as Berlin or an IANA name such as Europe/Berlin, but was "Atlantis".',
      'external_id "taken" is already used by another workspace of this account.',
    ]);
  });

  it('400 for all but one of many with one external id at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => create(world.admin, { name: 'Race', external_id: 'race' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(pointersIn(responses.find(({ status }) => status === 400)!)).toEqual(['external_id']);
  });

  it('200 with an external id that another account uses', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    for (const { admin } of [one, other])
      expect((await create(admin, { name: 'Hill', external_id: 'shared' })).status).toBe(200);
  });

  it('403 for everybody but account admins, 404 for a stranger', async () => {
    expect((await create(await world.addMember('workspaceAdmin'), { name: 'Hill' })).status).toBe(403);
    expect((await create(world.stranger, { name: 'Hill' })).status).toBe(404);
  });
});
