import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../support/client.ts';
import { newEnterprise, type Enterprise } from '../../support/enterprise.ts';

const create = (
  { enterprise, workspaceId }: Enterprise,
  filter: object,
  location: object = { location_id: workspaceId },
) => enterprise('createFilter', { body: { ...location, filter } });
const update = ({ enterprise }: Enterprise, filter: object, location: object = {}) =>
  enterprise('updateFilter', { body: { ...location, filter } });

describe('createFilter', () => {
  it('200 with a tag that the resource API shows', async () => {
    const company = await newEnterprise();
    const { status, body } = await create(company, { title: 'Night', external_id: 'night' });
    expect(status).toBe(200);
    const { id } = body;
    expect(body).toEqual({ id, title: 'Night', active: true, external_id: 'night', location_id: company.workspaceId });
    const tag = await company.admin.call('getTag', { params: { tag_id: id } });
    expect(tag.body.data.attributes).toMatchObject({ title: 'Night', active: true, external_id: 'night' });
  });

  it('200 with the members at the top level, and switched off', async () => {
    const { enterprise, workspaceId } = await newEnterprise();
    const body = { location_id: String(workspaceId), title: 'Late', active: 'false' };
    expect((await enterprise('createFilter', { body })).body).toMatchObject({ title: 'Late', active: false });
  });

  it('400 names every problem: location, title, external id', async () => {
    const company = await newEnterprise();
    await create(company, { title: 'Night', external_id: 'night' });
    expect(pointersIn(await create(company, { title: 'Night', external_id: 'night' }))).toEqual([
      'title',
      'external_id',
    ]);
    expect(titlesIn(await create(company, { title: 'Day' }, { location_external_id: 'nowhere' }))).toEqual([
      'location_external_id "nowhere" is no location of this enterprise.',
    ]);
    expect(pointersIn(await create(company, { title: '' }, {})).sort()).toEqual(['location_id', 'title']);
    const other = await newEnterprise();
    expect((await create(company, { title: 'Day' }, { location_id: other.workspaceId })).status).toBe(400);
  });
});

describe('findFilters', () => {
  it('200 with all, with those of a location, or with one', async () => {
    const company = await newEnterprise();
    const { enterprise, workspaceId } = company;
    const hotel = await company.newLocation('Hotel');
    const here = (await create(company, { title: 'Night', external_id: 'night' })).body;
    const there = (await create(company, { title: 'Night', active: false }, { location_id: hotel.id })).body;
    const found = async (query: object) => (await enterprise('findFilters', { query: { ...query } })).body;
    expect((await found({})).filters).toEqual([here, there]);
    expect((await found({ location_id: workspaceId })).filters).toEqual([here]);
    expect((await found({ location_external_id: 'nowhere' })).filters).toEqual([]);
    expect(await found({ id: there.id })).toEqual(there);
    expect(await found({ external_id: 'night' })).toEqual(here);
  });

  it('400 for an invalid id, 404 for an unknown filter and one of another enterprise', async () => {
    const company = await newEnterprise();
    const { enterprise } = await newEnterprise();
    const { id } = (await create(company, { title: 'Night' })).body;
    expect((await enterprise('findFilters', { query: { id: 'abc' } })).status).toBe(400);
    expect((await enterprise('findFilters', { query: { id } })).status).toBe(404);
    expect((await enterprise('findFilters', { query: { external_id: 'night' } })).status).toBe(404);
    expect((await enterprise('findFilters')).body.filters).toEqual([]);
  });
});

describe('updateFilter', () => {
  it('200 changes the title, and switches it off and on', async () => {
    const company = await newEnterprise();
    const { id } = (await create(company, { title: 'Night', external_id: 'night' })).body;
    expect((await update(company, { external_id: 'night', title: 'Nights' })).body.title).toBe('Nights');
    const location = { location_id: company.workspaceId };
    expect((await update(company, { id, active: false }, location)).body).toMatchObject({
      title: 'Nights',
      active: false,
    });
    expect((await update(company, { id, active: 'true', title: null })).body).toMatchObject({
      title: 'Nights',
      active: true,
    });
  });

  it('200 gives an external id to one that has none; 400 changes none', async () => {
    const company = await newEnterprise();
    const { id } = (await create(company, { title: 'Night' })).body;
    expect((await update(company, { id, external_id: 'night' })).body.external_id).toBe('night');
    const changed = await update(company, { id, external_id: 'other' });
    expect([changed.status, titlesIn(changed)]).toEqual([
      400,
      ['external_id "other" is not that of the filter, which has "night". It cannot be changed.'],
    ]);
    const { id: second } = (await create(company, { title: 'Day' })).body;
    expect(pointersIn(await update(company, { id: second, external_id: 'night' }))).toEqual(['external_id']);
    expect(pointersIn(await update(company, { id: second, title: 'Night' }))).toEqual(['title']);
    expect(pointersIn(await update(company, { title: 'Nobody' }))).toEqual(['id']);
  });

  it('404 in another location or enterprise', async () => {
    const company = await newEnterprise();
    const hotel = await company.newLocation('Hotel');
    const { id } = (await create(company, { title: 'Night' })).body;
    expect((await update(company, { id, title: 'Mine' }, { location_id: hotel.id })).status).toBe(404);
    expect((await update(company, { id, title: 'Mine' }, { location_external_id: 'nowhere' })).status).toBe(404);
    expect((await update(await newEnterprise(), { id, title: 'Mine' })).status).toBe(404);
    expect((await company.enterprise('findFilters', { query: { id } })).body.title).toBe('Night');
  });
});

describe('getPublicAccount', () => {
  it('200 with the account of the token, 401 without one', async () => {
    const { enterprise, accountId, admin } = await newEnterprise();
    const account = (await admin.call('getAccount')).body.data.attributes;
    expect((await enterprise('getPublicAccount')).body).toEqual({ id: accountId, name: account.account_name });
    expect((await enterprise('getPublicAccount', { query: { api_token: 'nobody' } })).status).toBe(401);
  });
});
