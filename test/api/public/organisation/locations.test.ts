import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

describe('findLocations', () => {
  it('200 with all locations, by id', async () => {
    const { enterprise, newLocation, workspaceId, accountId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel', time_zone: 'Lisbon', locale: 'en', phone: '1' });
    const { status, body } = await enterprise('findLocations');
    expect(status).toBe(200);
    expect(body.locations.map(({ id }: { id: number }) => id)).toEqual([workspaceId, hotel.id]);
    expect(body.locations[1]).toEqual({
      id: hotel.id,
      enterprise_id: accountId,
      name: 'Hotel',
      phone: '1',
      time_zone: 'Lisbon',
      locale: 'en',
      external_id: 'hotel',
      status: 'active',
      updated_at: expect.stringMatching(/^20\d\d-[\d-]+T[\d:]+\+0[01]:00$/),
    });
  });

  it('200 with the one that is named by id, or by external id', async () => {
    const { enterprise, newLocation } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    expect((await enterprise('findLocations', { query: { id: hotel.id } })).body).toMatchObject({
      id: hotel.id,
      name: 'Hotel',
    });
    expect((await enterprise('findLocations', { query: { external_id: 'hotel' } })).body).toMatchObject({
      id: hotel.id,
      name: 'Hotel',
    });
  });

  it('400 when the two names differ', async () => {
    const { enterprise, newLocation, workspaceId } = await newEnterprise();
    await newLocation('Hotel', { external_id: 'hotel' });
    expect((await enterprise('findLocations', { query: { id: workspaceId, external_id: 'hotel' } })).status).toBe(400);
  });

  it('404 for an unknown location and for a deleted one, which is no longer listed', async () => {
    const { enterprise, admin, newLocation } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    await admin.call('deleteWorkspace', { params: { workspace_id: hotel.id } });
    expect((await enterprise('findLocations', { query: { id: 999999999 } })).status).toBe(404);
    expect((await enterprise('findLocations', { query: { id: hotel.id } })).status).toBe(404);
    expect((await enterprise('findLocations', { query: { external_id: 'hotel' } })).status).toBe(404);
    expect((await enterprise('findLocations')).body.locations).toHaveLength(1);
  });
});

describe('createLocation', () => {
  it('200 with the members at the top level, which an account admin joins and the resource API shows', async () => {
    const { enterprise, admin } = await newEnterprise();
    const body = { name: 'Pier', user_id: String(admin.id), active: 'false', external_id: 'pier', phone: null };
    const { status, body: pier } = await enterprise('createLocation', { body });
    expect([status, pier]).toMatchObject([200, { name: 'Pier', external_id: 'pier', status: 'inactive' }]);
    expect((await enterprise('findLocations', { query: { external_id: 'pier' } })).body).toEqual(pier);
    const shown = await admin.call('getWorkspace', { params: { workspace_id: pier.id } });
    expect(shown.body.data.attributes).toMatchObject({ name: 'Pier', external_id: 'pier', active: false });
    const members = await admin.call('listUsers', { params: { workspace_id: pier.id } });
    expect(members.body.data.map(({ id }: { id: string }) => id)).toEqual([String(admin.id)]);
  });

  it('200 in location, also with that member null, and without anybody', async () => {
    const { enterprise, admin } = await newEnterprise();
    const named = await enterprise('createLocation', { body: { location: { name: 'Pier', user_id: null } } });
    expect([named.status, named.body.status]).toEqual([200, 'active']);
    const members = await admin.call('listUsers', { params: { workspace_id: named.body.id } });
    expect(members.body.data).toEqual([]);
    const top = await enterprise('createLocation', { body: { location: null, name: 'Mole', unknown: null } });
    expect([top.status, top.body.name]).toEqual([200, 'Mole']);
    const types = await enterprise('findAbsenceTypes', { query: { location_id: top.body.id } });
    expect(types.body.absence_types).toHaveLength(4);
  });

  it('400 for a user who is no account admin of the enterprise, and creates nothing', async () => {
    const { enterprise, employee, newLocation } = await newEnterprise();
    await newLocation('Hotel', { external_id: 'hotel' });
    const { admin: stranger } = await newEnterprise();
    for (const user_id of [employee.id, stranger.id, 999999999]) {
      const refused = await enterprise('createLocation', { body: { name: 'Pier', user_id } });
      expect([refused.status, titlesIn(refused)]).toEqual([
        400,
        [`user_id ${user_id} is no account admin of this enterprise.`],
      ]);
    }
    expect(pointersIn(await enterprise('createLocation', { body: { location: {} } }))).toEqual(['name']);
    expect(pointersIn(await enterprise('createLocation', { body: { name: 'A', external_id: 'hotel' } }))).toEqual([
      'external_id',
    ]);
    expect((await enterprise('findLocations')).body.locations).toHaveLength(2);
  });

  it('200 once for a repeated Idempotency-Key', async () => {
    const { enterprise } = await newEnterprise();
    const request = { body: { name: 'Pier' }, headers: { 'Idempotency-Key': 'pier-1' } };
    const [one, other] = [await enterprise('createLocation', request), await enterprise('createLocation', request)];
    expect(other.body).toEqual(one.body);
    expect((await enterprise('findLocations')).body.locations).toHaveLength(2);
  });
});

describe('updateLocation', () => {
  it('200 changes the name, and switches it off and on', async () => {
    const { enterprise, newLocation } = await newEnterprise();
    const { id } = await newLocation('Hotel', { external_id: 'hotel' });
    const update = async (body: object) => (await enterprise('updateLocation', { body })).body;
    expect(await update({ external_id: 'hotel', name: 'Inn' })).toMatchObject({ id, name: 'Inn', status: 'active' });
    expect(await update({ location: { id: String(id), active: false, name: null } })).toMatchObject({
      name: 'Inn',
      status: 'inactive',
    });
    expect(await update({ location: null, id, active: 'true' })).toMatchObject({ name: 'Inn', status: 'active' });
  });

  it('200 gives an external id to one that has none, also with If-Match; 400 changes none', async () => {
    const { enterprise, newLocation } = await newEnterprise();
    const { id } = await newLocation('Hotel');
    const { headers } = await enterprise('findLocations', { query: { id } });
    const given = await enterprise('updateLocation', {
      body: { id, external_id: 'hotel' },
      headers: { 'If-Match': headers['etag']! },
    });
    expect([given.status, given.body.external_id]).toEqual([200, 'hotel']);
    const changed = await enterprise('updateLocation', { body: { id, external_id: 'other' } });
    expect([changed.status, titlesIn(changed)]).toEqual([
      400,
      ['external_id "other" is not that of the location, which has "hotel". It cannot be changed.'],
    ]);
    expect(pointersIn(await enterprise('updateLocation', { body: { name: 'Nobody' } }))).toEqual(['id']);
    expect(pointersIn(await enterprise('updateLocation', { body: { id, name: '' } }))).toEqual(['name']);
  });

  it('404 for one that is unknown, deleted or of another enterprise', async () => {
    const { enterprise, admin, newLocation } = await newEnterprise();
    const { id } = await newLocation('Hotel', { external_id: 'hotel' });
    const other = await newEnterprise();
    expect((await other.enterprise('updateLocation', { body: { id, name: 'Mine' } })).status).toBe(404);
    expect((await other.enterprise('updateLocation', { body: { external_id: 'hotel' } })).status).toBe(404);
    await admin.call('deleteWorkspace', { params: { workspace_id: id } });
    expect((await enterprise('updateLocation', { body: { id, name: 'Back' } })).status).toBe(404);
  });
});

describe('findAbsenceTypes', () => {
  it('200 with all absence types, or those of one location', async () => {
    const { enterprise, newLocation, workspaceId, absenceType } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const all = await enterprise('findAbsenceTypes');
    expect(all.body.absence_types).toHaveLength(8);
    expect(all.body.absence_types[0]).toEqual({
      id: await absenceType('vacation'),
      title: 'Urlaub',
      kind: 'vacation',
      external_id: null,
      location_id: workspaceId,
    });
    for (const query of [
      `location_id=${hotel.id}`,
      'location_external_id=hotel',
      `location_id=${hotel.id}&location_external_id=hotel`,
    ]) {
      const { body } = await enterprise('findAbsenceTypes', { query });
      expect(body.absence_types.map(({ location_id }: { location_id: number }) => location_id)).toEqual([
        hotel.id,
        hotel.id,
        hotel.id,
        hotel.id,
      ]);
    }
    expect((await enterprise('findAbsenceTypes', { query: { location_external_id: 'nowhere' } })).body).toEqual({
      absence_types: [],
    });
  });

  it('200 with the one that is named by id, or by external id', async () => {
    const { db, accountId, enterprise, absenceType } = await newEnterprise();
    const id = await absenceType('vacation');
    await db
      .updateTable('absence_types')
      .set({ external_id: 'leave' })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    expect((await enterprise('findAbsenceTypes', { query: { id } })).body).toMatchObject({ id, external_id: 'leave' });
    expect((await enterprise('findAbsenceTypes', { query: { external_id: 'leave' } })).body).toMatchObject({
      id,
      external_id: 'leave',
    });
  });

  it('400 for an invalid id, 404 for one that is unknown or no longer active', async () => {
    const { db, accountId, enterprise, absenceType } = await newEnterprise();
    const id = await absenceType('vacation');
    await db
      .updateTable('absence_types')
      .set({ active: false })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    expect((await enterprise('findAbsenceTypes', { query: { id: 'abc' } })).status).toBe(400);
    expect((await enterprise('findAbsenceTypes', { query: { id } })).status).toBe(404);
    expect((await enterprise('findAbsenceTypes', { query: { external_id: 'nothing' } })).status).toBe(404);
  });
});

describe('ping', () => {
  it('200 with the enterprise of the token', async () => {
    const { enterprise, accountId } = await newEnterprise();
    expect((await enterprise('ping')).body).toEqual({ enterprise_id: accountId, enterprise_name: 'admin' });
  });
});
