import { sql, type Kysely } from 'kysely';

/** The table of kept months gets the name of the code that reads and fills it. Functions name tables by text, so they are written again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table kept_months rename to month_cache`.execute(db);
  await sql`alter table month_cache rename constraint kept_months_pkey to month_cache_pkey`.execute(db);
  await sql`
create or replace function forget_months(account bigint, member bigint, since date) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  delete from month_cache where account_id = account and user_id = member and date > since;
end
$$`.execute(db);
  await sql`
create or replace function forget_months_of_account(account bigint) returns void language plpgsql as $$
begin
  -- No user has the id 0.
  perform pg_advisory_xact_lock_shared(month_lock(account, 0));
  delete from month_cache where account_id = account;
end
$$`.execute(db);
  await sql`
create or replace function forget_and_compare(account bigint, member bigint, since date, moment timestamptz, day date)
returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  if since is not null then
    delete from month_cache where account_id = account and user_id = member and date > since;
  end if;
  return exists (
    select from accounting_periods closed
    where closed.account_id = account and closed.user_id = member and closed.reopened_at is null
      and (closed.ends_at > moment or closed.next_date > day));
end
$$`.execute(db);
}
