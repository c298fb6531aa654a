import type { Request } from 'express';
import type { Selection } from '../../db/list/list.ts';

/** The options of a query: which page of which rows, and which parts of each record. */
export interface QueryOptions extends Selection {
  /** Null where nothing is to be included: the response then has no `included`. */
  readonly include: readonly string[] | null;
  readonly permissions: 'none' | 'all' | readonly string[];
  /** Attribute names by record type. `''` is the type of the primary data. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export function queryOptionsOf(query: Request['query'], address: string = ''): QueryOptions {
  const text = (name: string): string | undefined => (typeof query[name] === 'string' ? query[name] : undefined);
  const number = (name: string, fallback: number): number => Number(query[name] ?? fallback);
  const filter = query['filter'];
  const after = text('after');
  return {
    page: number('page', 1),
    after,
    // The validator has added the default of `page` to the query.
    namesPage: after !== undefined && new URLSearchParams(address.split(/\?(.*)/s, 2)[1]).has('page'),
    items: number('items', 20),
    outset: number('outset', 0),
    // A leading blank is a "+" that the client did not encode. Trimming removes it.
    sort: namesIn(text('sort') ?? ''),
    filter: typeof filter === 'object' && !Array.isArray(filter) ? filter : {},
    include: includeIn(text('include')),
    permissions: permissionsIn(text('permissions')),
    fields: fieldsIn(query['fields']),
  };
}

/** The relations to include. An empty value means none. */
export function includeIn(text: string | undefined): readonly string[] | null {
  const names = namesIn(text ?? '');
  return names.length > 0 ? names : null;
}

function permissionsIn(text: string | undefined): QueryOptions['permissions'] {
  if (text === undefined) return 'none';
  const names = namesIn(text);
  return names.length === 0 || names[0] === 'true' ? 'all' : names;
}

function fieldsIn(value: unknown): QueryOptions['fields'] {
  if (value === undefined) return {};
  if (typeof value === 'string') return { '': namesIn(value) };
  if (Array.isArray(value)) return { '': value.flatMap((item) => namesIn(String(item))) };
  const fields: Record<string, string[]> = {};
  for (const [key, names] of Object.entries(value as object)) {
    // qs parses a long `fields[]=a&fields[]=b…` into an object with numbers for keys.
    const type = /^\d*$/.test(key) ? '' : key;
    (fields[type] ??= []).push(...[names].flat().flatMap((item) => namesIn(String(item))));
  }
  return fields;
}
