import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import supertest, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../support/client.ts';
import { service, serviceWith } from '../support/service.ts';
import { bodyOf, newWorld, type World } from '../support/world.ts';

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

const person = (world: World, more: object = {}) => ({
  user: { location_ids: world.workspaceId, username: 'Erika', ...more },
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

describe('a body', () => {
  it('is JSON whatever its Content-Type says', async () => {
    const world = await newWorld();
    const labels = [
      'application/json',
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
      'text/html',
      'nonsense',
    ];
    for (const label of labels) {
      const response = await bare(
        'post',
        '/users',
        JSON.stringify({ api_token: world.apiToken, ...person(world, { username: 'Jürgen' }) }),
        {
          'Content-Type': label,
        },
      );
      expect([label, response.status, response.body.username]).toEqual([label, 200, 'Jürgen']);
    }
  });

  it('400 when it is not JSON', async () => {
    const world = await newWorld();
    const response = await bare('post', `/users?api_token=${world.apiToken}`, 'user[username]=Erika', {
      'Content-Type': 'text/plain',
    });
    expect(response.status).toBe(400);
    expect(response.body.errors[0].title).toBe('The body is not valid JSON.');
  });

  it('400 when it is missing, or no object', async () => {
    const world = await newWorld();
    for (const text of ['', '[]', '5', 'null', '"text"']) {
      const response = await bare('post', `/users?api_token=${world.apiToken}`, text, {
        'Content-Type': 'application/json',
      });
      expect([text, response.status]).toEqual([text, 400]);
    }
  });

  it('may contain numbers and booleans as text, numbers as names, and unknown members', async () => {
    const world = await newWorld();
    const more = {
      location_ids: [String(world.workspaceId)],
      salary: '18.5',
      home_office: 'true',
      external_id: 1002,
      staff_number: 7,
      color: 'red',
    };
    const { status, body } = await world.enterprise('createPublicUser', {
      body: { ...person(world, more), sender: 'payroll' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      location_ids: [world.workspaceId],
      salary: 18.5,
      home_office: true,
      external_id: '1002',
      staff_number: '7',
    });
    const found = await world.enterprise('updatePublicUser', {
      body: { user: { id: String(body.id), external_id: 1002, salary: '19' } },
    });
    expect(found.body).toMatchObject({ id: body.id, salary: 19 });
  });

  it('may contain blank values, which mean "not given"', async () => {
    const world = await newWorld();
    const blanks = {
      email: '',
      salary: '',
      home_office: null,
      locale: '',
      tags: '',
      working_area_ids: null,
      data_profiles: { birthday: '' },
      external_id: null,
    };
    const { status, body } = await world.enterprise('createPublicUser', { body: person(world, blanks) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: null,
      salary: 0,
      home_office: false,
      locale: null,
      tags: [],
      working_area_ids: [],
      external_id: null,
    });
  });

  it('400 with NUL in a text', async () => {
    const world = await newWorld();
    const response = await world.enterprise('createPublicUser', { body: person(world, { username: 'a\0b' }) });
    expect([response.status, pointersIn(response)]).toEqual([400, ['username']]);
  });
});

describe('the two names of a record', () => {
  const named = async () => {
    const world = await newWorld();
    const make = async (name: string) =>
      (await world.enterprise('createPublicUser', { body: person(world, { external_id: name }) })).body.id as number;
    return { ...world, one: await make('one'), other: await make('other') };
  };

  it('lead to the same record, alone and together', async () => {
    const { enterprise, one } = await named();
    for (const query of [`id=${one}`, 'external_id=one', `id=${one}&external_id=one`]) {
      const { status, body } = await enterprise('findPublicUsers', { query });
      expect([status, body.id]).toEqual([200, one]);
    }
  });

  it('400 when they differ', async () => {
    const { enterprise, one } = await named();
    for (const external_id of ['other', 'nobody']) {
      const response = await enterprise('findPublicUsers', { query: { id: one, external_id } });
      expect(response.status).toBe(400);
      expect(titlesIn(response)).toEqual([`id ${one} and external_id "${external_id}" do not name the same record.`]);
      expect((await enterprise('updatePublicUser', { body: { user: { id: one, external_id } } })).status).toBe(400);
      expect((await enterprise('deletePublicUser', { body: { user: { id: one, external_id } } })).status).toBe(400);
    }
  });

  it('400 when body and query differ', async () => {
    const { enterprise, one, other, apiToken } = await named();
    const response = await enterprise('deletePublicUser', { body: { user: { id: one } }, query: { id: other } });
    expect([response.status, pointersIn(response)]).toEqual([400, ['id']]);
    expect(
      (await enterprise('deletePublicUser', { body: { user: { id: one } }, query: { id: one, api_token: apiToken } }))
        .status,
    ).toBe(200);
  });

  it('400 when a name is blank and the other is not given', async () => {
    const { enterprise } = await named();
    for (const response of [
      await enterprise('updatePublicUser', { body: { user: { external_id: '', id: null, salary: 5 } } }),
      await enterprise('activatePublicUser', { body: { user: {} } }),
      await enterprise('deletePublicUser', { body: { user: { external_id: '' } } }),
      await enterprise('deletePublicUser'),
    ]) {
      expect([response.status, pointersIn(response)]).toEqual([400, ['id']]);
    }
  });

  it('404 for unknown ones, and 400 for an invalid id', async () => {
    const { enterprise } = await named();
    for (const query of ['id=0', 'id=999999999', 'id=9007199254740991', 'external_id=nobody', 'external_id=a%00b']) {
      expect([query, (await enterprise('findPublicUsers', { query })).status]).toEqual([query, 404]);
    }
    for (const id of ['abc', '-1', '1.5', '9007199254740993', '99999999999999999999']) {
      const response = await enterprise('findPublicUsers', { query: { id } });
      expect([id, response.status, pointersIn(response)]).toEqual([id, 400, ['id']]);
    }
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

describe('pages', () => {
  const addUsers = async (world: World, count: number): Promise<void> => {
    const row = {
      account_id: world.accountId,
      created_in_workspace: false,
      start_of_accounting: '2026-01-01',
      recognition_color_variant: 1,
      created_at: new Date(),
      updated_at: new Date(),
    };
    const rows = Array.from({ length: count }, (_, index) => ({ ...row, username: `Person ${index}` }));
    await world.db.insertInto('users').values(rows).execute();
  };

  it('next_page leads through 60 users, each once', async () => {
    const world = await newWorld();
    await addUsers(world, 60);
    const seen: number[] = [];
    const { url } = await service();
    let address: string | null =
      `${url}/public_api/v1/users?api_token=${world.apiToken}&tags=0&sender=payroll%20%2B%20co&x[]=1&x[]=2`;
    for (let page = 1; address !== null; page++) {
      const { status, body } = await supertest(address).get('');
      expect([status, body.page_number, body.total_pages]).toEqual([200, page, 3]);
      seen.push(...body.users.map((user: { id: number }) => user.id));
      address = body.next_page;
      if (address !== null) {
        const next = new URL(address);
        expect(address.startsWith(`${url}/public_api/v1/users?`)).toBe(true);
        expect(next.searchParams.getAll('x[]')).toEqual(['1', '2']);
        expect(Object.fromEntries(next.searchParams)).toMatchObject({
          tags: '0',
          sender: 'payroll + co',
          page: String(page + 1),
          api_token: world.apiToken,
        });
      }
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(seen).toHaveLength(62);
  });

  it('contain the token that was sent in the body', async () => {
    const world = await newWorld();
    await addUsers(world, 25);
    const { body } = await bare('get', '/users', { api_token: world.apiToken });
    expect((await supertest(body.next_page).get('')).status).toBe(200);
  });

  it('have no token in their address if it was in the header', async () => {
    const world = await newWorld();
    await addUsers(world, 25);
    const header = { Authorization: `Bearer ${world.apiToken}` };
    const { body } = await bare('get', '/users', undefined, header);
    expect(body.next_page).toMatch(/\/public_api\/v1\/users\?page=2$/);
    expect((await supertest(body.next_page).get('').set(header)).body.users).toHaveLength(2);
  });

  it('are all read by the loop of the guide', async () => {
    const world = await newWorld();
    await addUsers(world, 60);
    const guide = readFileSync(path.resolve(import.meta.dirname, '../../openapi/guides/pages.md'), 'utf8');
    const [, program] = /```ts\n(.*?)```/s.exec(guide)!;
    const { code } = await transform(`export default ${program}`, { loader: 'ts', format: 'esm' });
    const { default: everyUser } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      default(url: string, token: string): AsyncGenerator<{ id: number }>;
    };
    const seen = new Set<number>();
    for await (const { id } of everyUser((await service()).url, world.apiToken)) seen.add(id);
    expect(seen.size).toBe(62);
    await expect(everyUser((await service()).url, 'nobody').next()).rejects.toThrow('api_token is missing');
  });

  it('past the last one are empty, and before the first one 400', async () => {
    const { enterprise } = await newWorld();
    expect((await enterprise('findPublicUsers', { query: { page: 9 } })).body).toEqual({
      users: [],
      page_number: 9,
      total_pages: 1,
      next_page: null,
    });
    for (const page of ['0', '-1', 'x'])
      expect(pointersIn(await enterprise('findPublicUsers', { query: { page } }))).toEqual(['page']);
  });
});
