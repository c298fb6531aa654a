import supertest, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { meantMoment, meantTime } from '../../../src/platform/core/lenient_times.ts';
import { newEnterprise } from '../../support/enterprise.ts';
import { service } from '../../support/service.ts';
import { bodyOf, newWorld } from '../../support/world.ts';

/** A request as other programs send it: unchecked, and with a body on any method. */
async function bare(method: 'get' | 'post' | 'put' | 'delete', address: string, body?: object): Promise<Response> {
  const request = supertest((await service()).url)[method](`/public_api/v1${address}`);
  return body === undefined ? request : request.send(body);
}

describe('the parameters of a GET', () => {
  it('are taken from a JSON body, and the query wins', async () => {
    const { apiToken, newUser } = await newEnterprise();
    const [one, other] = [await newUser({ username: 'One' }), await newUser({ username: 'Other' })];
    const inBody = { api_token: apiToken, id: one.id, page: null, filter: { title: 'unknown' } };
    expect((await bare('get', '/users', inBody)).body.username).toBe('One');
    expect((await bare('get', `/users?id=${other.id}`, inBody)).body.username).toBe('Other');
    const texts = { ...inBody, id: String(one.id) };
    expect((await bare('get', '/users', texts)).body.username).toBe('One');
    const wrong = await bare('get', '/users', { ...inBody, id: 'abc' });
    expect([wrong.status, wrong.body.errors[0].source.pointer]).toEqual([400, 'id']);
  });

  it('are all in next_page, with the token', async () => {
    const { apiToken, newUser } = await newEnterprise();
    for (let count = 0; count < 25; count++) await newUser({ username: `User ${count}` });
    const first = await bare('get', '/users', { api_token: apiToken, tags: [0] });
    const next = new URL(first.body.next_page);
    expect(Object.fromEntries(next.searchParams)).toEqual({ api_token: apiToken, tags: '0', page: '2' });
    const second = await bare('get', `${next.pathname.replace('/public_api/v1', '')}${next.search}`);
    expect(second.body.users).toHaveLength(first.body.total_pages === 2 ? 2 : 0);
  });

  it('count as not sent where they are empty', async () => {
    const { apiToken } = await newEnterprise();
    const all = await bare('get', `/users?api_token=${apiToken}`);
    const sent = await bare('get', `/users?api_token=${apiToken}&id=&external_id=&tags=&page=&interface_language=de`);
    expect([sent.status, sent.body.users]).toEqual([200, all.body.users]);
  });
});

describe('times', () => {
  it.each([
    ['2026-11-15T10:00:00 01:00', '2026-11-15T10:00:00+01:00'],
    ['2026-02-28T24:00:00+01:00', '2026-02-28T23:59:59.999+01:00', '2026-03-01T00:00:00+01:00'],
    ['2026-12-31T24:00Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
    ['2026-12-31T24:00:00.000 01:00', '2026-12-31T23:59:59.999+01:00', '2027-01-01T00:00:00+01:00'],
    ['15.11.2026', '2026-11-15'],
    // These have no meaning, and the contract refuses them.
    ['2026-11-15T24:30:00Z', '2026-11-15T24:30:00Z'],
    ['1.2.2026', '1.2.2026'],
  ])('%s means %s', (sent, meant, moment = meant) => {
    expect([meantTime(sent), meantMoment(sent)]).toEqual([meant, moment]);
  });

  it('with the hour 24 on a date that does not exist mean nothing', () => {
    expect(meantMoment('2026-02-30T24:00:00Z')).toBe('2026-02-30T24:00:00Z');
  });

  it('with the hour 24 end an absence with its day, and ranges take them too', async () => {
    const { apiToken, absenceType, employee } = await newEnterprise();
    const absence = {
      user_id: String(employee.id),
      absence_type_id: String(await absenceType('vacation')),
      starts_at: '2026-03-02T00:00:00+01:00',
      ends_at: '2026-03-03T24:00:00+01:00',
      full_day: 'true',
    };
    const created = await bare('post', '/absences', { api_token: apiToken, absence });
    expect([created.status, created.body.vacation_days]).toEqual([200, 2]);
    const range = 'range_start=02.03.2026&range_end=2026-03-02T24:00:00 01:00';
    const found = await bare('get', `/absences?api_token=${apiToken}&${range}`);
    expect(found.body.absences.map((one: { id: number }) => one.id)).toEqual([created.body.id]);
  });
});

describe('a body', () => {
  it('may hold what belongs into its named object at the top level', async () => {
    const { apiToken, workspaceId } = await newEnterprise();
    const created = await bare('post', '/working_areas', {
      api_token: apiToken,
      location_id: workspaceId,
      name: 'Terrace',
    });
    expect([created.status, created.body.name]).toEqual([200, 'Terrace']);
    const none = await bare('post', '/working_areas', { api_token: apiToken, location_id: workspaceId });
    expect([none.status, none.body.errors[0].source.pointer]).toEqual([400, 'working_area']);
  });

  it('may be full of nulls, which count as not sent, in an update too; an empty text clears', async () => {
    const { apiToken, newUser } = await newEnterprise();
    const { id } = await newUser({ abbrev: 'EE', staff_number: '5' });
    const user = { id, username: null, abbrev: null, staff_number: '', salary: null, location_ids: null, foo: null };
    const { status, body } = await bare('put', '/users', { api_token: apiToken, user, absence: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, username: 'Erika', abbrev: 'EE', staff_number: null });
  });
});

describe('an error', () => {
  it('has its first title as response, and can be read by pages of any origin', async () => {
    const { apiToken } = await newEnterprise();
    for (const address of ['/users?api_token=nobody', `/users?api_token=${apiToken}&id=abc`, `/nowhere`]) {
      const { status, body, headers } = await bare('get', address);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body.response).toBe(body.errors[0].title);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    const { admin } = await newWorld();
    expect((await admin.call('getArea', { params: { area_id: '0' } })).body).not.toHaveProperty('response');
  });
});

describe('a token that may only read', () => {
  it('reads everything, and is refused every write with 403', async () => {
    const { admin, employee, enterprise, apiToken } = await newWorld();
    const body = bodyOf('api_token', { name: 'Dashboard', read_only: true });
    const created = await admin.call('createApiToken', { body });
    const { token, read_only } = created.body.data.attributes;
    expect([created.status, read_only]).toEqual([201, true]);
    expect((await bare('get', `/users?api_token=${token}`)).status).toBe(200);
    const refused = await bare('put', '/users', { api_token: token, user: { id: employee.id, username: 'Changed' } });
    expect([refused.status, refused.body.response]).toEqual([403, 'This api_token may only read.']);
    const shown = await enterprise('findPublicUsers', { query: { id: employee.id } });
    expect(shown.body.username).not.toBe('Changed');
    const listed = await admin.call('listApiTokens', { query: 'filter[read_only]=eq:true' });
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([created.body.data.id]);
    expect((await bare('put', '/users', { api_token: apiToken, user: { id: employee.id } })).status).toBe(200);
  });
});
