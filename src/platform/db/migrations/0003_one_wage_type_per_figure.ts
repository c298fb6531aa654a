import { sql, type Kysely } from 'kysely';

/** Two wage types of one figure had every amount exported twice. The older one stays. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from wage_types repeated using wage_types older
    where older.account_id = repeated.account_id and older.workspace_id = repeated.workspace_id
      and older.source = repeated.source and older.unit = repeated.unit and older.id < repeated.id`.execute(db);
  // A source names the absence type, and no column is nullable.
  await sql`create unique index wage_types_figure on wage_types (account_id, workspace_id, source, unit)`.execute(db);
  await sql`drop index wage_types_workspace`.execute(db);
}
