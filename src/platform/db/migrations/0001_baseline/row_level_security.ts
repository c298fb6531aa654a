/**
 * Separates the accounts a second time, after the filters of each query: see src/platform/db/transactions.ts. The role may exist already,
 * because roles belong to the whole server and not to one database, and may be beyond what the user of the database may make. A start
 * then tries again: see src/platform/db/tenant_role.ts.
 */
export const rowLevelSecurity = `
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
    where table_schema = current_schema and column_name = 'account_id'
      and table_name not like 'directory_%' and table_name not in ('access_tokens', 'api_tokens', 'reset_tokens')
      and table_name not in ('events', 'event_removals')
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format(
      'create policy tenant on %I using (account_id = nullif(current_setting(''app.account'', true), '''')::bigint)',
      tenant_table);
  end loop;
end
$$;

alter table accounts enable row level security;
create policy tenant on accounts using (id = nullif(current_setting('app.account', true), '')::bigint);

-- Transactions that act for an account read and append events. No policy lets them change or delete, nor say how far events were
-- removed.
alter table events enable row level security;
create policy tenant on events for select using (account_id = nullif(current_setting('app.account', true), '')::bigint);
create policy append on events for insert with check (account_id = nullif(current_setting('app.account', true), '')::bigint);
alter table event_removals enable row level security;
create policy tenant on event_removals for select using (account_id = nullif(current_setting('app.account', true), '')::bigint);
`;
