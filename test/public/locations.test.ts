import { describe, expect, it } from 'vitest';
import { newEnterprise } from '../support/enterprise.ts';

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

  it('404 for one that is unknown or deleted, which is no longer listed either', async () => {
    const { enterprise, admin, newLocation } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    await admin.call('deleteWorkspace', { params: { workspace_id: hotel.id } });
    expect((await enterprise('findLocations', { query: { id: 999999999 } })).status).toBe(404);
    expect((await enterprise('findLocations', { query: { id: hotel.id } })).status).toBe(404);
    expect((await enterprise('findLocations', { query: { external_id: 'hotel' } })).status).toBe(404);
    expect((await enterprise('findLocations')).body.locations).toHaveLength(1);
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
      title: 'Vacation',
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

  it('400 for what can be no id, 404 for one that is unknown or no longer active', async () => {
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
