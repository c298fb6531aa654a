import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../support/client.ts';
import { operations, type ApiOperation } from '../../support/contract/operations.ts';
import { send } from '../../support/contract/raw_http.ts';
import { checkResponse } from '../../support/contract/response_check.ts';
import { newTenant, type Tenant } from '../../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../../support/contract/valid_requests.ts';
import { insertTimeTracking } from '../../support/records.ts';
import { service } from '../../support/service.ts';
import { newWorld, type Person, type World } from '../../support/world.ts';

/* Lists that are read by the links to their next pages. */

interface Page {
  readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly current_page: number; readonly total_count: number; readonly ignored?: string[] };
}

const idsIn = ({ data }: Page): string[] => data.map(({ id }) => id);

/** The query of the next page, as a client sends it. */
const nextQuery = ({ links }: Page): string | null => links.next && new URL(links.next).search.slice(1);

const pageOf = async (person: Person, operationId: string, query: string): Promise<Page> => {
  const { status, body } = await person.call(operationId, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Page;
};

/** The ids of a list, page by page. `between` runs before each further page. */
async function walk(person: Person, operationId: string, query: string, between = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null = query; next !== null;) {
    const page = await pageOf(person, operationId, next);
    ids.push(...idsIn(page));
    next = nextQuery(page);
    await between();
  }
  return ids;
}

const lists = operations.filter(({ allParameters }) => allParameters.some(({ name }) => name === 'after'));

describe('every list of the resource API', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant('Cursors');
  });

  const read = async (operation: ApiOperation, query: Record<string, string>): Promise<Page> => {
    const [draft] = validRequests(operation, tenant);
    const request = rawRequestOf(operation, { ...draft!, query: { ...draft!.query, ...query } }, tenant, tenant.admin);
    const response = await send((await service()).url, request);
    expect(response.status, response.text).toBe(200);
    checkResponse(operation.api, operation.id, response, false);
    return response.body as Page;
  };

  it('takes a cursor', () => {
    const paged = operations.filter(
      ({ api, allParameters }) => api === 'v3' && allParameters.some(({ name }) => name === 'page'),
    );
    expect(lists.map(({ id }) => id)).toEqual(paged.map(({ id }) => id));
  });

  it.each(lists.map((operation) => [operation.id, operation] as const))(
    '%s 200 with the same records by cursor as on one page',
    async (_id, operation) => {
      const whole = await read(operation, { items: '100' });
      const few = { items: String(Math.max(1, Math.ceil(whole.data.length / 5))) };
      let page = await read(operation, few);
      const ids = idsIn(page);
      while (page.links.next !== null) {
        const after = new URL(page.links.next).searchParams.get('after')!;
        page = await read(operation, { ...few, after });
        expect(page.meta).toMatchObject({ current_page: 1, total_count: whole.meta.total_count });
        ids.push(...idsIn(page));
        if (ids.length >= whole.data.length) break;
      }
      expect(ids.slice(0, whole.data.length)).toEqual(idsIn(whole));
    },
  );
});

describe('a walk by cursor', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 2, 2, hour));
  const track = (world: World, hour: number) =>
    insertTimeTracking(world, world.admin.id, { starts_at: at(hour), ends_at: at(hour + 1) });

  it('200 neither misses nor repeats a record that exists throughout, while others come and go', async () => {
    const world = await newWorld();
    const { admin, db, accountId } = world;
    // Several begin at the same time, so that a page can end between them.
    const hours = [1, 1, 1, 1, 2, 2, 3, 3, 3, 4];
    const kept: number[] = [];
    for (const hour of hours) kept.push(await track(world, hour));
    const removable: number[] = [];
    for (const hour of hours) removable.push(await track(world, hour));
    const ids = await walk(admin, 'listTimeTrackings', 'items=3', async () => {
      // One comes before every page, one into the middle, and a first and a last one go.
      await track(world, 0);
      await track(world, 3);
      for (const gone of [removable.shift(), removable.pop()])
        if (gone !== undefined)
          await db.deleteFrom('time_trackings').where('account_id', '=', accountId).where('id', '=', gone).execute();
    });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => kept.includes(Number(id)))).toEqual(kept.map(String));
  });

  it('200 goes on after a record that was deleted meanwhile', async () => {
    const world = await newWorld();
    const [first, second, third] = [await track(world, 1), await track(world, 2), await track(world, 3)];
    const page = await pageOf(world.admin, 'listTimeTrackings', 'items=2');
    expect(idsIn(page)).toEqual([String(first), String(second)]);
    await world.db
      .deleteFrom('time_trackings')
      .where('account_id', '=', world.accountId)
      .where('id', 'in', [first, second])
      .execute();
    expect(idsIn(await pageOf(world.admin, 'listTimeTrackings', nextQuery(page)!))).toEqual([String(third)]);
  });

  it('200 with names in any script, by code point', async () => {
    const { admin, addMember } = await newWorld();
    for (const name of ['Zoë "Z" Ü', 'Ünal, A', 'Émile', '李 雷', 'a%_\\b', 'Zoë "Z" Ü'])
      await addMember('employee', name);
    const whole = idsIn(await pageOf(admin, 'listUsers', 'items=100'));
    expect(await walk(admin, 'listUsers', 'items=1')).toEqual(whole);
  });

  it('200 keeps the filters and the other parameters of the request', async () => {
    const { admin, addMember } = await newWorld();
    for (const name of ['Robin 1', 'Robin 2', 'Erin', 'Robin 3']) await addMember('employee', name);
    const query = 'items=1&filter[username]=pre:Robin&fields=username&nonsense=1';
    const page = await pageOf(admin, 'listUsers', query);
    expect(page.meta.total_count).toBe(3);
    expect(page.meta.ignored).toEqual(['nonsense=1']);
    const second = await pageOf(admin, 'listUsers', nextQuery(page)!);
    expect(second.data.map(({ attributes }) => attributes)).toEqual([{ username: 'Robin 2' }]);
  });
});

