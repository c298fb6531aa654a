import { sql, type Kysely } from 'kysely';

/* The preferences that users have changed; the others have their defaults. Taggings of time trackings get ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table preferences (
      account_id bigint not null,
      user_id bigint not null,
      key text not null,
      value jsonb not null,
      primary key (account_id, user_id, key),
      foreign key (account_id, user_id) references users on delete cascade
    );
    alter table preferences enable row level security;
    create policy tenant on preferences using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    alter table time_tracking_tags add column id uuid not null default gen_random_uuid();
    create unique index time_tracking_tags_id on time_tracking_tags (account_id, id);
  `.execute(db);
}
