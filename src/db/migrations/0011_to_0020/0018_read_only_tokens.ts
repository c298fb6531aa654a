import { sql, type Kysely } from 'kysely';

/* Tokens of the public API with which a system reads and does not write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_tokens add column read_only boolean not null default false`.execute(db);
}
