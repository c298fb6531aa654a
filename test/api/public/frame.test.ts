import supertest, { type Response } from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../support/client.ts';
import { operations } from '../../support/contract/operations.ts';
import { service, serviceWith } from '../../support/service.ts';
import { bodyOf, newWorld } from '../../support/world.ts';

/** A request without the defaults of the test client. */
async function bare(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options',
  address: string,
  body?: object | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = supertest((await service()).url)
    [method](`/public_api/v1${address}`)
    .set(headers);
  return body === undefined ? request : request.send(body);
}

const writing = operations.filter(({ api, method }) => api === 'public' && method !== 'get');

describe('a token that may only read', () => {
  let headers: Record<string, string>;
  beforeAll(async () => {
    const { admin } = await newWorld();
    const { body } = await admin.call('createApiToken', {
      body: bodyOf('api_token', { name: 'Reports', read_only: true }),
    });
    headers = { Authorization: `Bearer ${body.data.attributes.token}` };
  });

  it.each(writing.map((operation) => [operation.id, operation] as const))('403 for %s', async (id, operation) => {
    const isForm = 'multipart/form-data' in (operation.requestBody?.content ?? {});
    const response = await call('public', id, { headers, ...(isForm ? { form: { file: '' } } : { body: {} }) });
    expect([response.status, response.body.errors[0].code]).toEqual([403, 'read_only_token']);
  });
});

describe('the token', () => {
  it('is taken from the body of every method', async () => {
    const world = await newWorld();
    const token = { api_token: world.apiToken };
    const area = { location_id: world.workspaceId, working_area: { name: 'Bar', external_id: 'bar' } };
    expect((await bare('get', '/users', token)).status).toBe(200);
    expect((await bare('post', '/working_areas', { ...token, ...area })).status).toBe(200);
    expect((await bare('put', '/working_areas', { ...token, ...area })).status).toBe(200);
    expect((await bare('patch', '/users/activate', { ...token, user: { id: world.employee.id } })).status).toBe(200);
    expect((await bare('delete', '/working_areas', { ...token, ...area })).status).toBe(200);
  });

  it('is taken from the query of every method', async () => {
    const world = await newWorld();
    const query = `api_token=${world.apiToken}`;
    const area = { location_id: world.workspaceId, working_area: { name: 'Bar', external_id: 'bar' } };
    expect((await bare('get', `/ping?${query}`)).status).toBe(200);
    expect((await bare('post', `/working_areas?${query}`, area)).status).toBe(200);
    expect((await bare('put', `/working_areas?${query}`, area)).status).toBe(200);
    expect((await bare('patch', `/users/deactivate?${query}`, { user: { id: world.employee.id } })).status).toBe(200);
    expect(
      (await bare('delete', `/working_areas?${query}&external_id=bar&location_id=${world.workspaceId}`)).status,
    ).toBe(200);
  });

  it('is taken from the header of every method', async () => {
    const world = await newWorld();
    const header = { Authorization: `Bearer ${world.apiToken}` };
    const area = { location_id: world.workspaceId, working_area: { name: 'Bar', external_id: 'bar' } };
    expect((await bare('get', '/ping', undefined, header)).status).toBe(200);
    expect((await bare('post', '/working_areas', area, header)).status).toBe(200);
    expect((await bare('put', '/working_areas', area, header)).status).toBe(200);
    expect((await bare('patch', '/users/activate', { user: { id: world.employee.id } }, header)).status).toBe(200);
    expect((await bare('delete', '/working_areas', area, header)).status).toBe(200);
    const upload = supertest((await service()).url)
      .post('/public_api/v1/uploads')
      .set(header)
      .field('user_id', String(world.employee.id))
      .field('title', 'Contract')
      .attach('doc', Buffer.from('text'), 'contract.txt');
    expect((await upload).status).toBe(200);
  });

  it('in the body or the query wins over the header, which may be for a proxy', async () => {
    const { apiToken } = await newWorld();
    const other = { Authorization: 'Bearer of-the-proxy' };
    expect((await bare('get', `/ping?api_token=${apiToken}`, undefined, other)).status).toBe(200);
    expect((await bare('get', '/users', { api_token: apiToken }, other)).status).toBe(200);
    const own = { Authorization: `Bearer ${apiToken}` };
    expect((await bare('get', '/ping?api_token=nobody', undefined, own)).status).toBe(401);
  });

  it('401 for a header with another credential', async () => {
    const { apiToken, admin } = await newWorld();
    for (const value of [`Basic ${apiToken}`, apiToken, 'Bearer', `Bearer ${admin.token}`, `Bearer ${apiToken} x`])
      expect([value, (await bare('get', '/ping', undefined, { Authorization: value })).status]).toEqual([value, 401]);
  });

  it('in the header 403 when it may only read, and one request counts once', async () => {
    const { admin } = await newWorld();
    const { body } = await admin.call('createApiToken', {
      body: bodyOf('api_token', { name: 'Reports', read_only: true }),
    });
    const token = body.data.attributes.token as string;
    const url = await serviceWith({ RATE_LIMIT_PER_MINUTE: '5' });
    const ask = (method: 'get' | 'post', address: string) =>
      supertest(url)[method](`/public_api/v1${address}`).set('Authorization', `Bearer ${token}`);
    expect((await ask('get', '/ping')).headers['ratelimit-remaining']).toBe('4');
    expect((await ask('get', `/ping?api_token=${token}`)).headers['ratelimit-remaining']).toBe('3');
    const refused = await ask('post', '/working_areas');
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 'read_only_token']);
  });

  it('401 when it is missing, unknown, revoked or of another kind, whatever else is wrong', async () => {
    const world = await newWorld();
    for (const token of [undefined, '', 'nobody', 5, null, world.admin.token]) {
      const response = await bare('post', '/users', { api_token: token, user: 5 });
      expect(response.status).toBe(401);
      expect(response.body.errors[0]).toEqual({
        status: 'unauthorized',
        code: 'unauthenticated',
        source: { pointer: 'base' },
        title: 'api_token is missing, unknown or revoked.',
        links: { about: expect.stringMatching(/#unauthenticated$/) },
      });
    }
    await world.db
      .updateTable('api_tokens')
      .set({ revoked_at: new Date() })
      .where('account_id', '=', world.accountId)
      .execute();
    expect((await world.enterprise('ping')).status).toBe(401);
  });

  it('is never stored by a cache', async () => {
    const { enterprise } = await newWorld();
    expect((await enterprise('ping')).headers['cache-control']).toBe('no-store');
  });
});

describe('other origins', () => {
  it('can send a preflight request', async () => {
    const response = await bare('options', '/users', undefined, {
      Origin: 'https://payroll.example',
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'content-type,x-requested-with',
    });
    expect(response.status).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-methods']).toContain('PATCH');
    expect(response.headers['access-control-allow-headers']).toBe('content-type,x-requested-with');
  });

  it('can read responses and errors', async () => {
    const { apiToken } = await newWorld();
    for (const address of [`/ping?api_token=${apiToken}`, '/ping', '/nowhere']) {
      const response = await bare('get', address, undefined, { Origin: 'https://payroll.example' });
      expect(response.headers['access-control-allow-origin']).toBe('*');
    }
  });
});
