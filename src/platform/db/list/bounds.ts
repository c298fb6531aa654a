import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import { invalid } from '../../core/errors.ts';
import type { Columns, Condition } from './filters.ts';

/*
 * How long a list may be. An index returns the first rows of a list in its order, however long it is. Where no index has the
 * order, or where other records have to be read for each row, PostgreSQL reads all rows, so that their number is limited.
 */

const maxLookedUpRows = 10_000;
const maxSortedRows = 50_000;

/** How long a list may be because of a parameter of its request. */
export interface Bound {
  readonly pointer: string;
  readonly column: string;
  readonly maxRows: number;
}

const isLookedUp = (columns: Columns, name: string): boolean => columns[name]?.isLookedUp === true;

/** The bound that an order sets; null where an index has the rows in this order. */
export function boundOfSort(
  { columns, defaultSort = [] }: { columns: Columns; defaultSort?: readonly string[] },
  sort: readonly string[],
): Bound | null {
  const names = sort.map((name) => name.replace(/^[+-]/, '')).filter((name) => Object.hasOwn(columns, name));
  const lookedUp = names.find((name) => isLookedUp(columns, name));
  if (lookedUp !== undefined) return { pointer: 'sort', column: lookedUp, maxRows: maxLookedUpRows };
  const [first] = names;
  const isIndexed =
    first === undefined || first === 'id' || defaultSort.includes(first) || columns[first]!.isIndexed === true;
  return isIndexed ? null : { pointer: 'sort', column: first, maxRows: maxSortedRows };
}

/** The bound that a condition sets; null where it reads the rows of the list alone. */
export const boundOfCondition = (columns: Columns, { field, matcher }: Condition): Bound | null =>
  matcher !== 'named' && isLookedUp(columns, field)
    ? { pointer: `filter[${field}]`, column: field, maxRows: maxLookedUpRows }
    : null;

/** Whether there are at most so many rows. PostgreSQL finds out once, before it reads and sorts any of them, and stops counting at the bound. */
export function isWithin<Table extends keyof DB>(
  rows: SelectQueryBuilder<DB, Table, object>,
  { maxRows }: Bound,
): RawBuilder<SqlBool> {
  const few = rows.select(sql`1`.as('one')).limit(maxRows + 1);
  return sql<SqlBool>`(select count(*) from (${few}) few) <= ${sql.lit(maxRows)}`;
}

/** Refuses a list that is longer than its bound. */
export function requireWithin({ pointer, column, maxRows }: Bound, count: number): void {
  if (count > maxRows)
    throw invalid(
      'too_many',
      pointer,
      `A list of ${count} records cannot be sorted or filtered by ${column}. It must have at most ${maxRows}: add a filter, for example by user or by time.`,
      { max_items: maxRows },
    );
}
