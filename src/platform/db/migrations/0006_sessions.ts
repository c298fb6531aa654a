import { sql, type Kysely } from 'kysely';

/** An access token is the secret of a session, which says how somebody signed in, from where, and when they were last here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table access_tokens
      add column kind text not null default 'password' check (kind in ('password', 'invitation')),
      -- When it was last used, to the hour.
      add column last_used_at timestamptz not null default now(),
      add column network text,
      add column user_agent text,
      -- A session that was ended is kept for a while, so that its client hears why it is refused.
      add column ended_at timestamptz`.execute(db);
  await sql`
    alter table access_tokens alter column kind drop default, alter column last_used_at drop default`.execute(db);
}
