import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

let world: World;
let url: string;
let areas: string;
let bearer: { Authorization: string };
const json = { 'Content-Type': 'application/vnd.api+json' };

beforeAll(async () => {
  world = await newWorld();
  ({ url } = await service());
  areas = `/api/v3/workspaces/${world.workspaceId}/areas`;
  bearer = { Authorization: `Bearer ${world.admin.token}` };
});

const post = (body: string, headers: object = json) =>
  supertest(url)
    .post(areas)
    .set({ ...bearer, ...headers })
    .send(body);

describe('meta', () => {
  it('names the request and the build, and so does the header', async () => {
    const response = await supertest(url).get(areas).set(bearer);
    expect(response.body.meta).toMatchObject({ request_id: response.headers['x-request-id'], git_commit: 'test' });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it("keeps the caller's request id if it is a UUID, also in errors", async () => {
    const id = randomUUID();
    for (const address of [areas, '/api/v3/nowhere']) {
      const response = await supertest(url)
        .get(address)
        .set({ ...bearer, 'X-Request-Id': id.toUpperCase() });
      expect([response.body.meta.request_id, response.headers['x-request-id']]).toEqual([id, id]);
    }
    const other = await supertest(url)
      .get(areas)
      .set({ ...bearer, 'X-Request-Id': 'mine' });
    expect(other.body.meta.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('addresses', () => {
  it('405 names the methods there are', async () => {
    const response = await supertest(url).put(areas).set(bearer);
    expect(response.status).toBe(405);
    expect(response.headers['allow']!.split(', ').sort()).toEqual(['GET', 'POST']);
    expect(response.body.errors).toEqual([
      {
        status: 'method_not_allowed',
        code: 'method_not_allowed',
        source: { pointer: 'base' },
        title: 'This address does not take this method.',
        links: { about: expect.stringMatching(/^http:.*#method_not_allowed$/) },
      },
    ]);
  });

  it('may end in a slash', async () => {
    expect((await supertest(url).get('/api/v3/status/')).status).toBe(204);
    expect((await supertest(url).get(`${areas}/`).set(bearer)).status).toBe(200);
  });

  it('answer HEAD as GET, without the body', async () => {
    const response = await supertest(url).head(areas).set(bearer);
    expect(response.status).toBe(200);
    expect(response.text).toBeUndefined();
    expect(response.headers).toMatchObject({
      'current-page': '1',
      'page-items': '20',
      'total-pages': '1',
      'total-count': '0',
    });
    expect((await supertest(url).head('/api/v3/sign_in')).status).toBe(405);
  });

  it('send the whole response although the client claims to have it', async () => {
    const response = await supertest(url)
      .get(areas)
      .set({ ...bearer, 'If-None-Match': '*' });
    expect([response.status, response.body.data]).toEqual([200, []]);
  });

  it('ignore fields in the response to a write', async () => {
    const response = await supertest(url)
      .post(`${areas}?fields=name`)
      .set({ ...bearer, ...json })
      .send(bodyOf('area', { name: 'Whole' }));
    expect(response.body.data.attributes).toHaveProperty('color');
    await supertest(url).delete(`${areas}/${response.body.data.id}`).set(bearer);
  });

  it.each([
    'abc',
    '22_22',
    '0',
    '-1',
    '1.5',
    '01',
    '%201',
    '99999999999999999999',
    '%00',
    'a%00',
    '%2F',
    '%E0%A4%A',
    '%',
  ])('404 for the id %s', async (id) => {
    const response = await supertest(url).get(`${areas}/${id}`).set(bearer);
    expect(response.status).toBe(404);
    expect(response.body.errors[0]).toMatchObject({ status: 'not_found', source: { pointer: 'base' } });
  });

  it.each(['abc', '0', '%00', '99999999999999999999', '%E0%A4%A'])('404 for the workspace %s', async (id) => {
    expect((await supertest(url).get(`/api/v3/workspaces/${id}/areas`).set(bearer)).status).toBe(404);
  });
});

describe('bodies', () => {
  it('may be of either JSON type, whatever their parameters', async () => {
    for (const type of [
      'application/json',
      'application/vnd.api+json',
      'application/json; charset=utf-8',
      'Application/JSON;x=1',
    ]) {
      const response = await post(JSON.stringify(bodyOf('area', { name: `Area ${type}` })), { 'Content-Type': type });
      expect(response.status).toBe(201);
    }
  });

  it.each([
    '',
    'null',
    '5',
    '"x"',
    '[]',
    '{}',
    '{"data":null}',
    '{"data":[]}',
    '{"data":{"type":"area"}}',
    '{"data":{"type":"area","attributes":null}}',
  ])('400 where they are %j', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toContain('base');
  });

  it('400 where there is none, or is not JSON', async () => {
    expect(titlesIn(await supertest(url).post(areas).set(bearer))).toEqual(['data is required.']);
    for (const body of ['{"data"', '{"data":}', "{'data':1}", 'name=x'])
      expect(await post(body)).toMatchObject({
        status: 400,
        body: { errors: [{ source: { pointer: 'base' }, title: 'The body is not valid JSON.' }] },
      });
  });

  it('400 where they are nested too deeply', async () => {
    for (const body of ['['.repeat(50_000) + ']'.repeat(50_000), `${'{"data":'.repeat(50_000)}1${'}'.repeat(50_000)}`])
      expect(titlesIn(await post(body))).toEqual(['The body is nested more than 32 levels deep.']);
  });

  it('400 where a text contains NUL', async () => {
    const response = await post(JSON.stringify(bodyOf('area', { name: 'a\0b', external_id: '\0' })));
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['name', 'external_id']);
  });

  it('413 beyond 1 MiB, 201 up to it', async () => {
    const filled = (bytes: number) => {
      const body = JSON.stringify(bodyOf('area', { name: `Large ${bytes}`, unknown: '' }));
      return body.replace('"unknown":""', `"unknown":"${'x'.repeat(bytes - body.length)}"`);
    };
    expect((await post(filled(1024 * 1024))).status).toBe(201);
    const response = await post(filled(1024 * 1024 + 1));
    expect(response).toMatchObject({ status: 413, body: { errors: [{ status: 'content_too_large' }] } });
  });

  it('415 for another type, for none, and for an unknown encoding', async () => {
    const body = JSON.stringify(bodyOf('area', { name: 'Bar' }));
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': '' },
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { ...json, 'Content-Encoding': 'rot13' },
    ])
      expect(await post(body, headers)).toMatchObject({
        status: 415,
        body: { errors: [{ status: 'unsupported_media_type' }] },
      });
  });

  it('are not read where the operation takes none, whatever their type', async () => {
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', ''],
      ['application/x-www-form-urlencoded', 'a=b'],
      ['application/json', '{"data"'],
      ['text/plain', 'x'],
    ]) {
      const area = await world.admin.call('createArea', { body: bodyOf('area', { name: randomUUID() }) });
      const request = supertest(url)
        .delete(`${areas}/${area.body.data.id}`)
        .set({ ...bearer, 'Content-Type': type! });
      expect((await request.send(body)).status).toBe(200);
    }
  });

  it('may contain unknown attributes, which are ignored', async () => {
    const attributes = {
      username: 'Odd',
      tag_ids: 5,
      role_ids: [4],
      checkin_complete: 'maybe',
      password_hash: 'x',
      is_account_admin: true,
      status: 'inactive',
    };
    const { status, body } = await world.admin.call('createUser', { body: { ...bodyOf('user', attributes), meta: 1 } });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ assumed_role: 'employee', checkin_complete: null, status: 'active' });
  });

  it('describe many wrong items in a response that is shorter than the request', async () => {
    const { status, body } = await world.admin.call('createUser', {
      body: bodyOf('user', { username: 'Many', area_ids: Array.from({ length: 20_000 }, () => ({})) }),
    });
    expect(status).toBe(400);
    expect(body.errors.length).toBeLessThanOrEqual(100);
  });
});

describe('the order of checks', () => {
  const statusOf = async (
    method: 'get' | 'post' | 'patch' | 'put',
    address: string,
    headers: Record<string, string>,
    body?: string,
  ) => (await supertest(url)[method](address).set(headers).send(body)).status;

  it('is address, method, size and type, form, credential, place, role, contract, record, data', async () => {
    const [large, broken, bad] = ['x'.repeat(1024 * 1024 + 1), '{', '{}'];
    const elsewhere = '/api/v3/workspaces/0/areas';
    const employee = { Authorization: `Bearer ${world.employee.token}` };
    const taken = await world.admin.call('createArea', { body: bodyOf('area', { name: 'Taken' }) });
    const unknownUser = JSON.stringify(bodyOf('area', { name: 'Taken', user_ids: [0] }));
    expect(await statusOf('post', '/api/v3/nowhere', json, large)).toBe(404);
    expect(await statusOf('put', areas, json, large)).toBe(405);
    expect(await statusOf('post', areas, { 'Content-Type': 'text/plain' }, broken)).toBe(415);
    expect(await statusOf('post', areas, json, large)).toBe(413);
    expect(await statusOf('post', areas, json, broken)).toBe(400);
    expect(await statusOf('post', elsewhere, json, bad)).toBe(401);
    expect(await statusOf('post', elsewhere, { ...json, ...employee }, bad)).toBe(404);
    expect(await statusOf('post', areas, { ...json, ...employee }, bad)).toBe(403);
    expect(await statusOf('patch', `${areas}/0`, { ...json, ...bearer }, bad)).toBe(400);
    expect(await statusOf('patch', `${areas}/0`, { ...json, ...bearer }, unknownUser)).toBe(404);
    expect(await statusOf('patch', `${areas}/${taken.body.data.id}`, { ...json, ...bearer }, unknownUser)).toBe(400);
  });
});

describe('credentials', () => {
  it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'pat_x', 'Bearer \u00e9'])(
    '401 for the header %j',
    async (Authorization) => {
      const response = await supertest(url).get(areas).set({ Authorization });
      expect(response.status).toBe(401);
      expect(response.body.errors).toEqual([
        {
          status: 'unauthorized',
          code: 'unauthenticated',
          source: { pointer: 'base' },
          title: 'This operation needs a valid credential.',
          links: { about: expect.stringMatching(/#unauthenticated$/) },
        },
      ]);
    },
  );

  it('the word Bearer may be written in any case', async () => {
    for (const word of ['bearer', 'BEARER'])
      expect(
        (
          await supertest(url)
            .get(areas)
            .set({ Authorization: `${word} ${world.admin.token}` })
        ).status,
      ).toBe(200);
  });
});
