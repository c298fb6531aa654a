import { sql, type Kysely } from 'kysely';

/* Settings that protect recorded time, and whether users want notifications by mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspaces add column require_four_eyes boolean not null default false;
    alter table workspaces add column max_backdating_days integer check (max_backdating_days >= 0);
    alter table users add column mail_notifications boolean not null default false;
  `.execute(db);
}
