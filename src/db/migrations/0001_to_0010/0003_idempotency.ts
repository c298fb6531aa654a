import { sql, type Kysely } from 'kysely';

/** The first answer to each request that was sent under an Idempotency-Key. User 0 is the enterprise itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      account_id bigint not null references accounts,
      user_id bigint not null,
      key text not null,
      request_hash text not null,
      status integer,
      headers jsonb,
      body text,
      created_at timestamptz not null,
      primary key (account_id, user_id, key)
    );
    create index idempotency_keys_by_age on idempotency_keys (created_at);
  `.execute(db);
}
