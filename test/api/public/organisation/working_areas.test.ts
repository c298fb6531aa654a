import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('createWorkingArea', () => {
  it('200 in a location named by id, seen by the resource API too', async () => {
    const { enterprise, admin, workspaceId } = await newEnterprise();
    const working_area = { name: 'Bar', color: '#2196F3', external_id: 'bar' };
    const { status, body } = await enterprise('createWorkingArea', {
      body: { location_id: workspaceId, working_area },
    });
    expect(status).toBe(200);
    const stamps = { created_at: isoTime, updated_at: isoTime };
    expect(body).toEqual({
      id: expect.any(Number),
      ...working_area,
      status: 'active',
      company_id: workspaceId,
      ...stamps,
    });
    expect((await admin.call('getArea', { params: { area_id: body.id } })).body.data.attributes).toMatchObject(
      working_area,
    );
  });

  it('200 in a location named by external id, with a colour that the service chooses', async () => {
    const { enterprise, newLocation } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const { body } = await enterprise('createWorkingArea', {
      body: { location_external_id: 'hotel', working_area: { name: 'Bar', color: '' } },
    });
    expect(body).toMatchObject({ company_id: hotel.id, color: '#9E9E9E', external_id: null });
  });

  it('400 without a location and a name, and with an invalid colour, all at once', async () => {
    const { enterprise } = await newEnterprise();
    for (const location of [{}, { location_external_id: '' }, { location_id: null, location_external_id: null }]) {
      const response = await enterprise('createWorkingArea', { body: { ...location, working_area: { color: 'red' } } });
      expect(response.status).toBe(400);
      expect(pointersIn(response).sort()).toEqual(['color', 'location_id', 'name']);
    }
  });

  it('400 for an unknown location', async () => {
    const { enterprise } = await newEnterprise();
    const response = await enterprise('createWorkingArea', {
      body: { location_id: 999999999, working_area: { name: 'Bar' } },
    });
    expect([response.status, titlesIn(response)]).toEqual([
      400,
      ['location_id 999999999 is no location of this enterprise.'],
    ]);
    const other = await enterprise('createWorkingArea', {
      body: { location_external_id: 'nowhere', working_area: { name: 'Bar' } },
    });
    expect([other.status, titlesIn(other)]).toEqual([
      400,
      ['location_external_id "nowhere" is no location of this enterprise.'],
    ]);
  });

  it('400 for a name taken in the location and an external id taken in the enterprise', async () => {
    const { enterprise, newArea, newLocation } = await newEnterprise();
    const hotel = await newLocation('Hotel');
    await newArea('Bar', { external_id: 'bar' });
    const response = await enterprise('createWorkingArea', {
      body: { location_id: hotel.id, working_area: { name: 'Bar', external_id: 'bar' } },
    });
    expect([response.status, pointersIn(response)]).toEqual([400, ['external_id']]);
    await newArea('Bar', {}, hotel.id);
    const again = await enterprise('createWorkingArea', {
      body: { location_id: hotel.id, working_area: { name: 'Bar' } },
    });
    expect([again.status, pointersIn(again)]).toEqual([400, ['name']]);
  });
});

