import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { removeFiles } from '../../platform/files/files.ts';
import { filesOfDeletedRecords } from '../../platform/files/files_of_deleted_records.ts';
import { sql } from 'kysely';
import { personalDataMap, type PersonalTable, type TableName } from './personal_data_map.ts';
import type { Person } from './person.ts';

/** Blanks or removes every row about the person, as the list of tables says, and their files. */
export async function blankRows(tx: OpenTransaction, person: Person, now: Date): Promise<void> {
  const files: string[] = await filesOfDeletedRecords(tx, person);
  for (const [table, personalTable] of personalDataMap) {
    files.push(...(await filesIn(tx, person, table, personalTable)));
    await blankTable(tx, person, table, personalTable, now);
  }
  await removeFiles(tx, person.accountId, files);
}

/** The query builder is typed for one table, and every table has its own columns. */
const typedAs = (table: TableName): 'users' => table as 'users';

async function blankTable(
  tx: OpenTransaction,
  person: Person,
  table: TableName,
  { rows, anonymised, kept }: PersonalTable,
  now: Date,
): Promise<void> {
  if (anonymised === 'removed') {
    const removal = tx
      .deleteFrom(`${typedAs(table)} as held`)
      .where('held.account_id', '=', person.accountId)
      .where(rows(person));
    await (kept ? removal.where(sql<boolean>`(${kept(person)}) is not true`) : removal).execute();
    return;
  }
  const values = { ...anonymised(person), ...(table === 'users' && { anonymised_at: now, updated_at: now }) };
  if (Object.keys(values).length > 0)
    await tx
      .updateTable(`${typedAs(table)} as held`)
      .set(values as never)
      .where('held.account_id', '=', person.accountId)
      .where(rows(person))
      .execute();
}

async function filesIn(
  tx: OpenTransaction,
  person: Person,
  table: TableName,
  { rows, files = [], madeFiles = [] }: PersonalTable,
): Promise<string[]> {
  const columns = [...files, ...madeFiles];
  if (columns.length === 0) return [];
  const { rows: found } = await sql<{ ids: (string | null)[] }>`
    select array[${sql.join(columns.map((column) => sql.ref(`held.${column}`)))}] as ids
    from ${sql.table(table)} held where held.account_id = ${person.accountId} and ${rows(person)}`.execute(tx);
  return found.flatMap(({ ids }) => ids.filter((id) => id !== null));
}
