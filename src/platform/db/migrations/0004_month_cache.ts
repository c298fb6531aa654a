import { sql, type Kysely } from 'kysely';
import { forgettingFunctions } from './0001_baseline/guards.ts';

/** The first and the last day that finished work can belong to. A local day is at most one day beside that of UTC. */
const daysOfTimeTrackings = `array[
  min((starts_at at time zone 'UTC')::date - 1) filter (where ends_at is not null),
  max((starts_at at time zone 'UTC')::date + 1) filter (where ends_at is not null)]`;

/**
 * The table of kept months gets the name of the code that reads and fills it. It holds what each month changes and no balance any
 * more, so a change forgets the months of its days, and not all later ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`truncate kept_months`.execute(db);
  await sql`alter table kept_months rename to month_cache`.execute(db);
  await sql`alter table month_cache rename column date to month`.execute(db);
  await sql`alter table month_cache drop constraint kept_months_pkey`.execute(db);
  // Holds what a balance adds up, so that it needs no look at the rows.
  await sql`
alter table month_cache add primary key (account_id, user_id, month) include (rules, all_s, confirmed_s)`.execute(db);
  await sql`
create or replace function forget_months(account bigint, member bigint, since date) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  delete from month_cache where account_id = account and user_id = member and month >= date_trunc('month', since::timestamp);
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
  await sql`drop function forget_and_compare(bigint, bigint, date, timestamptz, date)`.execute(db);
  // Forgets the months from the first of two days to the last, none where these are null.
  await sql`
create function forget_and_compare(account bigint, member bigint, days date[], moment timestamptz, day date)
returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  if days[1] is not null then
    delete from month_cache
    where account_id = account and user_id = member and month >= date_trunc('month', days[1]::timestamp) and month <= days[2];
  end if;
  return exists (
    select from accounting_periods closed
    where closed.account_id = account and closed.user_id = member and closed.reopened_at is null
      and (closed.ends_at > moment or closed.next_date > day));
end
$$`.execute(db);
  await sql.raw(forgettingFunctions(daysOfTimeTrackings, 'array[min(date), max(date)]')).execute(db);
  await sql`
create or replace function forget_months_of_absence() returns trigger language plpgsql as $$
begin
  perform forget_and_compare(new.account_id, new.user_id, array[min(date), max(date)], null, null)
  from absence_days where account_id = new.account_id and absence_id = new.id;
  return null;
end
$$`.execute(db);
}
