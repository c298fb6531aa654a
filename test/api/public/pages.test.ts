import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import supertest, { type Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../support/client.ts';
import { service } from '../../support/service.ts';
import { newWorld, type World } from '../../support/world.ts';

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
    const guide = readFileSync(path.resolve(import.meta.dirname, '../../../openapi/guides/pages.md'), 'utf8');
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