describe('updateWorkingArea', () => {
  it('200 for an area named by id or external id, inside working_area or beside it', async () => {
    const { enterprise, newArea, workspaceId: location_id } = await newEnterprise();
    const { id } = await newArea('Bar', { external_id: 'bar', color: '#2196F3' });
    const names: [object, object][] = [
      [{}, { id }],
      [{}, { external_id: 'bar' }],
      [{ id }, {}],
      [{ external_id: 'bar' }, {}],
      [{ id }, { external_id: 'bar' }],
    ];
    for (const [index, [beside, inside]] of names.entries()) {
      const { status, body } = await enterprise('updateWorkingArea', {
        body: { location_id, ...beside, working_area: { ...inside, name: `Bar ${index}` } },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, name: `Bar ${index}`, color: '#2196F3', external_id: 'bar', status: 'active' });
    }
    const coloured = await enterprise('updateWorkingArea', {
      body: { location_id, id, working_area: { name: 'Bar', color: '#000000' } },
    });
    expect(coloured.body.color).toBe('#000000');
  });

  it('400 without a name for the area, the location, or its new name', async () => {
    const { enterprise, newArea, workspaceId: location_id } = await newEnterprise();
    const { id } = await newArea('Bar');
    const nameless = await enterprise('updateWorkingArea', { body: { location_id, working_area: { name: 'Pub' } } });
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['id']]);
    const nowhere = await enterprise('updateWorkingArea', { body: { working_area: { id } } });
    expect([nowhere.status, pointersIn(nowhere).sort()]).toEqual([400, ['location_id', 'name']]);
  });

  it('400 when its names differ, or the name is taken', async () => {
    const { enterprise, newArea, workspaceId: location_id } = await newEnterprise();
    const { id } = await newArea('Bar', { external_id: 'bar' });
    await newArea('Kitchen', { external_id: 'kitchen' });
    for (const names of [
      { id, external_id: 'kitchen' },
      { id: id + 1, external_id: 'bar' },
    ]) {
      expect(
        (await enterprise('updateWorkingArea', { body: { location_id, ...names, working_area: { name: 'Pub' } } }))
          .status,
      ).toBe(400);
    }
    expect(
      (await enterprise('updateWorkingArea', { body: { location_id, id, working_area: { id: id + 1, name: 'Pub' } } }))
        .status,
    ).toBe(400);
    const taken = await enterprise('updateWorkingArea', {
      body: { location_id, id, working_area: { name: 'Kitchen' } },
    });
    expect([taken.status, pointersIn(taken)]).toEqual([400, ['name']]);
  });

  it('404 for an area that is unknown, inactive, or of another location', async () => {
    const { enterprise, newArea, newLocation, workspaceId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const { id } = await newArea('Bar', { external_id: 'bar' });
    for (const names of [
      { location_id: workspaceId, id: 999999999 },
      { location_id: workspaceId, external_id: 'pub' },
      { location_id: hotel.id, id },
      { location_external_id: 'hotel', external_id: 'bar' },
      { location_id: 999999999, id },
    ]) {
      expect(
        (await enterprise('updateWorkingArea', { body: { ...names, working_area: { name: 'Pub' } } })).status,
      ).toBe(404);
    }
    await enterprise('deleteWorkingArea', { body: { location_id: workspaceId, id } });
    expect(
      (await enterprise('updateWorkingArea', { body: { location_id: workspaceId, id, working_area: { name: 'Pub' } } }))
        .status,
    ).toBe(404);
  });
});

