import { sql, type Kysely } from 'kysely';

/* Housekeeping removes the events of one account after the other, as the owner of the tables, and needs no function for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop function remove_events(timestamptz, integer)`.execute(db);
}
