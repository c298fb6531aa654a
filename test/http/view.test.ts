import qs from 'qs';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/http/requests/view.ts';

/** As the app reads queries. */
const view = (query: string) =>
  viewOf(qs.parse(query, { depth: 2, arrayLimit: 100, parameterLimit: 200 }) as Parameters<typeof viewOf>[0]);

describe('viewOf', () => {
  it('without a query is the first page of everything', () => {
    expect(view('')).toEqual({
      page: 1,
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
    expect(view('page=3&items=50&outset=7')).toMatchObject({ page: 3, items: 50, outset: 7 });
  });

  it('reads sort with signs, blanks and a plus that was not encoded', () => {
    expect(view('sort=-created_at, name').sort).toEqual(['-created_at', 'name']);
    expect(view('sort=+name').sort).toEqual(['name']);
    expect(view('sort=%2Bname').sort).toEqual(['+name']);
    expect(view('sort=,,').sort).toEqual([]);
    expect(view('sort[]=name').sort).toEqual([]);
  });

  it('reads filters, and takes anything else for none', () => {
    expect(view('filter[name]=eq:a&filter[id][]=1&filter[id][]=2').filter).toEqual({ name: 'eq:a', id: ['1', '2'] });
    expect(view('filter=x').filter).toEqual({});
    expect(view('filter[]=x').filter).toEqual({});
  });

  it('reads include; empty asks for nothing', () => {
    expect(view('include=users, workspace').include).toEqual(['users', 'workspace']);
    expect(view('include=').include).toBeNull();
    expect(view('include= , ').include).toBeNull();
  });

  it('reads permissions; empty and true ask for all', () => {
    expect(view('permissions=read, update').permissions).toEqual(['read', 'update']);
    expect([
      view('permissions').permissions,
      view('permissions=').permissions,
      view('permissions=true').permissions,
    ]).toEqual(['all', 'all', 'all']);
  });

  it('reads fields by type, or for the primary type', () => {
    expect(view('fields[user]=username,email&fields[area]=name').fields).toEqual({
      user: ['username', 'email'],
      area: ['name'],
    });
    expect(view('fields=username, email').fields).toEqual({ '': ['username', 'email'] });
    expect(view('fields[]=username&fields[]=email').fields).toEqual({ '': ['username', 'email'] });
    expect(view('fields[user][]=username&fields[user][]=email').fields).toEqual({ user: ['username', 'email'] });
    expect(view(Array.from({ length: 150 }, (_, index) => `fields[]=f${index}`).join('&')).fields['']).toHaveLength(
      150,
    );
  });
});
