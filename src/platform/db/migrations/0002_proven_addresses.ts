import { sql, type Kysely } from 'kysely';

/**
 * Since when it is known that the holder of an address receives its mails. Another account may invite an address that is not
 * proven: its user has it without an entry in the directory, so it must be unique among the users of one account by itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table directory_emails add column proven_at timestamptz`.execute(db);
  // Materialized, because the users may be distributed and the directory is not.
  await sql`
    with known as materialized (select account_id, id from users where password_hash is not null and deleted_at is null)
    update directory_emails held set proven_at = now() from known
    where known.account_id = held.account_id and known.id = held.user_id`.execute(db);
  await sql`
    create unique index users_email on users (account_id, lower(email))
    where email is not null and deleted_at is null`.execute(db);
  // The address to which a token was mailed. Tokens of the previous release have none.
  await sql`
    alter table reset_tokens add column email text, add column confirms_only boolean not null default false`.execute(
    db,
  );
}
