import { sql, type Kysely } from 'kysely';

/**
 * Row-level security: see src/db/transactions.ts. The role may exist already, because roles belong to the whole server and not to
 * one database, and may be beyond what the operator's user is allowed to make.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    begin
      create role punchcard_app nologin;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then raise notice 'The role punchcard_app could not be made; row-level security stays off.';
    end
    $$;

    do $$
    declare
      tenant_table text;
      has_role boolean := exists (select from pg_roles where rolname = 'punchcard_app');
    begin
      if has_role and not pg_has_role('punchcard_app', 'member') then
        begin
          execute format('grant punchcard_app to %I', current_user);
        exception
          when insufficient_privilege then raise notice 'The role punchcard_app belongs to another installation.';
        end;
      end if;
      if has_role then
        grant usage on schema public to punchcard_app;
        grant select, insert, update, delete on all tables in schema public to punchcard_app;
        grant usage on all sequences in schema public to punchcard_app;
        alter default privileges in schema public grant select, insert, update, delete on tables to punchcard_app;
        alter default privileges in schema public grant usage on sequences to punchcard_app;
      end if;
      for tenant_table in
        select table_name from information_schema.columns
        where table_schema = 'public' and column_name = 'account_id'
          and table_name not in ('access_tokens', 'api_tokens', 'directory_emails', 'directory_workspaces', 'reset_tokens')
      loop
        execute format('alter table %I enable row level security', tenant_table);
        execute format(
          'create policy tenant on %I using (account_id = nullif(current_setting(''app.account'', true), '''')::bigint)',
          tenant_table);
      end loop;
      alter table accounts enable row level security;
      create policy tenant on accounts using (id = nullif(current_setting('app.account', true), '')::bigint);
    end
    $$;
  `.execute(db);
}
