import { sql, type Kysely } from 'kysely';

/*
 * A list over a range of time counts the trackings of its first and last day one by one, and a large company has a thousand of
 * them a day: the index in which they are found also holds all that is counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index time_trackings_by_start;
    create index time_trackings_by_start on time_trackings (account_id, workspace_id, starts_at, id) include (ends_at, gross_s, break_s, confirmed);
  `.execute(db);
}