describe('links.next', () => {
  it('200 with the next page in another order, and goes on after a numbered page in the default one', async () => {
    const { admin, addMember } = await newWorld();
    for (const name of ['Ann', 'Bob', 'Cy']) await addMember('employee', name);
    const inOrder = idsIn(await pageOf(admin, 'listUsers', 'sort=-username'));
    expect(nextQuery(await pageOf(admin, 'listUsers', 'sort=-username&items=2'))).toBe('sort=-username&items=2&page=2');
    expect(await walk(admin, 'listUsers', 'sort=-username&items=2')).toEqual(inOrder);
    // The default order may be named. A page and an outset are left behind.
    for (const query of ['sort=username&items=1&page=2', 'items=1&outset=1', 'sort=nonsense&items=1&page=2']) {
      const page = await pageOf(admin, 'listUsers', query);
      expect(nextQuery(page)).toMatch(/^(sort=\w+&)?items=1&after=[\w-]+$/);
      expect(idsIn(await pageOf(admin, 'listUsers', nextQuery(page)!))).toEqual([inOrder.at(-3)]);
    }
  });

  it('200 with null on the last page, also where it is full', async () => {
    const { admin } = await newWorld();
    const { meta } = await pageOf(admin, 'listUsers', '');
    expect((await pageOf(admin, 'listUsers', `items=${meta.total_count}`)).links).toEqual({ next: null });
    expect((await pageOf(admin, 'listUsers', 'page=99')).links).toEqual({ next: null });
    expect((await pageOf(admin, 'listUsers', 'filter[username]=eq:nobody')).links).toEqual({ next: null });
  });
});

describe('after', () => {
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('400 beside page, outset or another order', async () => {
    const { admin } = await newWorld();
    const after = new URL((await pageOf(admin, 'listUsers', 'items=1')).links.next!).searchParams.get('after')!;
    const refused = async (query: string) => {
      const response = await admin.call('listUsers', { query: `after=${after}&${query}` });
      expect([response.status, pointersIn(response)[0]]).toEqual([400, 'after']);
      return titlesIn(response);
    };
    const title = (name: string) =>
      `after cannot be combined with ${name}. A cursor goes on where a page ended, in the default order of the list.`;
    expect(await refused('page=1')).toEqual([title('page')]);
    expect(await refused('outset=1')).toEqual([title('outset')]);
    expect(await refused('sort=-username')).toEqual([title('sort')]);
    expect(await refused('page=2&sort=id')).toEqual([title('page'), title('sort')]);
    expect((await admin.call('listUsers', { query: `after=${after}&sort=username` })).status).toBe(200);
  });

  it('400 for a cursor that is broken or belongs to another list', async () => {
    const { admin } = await newWorld();
    const broken = [
      'WzE',
      encoded(null),
      encoded([]),
      encoded(['users.id', 'Ann']),
      encoded(['users.id', 'Ann', 'x']),
      encoded(['users.id', 'Ann', '1', '2']),
      encoded(['users.id', 'A\0', '1']),
      encoded(['users.id', 'Ann', 1]),
      encoded(['users.id', 'Ann', '9'.repeat(30)]),
      encoded(['areas.id', '1']),
    ];
    for (const after of broken) {
      const response = await admin.call('listUsers', { query: { after } });
      expect([response.status, pointersIn(response)], after).toEqual([400, ['after']]);
      expect(titlesIn(response)).toEqual([`after must be a cursor from links.next of this list, but was "${after}".`]);
    }
    for (const after of ['', 'a b', '!'])
      expect(pointersIn(await admin.call('listUsers', { query: { after } }))).toEqual(['after']);
    for (const time of ['2026-13-01T00:00:00Z', 'now', 'infinity', '99999-01-01T00:00:00Z'])
      expect(
        (await admin.call('listTimeTrackings', { query: { after: encoded(['time_trackings.id', time, '1']) } })).status,
      ).toBe(400);
  });
});
