import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

/*
 * The rules of every collection, shown on areas: Bar, Café, Garden, kitchen, 100% and a_b.
 */

let world: World;
const names = ['Bar', 'Café', 'Garden', 'kitchen', '100%', 'a_b'];
beforeAll(async () => {
  world = await newWorld();
  for (const name of names) await world.admin.call('createArea', { body: bodyOf('area', { name }) });
});

/** The query exactly as it goes over the wire. */
const list = (query: string) => world.employee.call('listAreas', { query });
const found = async (query: string): Promise<string[]> => {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return body.data.map((area: { attributes: { name: string } }) => area.attributes.name);
};

describe('a page', () => {
  it('is described in meta and in headers', async () => {
    const { body, headers } = await list('items=4&page=2');
    expect(body.data).toHaveLength(2);
    expect(body.meta).toMatchObject({ link: 0, current_page: 2, page_items: 4, total_pages: 2, total_count: 6 });
    expect(headers).toMatchObject({ 'current-page': '2', 'page-items': '4', 'total-pages': '2', 'total-count': '6' });
  });

  it('past the last one is empty, and says which was asked for', async () => {
    const { status, body, headers } = await list('page=9&items=100');
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({ current_page: 9, total_pages: 1, total_count: 6 });
    expect(headers['current-page']).toBe('9');
  });

  it('is the first and only one if there are no rows', async () => {
    expect((await list('filter[name]=eq:nobody')).body.meta).toMatchObject({
      current_page: 1,
      total_pages: 1,
      total_count: 0,
    });
  });

  it('begins after the rows to skip', async () => {
    expect(await found('outset=4')).toEqual(['100%', 'a_b']);
    expect(await found('outset=1&items=2&page=2')).toEqual(['kitchen', '100%']);
    expect((await list('outset=1&items=2')).body.meta).toMatchObject({ total_count: 5, total_pages: 3 });
    expect((await list('outset=100')).body.meta).toMatchObject({ total_count: 0, total_pages: 1 });
  });

  it.each([
    'page=0',
    'page=-1',
    'page=abc',
    'page=1.5',
    'page=',
    'page=1&page=2',
    'page=100000001',
    'items=0',
    'items=101',
    'items=x',
    'outset=-1',
  ])('400 for %s', async (query) => {
    const response = await list(query);
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual([query.split('=')[0]]);
  });

  it('400 names all problems at once', async () => {
    expect(pointersIn(await list('page=0&items=0&outset=-1')).sort()).toEqual(['items', 'outset', 'page']);
  });
});

describe('filters over the wire', () => {
  it.each([
    ['filter[name]=eq:Bar', ['Bar']],
    ['filter[name]=eq:Caf%C3%A9', ['Café']],
    ['filter[name]=ct:FÉ', ['Café']],
    ['filter%5Bname%5D=eq%3ABar', ['Bar']],
    ['filter[name]=ct:100%25', ['100%']],
    ['filter[name]=ct:%25', ['100%']],
    ['filter[name]=ct:_', ['a_b']],
    ['filter[name]=pre:K', ['kitchen']],
    ['filter[name]=in:Bar,Garden', ['Bar', 'Garden']],
    ['filter[name][]=Bar&filter[name][]=Garden', ['Bar', 'Garden']],
    ['filter[name]=gte:Bar&filter[name]=lt:Garden', ['Bar', 'Café']],
    ['filter[color]=eq:%239E9E9E', names],
    ['filter[created_at]=gt:2020-01-01T00:00:00+01:00', names],
    ['filter[created_at]=gt:2020-01-01T00:00:00%2B01:00', names],
    ['filter[created_at]=lt:2020-01-01', []],
    ['filter[name]=eq:Bar&filter[status]=eq:inactive', []],
    ['filter[external_id]=present:false&filter[name]=suf:N', ['Garden', 'kitchen']],
    ['filter[name]=eq:%00', []],
    ['filter[id]=eq:99999999999999999999999999', []],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it.each([
    'filter[nothing]=eq:1', 'filter[name]=nothing:Bar', 'filter[name]=Bar', 'filter[id]=gt:abc', 'filter[created_at]=gt:yesterday', 'filter[created_at]=gt:0000-01-01', 'filter=x', 'filter[]=x',
    'filter[name][eq]=Bar&filter[x][y][z]=1', 'filter[__proto__]=eq:1', 'filter[name]=', 'filter', 'nothing=1', 'x[y]=1', 'x=%E0%A4%A', '%', '&&&', 'sort=nothing', 'sort=', 'include=', 'fields[x]=y',
  ])('%s is ignored', async (query) => {
    expect(await found(query)).toEqual(names);
  }); // prettier-ignore
});

describe('sort over the wire', () => {
  it.each([
    ['sort=name', ['100%', 'Bar', 'Café', 'Garden', 'a_b', 'kitchen']],
    ['sort=+name', ['100%', 'Bar', 'Café', 'Garden', 'a_b', 'kitchen']],
    ['sort=%2Bname', ['100%', 'Bar', 'Café', 'Garden', 'a_b', 'kitchen']],
    ['sort=-name', ['kitchen', 'a_b', 'Garden', 'Café', 'Bar', '100%']],
    ['sort=status,-id', [...names].reverse()],
    ['sort=color, +name&items=2', ['100%', 'Bar']],
    ['sort=nothing,-id', [...names].reverse()],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });
});

describe('include, fields and permissions on a list', () => {
  it('include each record once', async () => {
    const { body } = await list('include=workspace, users,workspace');
    expect(body.included.map(({ type }: { type: string }) => type)).toEqual(['workspace']);
    expect((await list('include=users')).body.included).toEqual([]);
    expect((await list('')).body).not.toHaveProperty('included');
  });

  it('show exactly the fields that were asked for, by type', async () => {
    const { body } = await list('fields[area]=name&fields[workspace]=locale,nothing&include=workspace&items=1');
    expect(body.data[0]).toMatchObject({ type: 'area', attributes: { name: 'Bar' }, relationships: {} });
    expect(Object.keys(body.data[0].attributes)).toEqual(['name']);
    expect(body.included[0]).toMatchObject({ attributes: { locale: 'de' }, relationships: {} });
    expect(Object.keys(body.included[0].attributes)).toEqual(['locale']);
  });

  it.each(['fields=name,color', 'fields[]=name&fields[]=color', 'fields=name, color'])(
    '%s is for the primary type alone',
    async (query) => {
      const { body } = await list(`${query}&include=workspace&items=1`);
      expect(Object.keys(body.data[0].attributes)).toEqual(['name', 'color']);
      expect(Object.keys(body.included[0].attributes).length).toBeGreaterThan(5);
    },
  );

  it('fill permissions of every record, included ones too', async () => {
    const { body } = await list('permissions=update, nothing&include=workspace&items=1');
    expect([body.data[0], body.included[0]].map(({ attributes }) => attributes.permissions)).toEqual([
      { update: false },
      { update: false },
    ]);
    expect((await list('permissions&items=1')).body.data[0].attributes.permissions).toEqual({
      read: true,
      update: false,
      destroy: false,
    });
    expect((await list('items=1')).body.data[0].attributes.permissions).toBeNull();
  });
});

describe('times', () => {
  it('that an answer shows find the record again', async () => {
    const { body } = await list('items=1');
    const { created_at } = body.data[0].attributes;
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await found(`filter[created_at]=eq:${created_at}`)).toContain('Bar');
    expect(await found(`filter[created_at]=lt:${created_at}`)).toEqual([]);
  });
});
