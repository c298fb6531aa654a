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
  await addFileTotals(db);
}

/** The size of all files of each account, kept by the database with every statement that stores or removes files. */
async function addFileTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_totals (
      account_id bigint primary key,
      used_bytes bigint not null check (used_bytes >= 0)
    );
    alter table file_totals enable row level security;
    create policy tenant on file_totals using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    create function file_totals_after_insert() returns trigger language plpgsql as $$
    begin
      insert into file_totals as kept (account_id, used_bytes)
        select account_id, sum(size_bytes) from added group by account_id order by account_id
        on conflict (account_id) do update set used_bytes = kept.used_bytes + excluded.used_bytes;
      return null;
    end
    $$;
    create trigger file_totals_after_insert after insert on files
      referencing new table as added for each statement execute function file_totals_after_insert();

    create function file_totals_after_delete() returns trigger language plpgsql as $$
    begin
      update file_totals set used_bytes = file_totals.used_bytes - gone.bytes
      from (select account_id, sum(size_bytes) as bytes from removed group by account_id) gone
      where file_totals.account_id = gone.account_id;
      return null;
    end
    $$;
    create trigger file_totals_after_delete after delete on files
      referencing old table as removed for each statement execute function file_totals_after_delete();

    -- To create a trigger locks the table, so that no file is stored meanwhile.
    insert into file_totals select account_id, sum(size_bytes) from files group by account_id;
  `.execute(db);
}
