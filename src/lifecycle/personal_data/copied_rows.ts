import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { keyOf, type PersonalTable, type TableName } from './personal_data_map.ts';
import type { Person } from './person.ts';
import { without, type Row } from './redact_others.ts';

/* What a copy has of one table. Rows are read in pages, so that a long table does not fill the memory. */

// Few enough for the memory, and enough that the conditions of a long table are not evaluated too often.
const pageSize = 2_000;

/** The rows of a table about a person, as a copy has them. */
export async function* copiedRows(
  db: Db,
  person: Person,
  [table, personalTable]: readonly [TableName, PersonalTable],
): AsyncGenerator<Row> {
  const { leftOut = [], copied = (row) => row } = personalTable;
  for await (const row of rowsWhere(db, person, [table, personalTable], personalTable.rows(person)))
    yield copied(without(row, leftOut));
}

/** The keys of rows about others in which a column names the person. */
export async function* mentions(
  db: Db,
  person: Person,
  [table, personalTable]: readonly [TableName, PersonalTable],
  column: string,
): AsyncGenerator<Row> {
  const { accountId, userId } = person;
  const isActor = table === 'events' ? sql`held.actor_type = 'user'` : sql`true`;
  const isMention = sql<SqlBool>`(held.account_id = ${accountId} and held.${sql.ref(column)}::text = ${String(userId)} and ${isActor}
    and (${personalTable.rows(person)}) is not true)`;
  const key = keyOf(personalTable);
  for await (const row of rowsWhere(db, person, [table, personalTable], isMention))
    yield Object.fromEntries(key.map((name) => [name, row[name]]));
}

async function* rowsWhere(
  db: Db,
  { accountId }: Person,
  [table, personalTable]: readonly [TableName, PersonalTable],
  condition: RawBuilder<SqlBool>,
): AsyncGenerator<Row> {
  const columns = (alias: string) => sql.join(keyOf(personalTable).map((name) => sql.ref(`${alias}.${name}`)));
  let last: Row | undefined;
  do {
    const isLater =
      last === undefined
        ? sql`true`
        : sql`(${columns('held')}) > (
            select ${columns('previous')}
            from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(last)}::jsonb) previous)`;
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(held) as row from ${sql.table(table)} held
      where held.account_id = ${accountId} and ${condition} and ${isLater} order by ${columns('held')} limit ${pageSize}`.execute(
      db,
    );
    for (const { row } of rows) yield row;
    last = rows.length === pageSize ? rows.at(-1)!.row : undefined;
  } while (last !== undefined);
}
