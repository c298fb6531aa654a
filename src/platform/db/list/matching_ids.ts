import { sql, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import type { Db } from '../connection.ts';
import { applyConditions } from './conditions.ts';
import type { Filterable } from './filters.ts';
import type { Collection, Selection, Totals } from './list.ts';
import { orderOf } from './order.ts';
import { conditionsIn } from './read_filters.ts';

/**
 * The ids of all records that a list shows, in its order, from one statement. Pages of records can then be read by their ids: no
 * record is missed or read twice, even if others change meanwhile.
 */
export async function matchingIds<
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  T extends Totals = Totals,
>(
  db: Db,
  collection: Collection<Table, Source, Joined, Row, T>,
  { filter, sort }: Pick<Selection, 'filter' | 'sort'>,
): Promise<number[]> {
  const matching = matchingRows(collection, filter);
  // As one value, so that a long list is not a million rows for the driver.
  const { rows } = await sql<{ ids: number[] }>`
    select array(${matching.select(sql<number>`${sql.ref(collection.id)}`.as('id')).orderBy(orderOf(collection, sort))}) as ids`.execute(
    db,
  );
  return rows[0]!.ids;
}

/** The records that a list shows with a filter, before they are sorted. */
export const matchingRows = <Table extends keyof DB>(
  collection: Filterable & { readonly visible: SelectQueryBuilder<DB, Table, object> },
  filter: Selection['filter'],
): SelectQueryBuilder<DB, Table, object> => applyConditions(collection, conditionsIn(collection, filter));
