import { sql, type RawBuilder } from 'kysely';
import type { Column, Columns } from './filters.ts';

/** What the order of a list is made of. */
export interface Ordered {
  readonly columns: Columns;
  /** The columns that the list is sorted by unless a request says otherwise. By default it is sorted by its ids alone. */
  readonly defaultSort?: readonly string[];
  /** The column that identifies a row and breaks every tie. */
  readonly id: string;
  /** The kind of the ids. By default they are numbers. */
  readonly idKind?: Column['kind'];
}

const nameIn = (sort: string): string => sort.replace(/^[+-]/, '');

const knownSorts = ({ columns }: Ordered, sort: readonly string[]): string[] =>
  sort.filter((name) => Object.hasOwn(columns, nameIn(name)));

/** Text sorts by code point on every database. */
const sortedBy = ({ kind, value }: Column): RawBuilder<unknown> =>
  kind === 'text' ? sql`${value} collate "C"` : value;

/** Nulls come last going up and first going down. */
export function orderOf(collection: Ordered, sort: readonly string[]): RawBuilder<unknown> {
  const known = knownSorts(collection, sort);
  const chosen = known.length > 0 ? known : (collection.defaultSort ?? []);
  const terms = chosen.map((name) => {
    const direction = name.startsWith('-') ? sql`desc` : sql`asc`;
    return sql`${sortedBy(collection.columns[nameIn(name)]!)} ${direction}`;
  });
  return sql.join([...terms, sql`${sql.ref(collection.id)} asc`]);
}

/** Whether a request wants the default order, with or without naming it. */
export function isDefaultOrder(collection: Ordered, sort: readonly string[]): boolean {
  const known = knownSorts(collection, sort).map((name) => name.replace(/^\+/, ''));
  return known.length === 0 || known.join(',') === (collection.defaultSort ?? ['id']).join(',');
}

/** The columns of the default order, which all go up, and the id. */
export const defaultTerms = ({ columns, defaultSort = [], id, idKind = 'number' }: Ordered): Column[] => [
  ...defaultSort.map((name) => ({ ...columns[name]!, value: sortedBy(columns[name]!) })),
  { kind: idKind, value: sql.ref(id) },
];
