import { sql, type Kysely } from 'kysely';

/* The workspaces in which admins are treated as employees, because they have switched their role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table assumed_roles (
      account_id bigint not null,
      workspace_id bigint not null,
      user_id bigint not null,
      primary key (account_id, user_id, workspace_id),
      foreign key (account_id, workspace_id) references workspaces,
      foreign key (account_id, user_id) references users
    );
    alter table assumed_roles enable row level security;
    create policy tenant on assumed_roles using (account_id = nullif(current_setting('app.account', true), '')::bigint);
    create trigger notify_identity_change after insert or delete on assumed_roles
      for each statement execute function notify_identity_change();
  `.execute(db);
}
