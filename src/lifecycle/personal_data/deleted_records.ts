import { sql, type RawBuilder } from 'kysely';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { storedRecords } from '../../platform/deleted_records/stored_rows.ts';
import { anonymousText, tables, type PersonalTable, type TableName } from './personal_data_map.ts';
import type { Person } from './person.ts';
import type { NamesToBlank } from './names_to_blank.ts';

/*
 * A deleted record has the rows that it consisted of as JSON. They are blanked as the rows of their tables are, so that a restored
 * record brings nothing back.
 */

/** Blanks the deleted records of the person, and what those of others have of them. */
export async function blankDeletedRecords(tx: OpenTransaction, person: Person, { names }: NamesToBlank): Promise<void> {
  const { accountId, userId } = person;
  for (const [type, { table, carried }] of Object.entries(storedRecords)) {
    const parts = [table, ...carried].map((name) => blankedPart(name as TableName, person));
    await changeStoredRows(
      tx,
      accountId,
      sql`jsonb_build_object(${sql.join(parts)})`,
      sql`record.user_id = ${userId} and record.record_type = ${type}`,
    );
  }
  await blankOthers(tx, person, names);
}

/**
 * Changes what deleted records have stored. The new rows are computed before they are written, because Citus cannot do both at
 * once. The lock keeps them as they are in between.
 */
async function changeStoredRows(
  tx: OpenTransaction,
  accountId: number,
  parts: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    select from deleted_records record where record.account_id = ${accountId} and ${condition} for update`.execute(tx);
  await sql`
    with changed as materialized (
      select record.id, record.stored_rows || ${parts} as stored_rows from deleted_records record
      where record.account_id = ${accountId} and ${condition}
    )
    update deleted_records set stored_rows = changed.stored_rows from changed
    where deleted_records.account_id = ${accountId} and deleted_records.id = changed.id`.execute(tx);
}

/** A table of the stored rows, and its rows without what is personal. */
function blankedPart(table: TableName, person: Person): RawBuilder<unknown> {
  const { anonymised } = tables[table] as PersonalTable;
  if (anonymised === 'removed') return sql`${sql.lit(table)}, '[]'::jsonb`;
  const values = Object.entries(anonymised(person)).map(([column, value]) => sql`${sql.lit(column)}, ${value}`);
  return changedPart(table, sql`jsonb_build_object(${sql.join(values)})`);
}

/** A table of the stored rows, and its rows with other values. */
const changedPart = (table: string, values: RawBuilder<unknown>): RawBuilder<unknown> => sql`${sql.lit(table)}, (
  select coalesce(jsonb_agg(item || ${values}), '[]')
  from jsonb_array_elements(record.stored_rows->${sql.lit(table)}) item
  cross join jsonb_populate_record(null::${sql.table(table)}, item) held)`;

/** Blanks notes and names of the person in deleted records of others. */
async function blankOthers(tx: OpenTransaction, { accountId, userId }: Person, names: string): Promise<void> {
  const isAuthor = sql`held.author_id is not distinct from ${userId}`;
  const cleaned = sql`regexp_replace(held.content, ${names}, ${anonymousText}, 'g')`;
  const notes = changedPart(
    'notes',
    sql`jsonb_build_object(
      'content', case when ${isAuthor} then ${anonymousText} when held.type = 'SystemNote' then ${cleaned} else held.content end,
      'author', case when ${isAuthor} then ${anonymousText} else held.author end)`,
  );
  const attachments = changedPart(
    'attachments',
    sql`jsonb_build_object('author', case when ${isAuthor} then ${anonymousText} else held.author end)`,
  );
  await changeStoredRows(
    tx,
    accountId,
    sql`jsonb_build_object(${notes}, ${attachments})`,
    sql`record.user_id <> ${userId} and (
      record.stored_rows::text ~ ${names}
      or record.stored_rows @> ${JSON.stringify({ notes: [{ author_id: userId }] })}::jsonb)`,
  );
  await sql`
    update deleted_records record set deleted_by = ${anonymousText}
    where record.account_id = ${accountId} and record.deleted_by ~ ${names}`.execute(tx);
}
