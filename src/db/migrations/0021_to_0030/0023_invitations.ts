import { sql, type Kysely } from 'kysely';

/*
 * Invitations: one general invitation for each workspace, and one personal invitation for each user. Their tokens lead to an
 * account, so the table has no policy.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invitations (
      account_id bigint not null,
      -- Changes when the user is invited again, so that an older mail that still waits is not sent.
      id uuid not null,
      workspace_id bigint not null,
      -- Null for the general invitation.
      user_id bigint,
      -- The hash of the token. Null until the mail with the token is sent.
      hash text unique,
      checkin boolean not null,
      welcome_message text,
      -- Personal invitations do not expire.
      expires_at timestamptz,
      -- A personal invitation works once. For a general one, the last time.
      used_at timestamptz,
      created_at timestamptz not null,
      primary key (account_id, id),
      foreign key (account_id, workspace_id) references workspaces on delete cascade,
      foreign key (account_id, user_id) references users on delete cascade,
      check ((user_id is null) = (expires_at is not null))
    );
    create unique index invitations_general on invitations (account_id, workspace_id) where user_id is null;
    create unique index invitations_personal on invitations (account_id, user_id) where user_id is not null;
  `.execute(db);
}
