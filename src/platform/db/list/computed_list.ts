import { sql, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import type { Db } from '../connection.ts';
import type { Column, NamedFilter } from './filters.ts';
import { list, type Selection } from './list.ts';

const sqlTypes = { text: 'text', number: 'numeric', day: 'date' } as const;

/** Rows that no single table holds, for a list: it asks for nothing but columns. */
export const ofNoTable = (rows: object) => rows as SelectQueryBuilder<DB, keyof DB, object>;

interface ComputedCollection<Row extends { readonly id: string }> {
  readonly rows: readonly Row[];
  /** The kind of every member of a row. Lists can be filtered and sorted by all of them. */
  readonly kinds: Readonly<Record<keyof Row & string, keyof typeof sqlTypes>>;
  readonly named?: Readonly<Record<string, NamedFilter>>;
  readonly timeZone: string;
  readonly defaultSort: readonly (keyof Row & string)[];
}

/**
 * One page of rows that no table holds. They go to the database as JSON, so that their filters, sorting and pages are those of
 * every other list.
 */
export function listComputed<Row extends { readonly id: string }>(
  db: Db,
  { rows, kinds, named = {}, timeZone, defaultSort }: ComputedCollection<Row>,
  selection: Selection,
) {
  const members = Object.entries(kinds) as [string, keyof typeof sqlTypes][];
  const definitions = members.map(([name, kind]) => sql`${sql.ref(name)} ${sql.raw(sqlTypes[kind])}`);
  const source = db.selectFrom(
    sql<Row>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'computed'>(
      sql`computed (${sql.join(definitions)})`,
    ),
  );
  const columns = Object.fromEntries(
    members.map(([name, kind]): [string, Column] => [name, { kind, value: sql.ref(`computed.${name}`) }]),
  );
  const visible = ofNoTable(source);
  const read = source.selectAll() as unknown as SelectQueryBuilder<{ computed: Row }, 'computed', Row>;
  const order = { id: 'computed.id', idKind: kinds.id, columns, defaultSort };
  return list(db, { visible, rows: read, named, timeZone, ...order }, selection);
}
