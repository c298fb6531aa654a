import { sql, type Kysely } from 'kysely';

/*
 * Tells every process when who somebody is or what they may do has changed: see src/db/driver/identity_listener.ts. PostgreSQL
 * delivers a notice when its transaction commits. Inserts into access_tokens, and other columns of api_keys and api_tokens, do
 * not change what is already known about a credential.
 */
const noticed = {
  access_tokens: 'update or delete',
  accounts: 'insert or update or delete',
  api_keys: 'update of revoked_at, hash or delete',
  api_tokens: 'update of revoked_at, hash or delete',
  area_members: 'insert or update or delete',
  areas: 'insert or update or delete',
  memberships: 'insert or update or delete',
  users: 'insert or update or delete',
  workspaces: 'insert or update or delete',
};

export async function up(db: Kysely<unknown>): Promise<void> {
  // An account that somebody signed up for may send few mails until it is confirmed. Those that exist already may go on.
  await sql`
    alter table accounts add column confirmed_at timestamptz;
    update accounts set confirmed_at = now();
  `.execute(db);
  await sql`
    create function notify_identity_change() returns trigger language plpgsql as $$
    begin
      notify punchcard_identity;
      return null;
    end
    $$`.execute(db);
  for (const [table, events] of Object.entries(noticed))
    await sql`
      create trigger notify_identity_change after ${sql.raw(events)} on ${sql.table(table)}
        for each statement execute function notify_identity_change()`.execute(db);
}
