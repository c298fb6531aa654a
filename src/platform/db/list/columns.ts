import { sql } from 'kysely';
import { columnKinds } from '../../../../generated/column_kinds.ts';
import { listFilters } from '../../../../generated/list_filters.ts';
import type { Column, Columns } from './filters.ts';

type Table = keyof typeof columnKinds;
type ListOperation = keyof typeof listFilters;

/**
 * The columns that a list can be filtered and sorted by: the filters that the contract names, as far as they are columns of
 * the table. `own` adds or replaces those that are computed.
 */
export function listColumns(operationId: ListOperation, table: Table, own: Columns = {}): Columns {
  const kinds: Readonly<Record<string, Column['kind']>> = columnKinds[table];
  const stored = listFilters[operationId].filter((name) => Object.hasOwn(kinds, name));
  return {
    ...Object.fromEntries(stored.map((name) => [name, { kind: kinds[name]!, value: sql.ref(`${table}.${name}`) }])),
    ...own,
  };
}
