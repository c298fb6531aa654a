import { sql } from 'kysely';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { conditionOfReturn, storedRecords, type RecordType } from '../../platform/deleted_records/stored_rows.ts';

/** A deleted record that the caller has locked. */
export interface KeptRecord {
  readonly account_id: number;
  readonly id: number;
  readonly workspace_id: number;
  readonly record_type: string;
  readonly record_id: number;
  readonly stored_rows: unknown;
}

/** Puts the rows of a deleted record back into their tables, with its files and punches. */
export async function putBack(tx: OpenTransaction, kept: KeptRecord): Promise<void> {
  const { table, carried } = storedRecords[kept.record_type as RecordType];
  const rows = kept.stored_rows as Readonly<Record<string, readonly object[]>>;
  for (const name of [table, ...carried]) await insertRows(tx, kept, name, rows[name]!);
  const { account_id, id, record_id } = kept;
  if (rows['actions'])
    await sql`
      update actions set time_tracking_id = ${record_id}
      where account_id = ${account_id} and id = any(${rows['actions']}::uuid[])`.execute(tx);
  await tx
    .updateTable('files')
    .set({ deleted_record_id: null })
    .where('account_id', '=', account_id)
    .where('deleted_record_id', '=', id)
    .execute();
  await tx.deleteFrom('deleted_records').where('account_id', '=', account_id).where('id', '=', id).execute();
}

/** The columns are those of the stored rows: a column that is newer gets its default. */
async function insertRows(
  tx: OpenTransaction,
  { account_id, workspace_id }: KeptRecord,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const valueOf = (column: string) =>
    column === 'account_id' ? sql`${account_id}::bigint` : sql.ref(`item.${column}`);
  const condition = conditionOfReturn[table]?.(account_id) ?? sql`true`;
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(columns.map(valueOf))}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) item,
      (select ${workspace_id}::bigint as workspace_id) kept
    where ${condition}
    returning account_id`.execute(tx);
}