describe('findWorkingAreas', () => {
  it('200 with the one that is named by id, or by external id, also when it is inactive', async () => {
    const { enterprise, newArea, workspaceId } = await newEnterprise();
    const { id } = await newArea('Bar', { external_id: 'bar' });
    const shown = {
      id,
      name: 'Bar',
      color: '#9E9E9E',
      external_id: 'bar',
      status: 'active',
      location_id: workspaceId,
      location_name: 'admin',
    };
    for (const query of [`id=${id}`, 'external_id=bar', `id=${id}&external_id=bar&location_id=999`]) {
      expect((await enterprise('findWorkingAreas', { query })).body).toEqual(shown);
    }
    await enterprise('deleteWorkingArea', { body: { location_id: workspaceId, id } });
    expect((await enterprise('findWorkingAreas', { query: { id } })).body).toEqual({ ...shown, status: 'inactive' });
    expect((await enterprise('findWorkingAreas', { query: { external_id: 'bar' } })).body).toEqual({
      ...shown,
      status: 'inactive',
    });

    const next = await newArea('Bar', { external_id: 'bar' });
    expect((await enterprise('findWorkingAreas', { query: { external_id: 'bar' } })).body).toMatchObject({
      id: next.id,
      status: 'active',
    });
    expect((await enterprise('findWorkingAreas', { query: { id, external_id: 'bar' } })).body).toMatchObject({
      id,
      status: 'inactive',
    });
  });

  it('200 with all, active and inactive, or those of one location', async () => {
    const { enterprise, newArea, newLocation, workspaceId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const bar = await newArea('Bar');
    const pool = await newArea('Pool', {}, hotel.id);
    await enterprise('deleteWorkingArea', { body: { location_id: workspaceId, id: bar.id } });
    const listed = async (query: string) =>
      (await enterprise('findWorkingAreas', { query })).body.working_areas.map(
        (area: { id: number; status: string }) => [area.id, area.status],
      );
    expect(await listed('')).toEqual([[bar.id, 'inactive'], [pool.id, 'active']]); // prettier-ignore
    expect(await listed(`location_id=${workspaceId}`)).toEqual([[bar.id, 'inactive']]);
    expect(await listed('location_external_id=hotel')).toEqual([[pool.id, 'active']]);
    expect(await listed(`location_id=${hotel.id}&location_external_id=hotel`)).toEqual([[pool.id, 'active']]);
    expect(await listed('location_id=999999999')).toEqual([]);
    expect(await listed('location_external_id=nowhere')).toEqual([]);
  });

  it('200 with more than a page of them, in one answer', async () => {
    const { db, accountId, workspaceId, enterprise } = await newEnterprise();
    const now = new Date();
    const row = { account_id: accountId, workspace_id: workspaceId, created_at: now, updated_at: now };
    await db
      .insertInto('areas')
      .values(Array.from({ length: 30 }, (_, index) => ({ ...row, name: `Area ${index}` })))
      .execute();
    const { body } = await enterprise('findWorkingAreas');
    expect(Object.keys(body)).toEqual(['working_areas']);
    expect(body.working_areas).toHaveLength(30);
  });

  it('400 when location names differ, 404 for an area that is unknown or of a deleted location', async () => {
    const { enterprise, admin, newArea, newLocation, workspaceId } = await newEnterprise();
    const hotel = await newLocation('Hotel', { external_id: 'hotel' });
    const pool = await newArea('Pool', {}, hotel.id);
    expect(
      (await enterprise('findWorkingAreas', { query: { location_id: workspaceId, location_external_id: 'hotel' } }))
        .status,
    ).toBe(400);
    expect((await enterprise('findWorkingAreas', { query: { external_id: 'pub' } })).status).toBe(404);
    await admin.call('deleteWorkspace', { params: { workspace_id: hotel.id } });
    expect((await enterprise('findWorkingAreas', { query: { id: pool.id } })).status).toBe(404);
    expect((await enterprise('findWorkingAreas')).body.working_areas).toEqual([]);
  });
});

describe('deleteWorkingArea', () => {
  it('200 with the inactive area, named in the body or in the query', async () => {
    const { enterprise, newArea, newUser, workspaceId: location_id } = await newEnterprise();
    await newUser({ external_id: 'erika' });
    const requests = [
      (id: number) => ({ body: { location_id, working_area: { id } } }),
      (_id: number, name: string) => ({ body: { location_id, working_area: { external_id: name } } }),
      (id: number) => ({ body: { location_id, id } }),
      (_id: number, name: string) => ({ body: { location_id, external_id: name } }),
      (id: number) => ({ query: { location_id, id } }),
      (_id: number, name: string) => ({ query: { location_id, external_id: name } }),
    ];
    for (const [index, request] of requests.entries()) {
      const { id } = await newArea('Bar', { external_id: `bar ${index}` });
      await enterprise('updatePublicUser', { body: { user: { external_id: 'erika', working_area_ids: id } } });
      const { status, body } = await enterprise('deleteWorkingArea', request(id, `bar ${index}`));
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id,
        status: 'inactive',
        external_id: `bar ${index}`,
        company_id: location_id,
        created_at: isoTime,
      });
      expect((await enterprise('findPublicUsers', { query: { external_id: 'erika' } })).body.working_area_ids).toEqual(
        [],
      );
    }
  });

  it('400 without a name or without a location', async () => {
    const { enterprise, newArea, workspaceId: location_id } = await newEnterprise();
    const { id } = await newArea('Bar');
    const nameless = await enterprise('deleteWorkingArea', { query: { location_id } });
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['id']]);
    const nowhere = await enterprise('deleteWorkingArea', { body: { id } });
    expect([nowhere.status, pointersIn(nowhere)]).toEqual([400, ['location_id']]);
  });

  it('404 the second time, in another location, and for unknown ones', async () => {
    const { enterprise, admin, newArea, newLocation, workspaceId: location_id } = await newEnterprise();
    const hotel = await newLocation('Hotel');
    const { id } = await newArea('Bar');
    expect((await enterprise('deleteWorkingArea', { body: { location_id: hotel.id, id } })).status).toBe(404);
    expect((await enterprise('deleteWorkingArea', { body: { location_id, id: 999999999 } })).status).toBe(404);
    expect((await enterprise('deleteWorkingArea', { body: { location_id, id } })).status).toBe(200);
    expect((await enterprise('deleteWorkingArea', { body: { location_id, id } })).status).toBe(404);
    expect((await admin.call('getArea', { params: { area_id: id } })).status).toBe(404);
  });
});
