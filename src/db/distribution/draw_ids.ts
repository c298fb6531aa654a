import { sql } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Db } from '../connection.ts';
import { statement } from '../statement.ts';

/** How many ids of each table are drawn. */
type Counts<Table> = Readonly<Record<Table & string, number>>;

/** Draws ids of tables. */
export type DrawIds = <Table extends keyof DB>(counts: Counts<Table>) => Promise<Record<Table, number[]>>;

/**
 * Draws ids on the coordinator of a distributed database. A worker draws ids from a range of its own (`sequences.ts`), and lists show
 * rows in the order of their ids. So the coordinator draws them also for rows that a transaction on a worker inserts.
 */
export async function drawIds<Table extends keyof DB>(
  coordinator: Db,
  counts: Counts<Table>,
): Promise<Record<Table, number[]>> {
  const tables = Object.keys(counts) as (Table & string)[];
  const drawn = await drawing(coordinator, { tables, counts: tables.map((table) => counts[table]) });
  const idsOf = (wanted: Table) => drawn.filter(({ table_name }) => table_name === wanted).map(({ id }) => id);
  return Object.fromEntries(tables.map((table) => [table, idsOf(table)])) as Record<Table, number[]>;
}

const drawing = statement<{ tables: readonly string[]; counts: readonly number[] }, { table_name: string; id: number }>(
  (_db, { tables, counts }) => sql<{ table_name: string; id: number }>`
    select table_name, nextval(pg_get_serial_sequence(table_name, 'id')) as id
    from unnest(${tables}::text[], ${counts}::integer[]) wanted (table_name, count), generate_series(1, wanted.count)`,
);
