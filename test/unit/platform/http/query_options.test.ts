import qs from 'qs';
import { describe, expect, it } from 'vitest';
import { queryOptionsOf } from '../../../../src/platform/http/requests/query_options.ts';

/** As the app reads queries. */
const options = (query: string) =>
  queryOptionsOf(
    qs.parse(query, { depth: 2, arrayLimit: 100, parameterLimit: 200 }) as Parameters<typeof queryOptionsOf>[0],
  );

describe('queryOptionsOf', () => {
  it('without a query is the first page of everything', () => {
    expect(options('')).toEqual({
      page: 1,
      namesPage: false,
      after: undefined,
      items: 20,
      outset: 0,
      sort: [],
      filter: {},
      include: null,
      permissions: 'none',
      fields: {},
    });
  });

  it('reads the page', () => {
    expect(options('page=3&items=50&outset=7')).toMatchObject({ page: 3, items: 50, outset: 7 });
  });

  it('reads sort with signs, blanks and a plus that was not encoded', () => {
    expect(options('sort=-created_at, name').sort).toEqual(['-created_at', 'name']);
    expect(options('sort=+name').sort).toEqual(['name']);
    expect(options('sort=%2Bname').sort).toEqual(['+name']);
    expect(options('sort=,,').sort).toEqual([]);
    expect(options('sort[]=name').sort).toEqual([]);
  });

  it('reads filters, and takes anything else for none', () => {
    expect(options('filter[name]=eq:a&filter[id][]=1&filter[id][]=2').filter).toEqual({ name: 'eq:a', id: ['1', '2'] });
    expect(options('filter=x').filter).toEqual({});
    expect(options('filter[]=x').filter).toEqual({});
  });

  it('reads include; empty asks for nothing', () => {
    expect(options('include=users, workspace').include).toEqual(['users', 'workspace']);
    expect(options('include=').include).toBeNull();
    expect(options('include= , ').include).toBeNull();
  });

  it('reads permissions; empty and true ask for all', () => {
    expect(options('permissions=read, update').permissions).toEqual(['read', 'update']);
    expect([
      options('permissions').permissions,
      options('permissions=').permissions,
      options('permissions=true').permissions,
    ]).toEqual(['all', 'all', 'all']);
  });

  it('reads fields by type, or for the primary type', () => {
    expect(options('fields[user]=username,email&fields[area]=name').fields).toEqual({
      user: ['username', 'email'],
      area: ['name'],
    });
    expect(options('fields=username, email').fields).toEqual({ '': ['username', 'email'] });
    expect(options('fields[]=username&fields[]=email').fields).toEqual({ '': ['username', 'email'] });
    expect(options('fields[user][]=username&fields[user][]=email').fields).toEqual({ user: ['username', 'email'] });
    expect(options(Array.from({ length: 150 }, (_, index) => `fields[]=f${index}`).join('&')).fields['']).toHaveLength(
      150,
    );
  });
});
