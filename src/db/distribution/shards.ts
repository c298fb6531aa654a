import { sql, type Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { numberEvent } from './events.ts';

/*
 * Triggers run on the worker that has the rows of the account. To Citus, a query in a trigger is one about all servers: it looks up
 * the server, finds that it is this one, and plans the query for the piece of the table that is here, the shard. That takes three
 * times as long as to query the shard by its name. So the functions that every punch calls do that. The triggering statement holds
 * the shard where it is until the transaction ends, and all shards of an account are on one server.
 */

/** Which form of the functions a database has. To change one of them, raise it. */
const version = 'Version 2 of the functions that query shards.';

/** Has the functions of triggers query shards by their names. Returns whether they did not yet. */
export async function queryShardsInTriggers(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`
    select from pg_proc where proname = 'shard_of' and obj_description(oid, 'pg_proc') = ${version}`.execute(db);
  if (rows.length > 0) return false;
  await db.transaction().execute(async (tx) => {
    await sql`
      create or replace function shard_of(distributed regclass, account bigint) returns text language plpgsql stable as $$
      begin
        return distributed || '_' || get_shard_id_for_distribution_column(distributed, account);
      end
      $$`.execute(tx);
    await sumTimeTrackings(tx);
    await sql`drop function if exists add_to_totals`.execute(tx);
    await forgetAndCompare(tx);
    await numberEvent(tx);
    await sql`comment on function shard_of is ${sql.lit(version)}`.execute(tx);
  });
  return true;
}

const totals = ['trackings', 'confirmed', 'gross_s', 'break_s', 'confirmed_gross_s', 'confirmed_break_s'];
const listOfTotals = (text: (total: string) => string, separator = ', ') => sql.raw(totals.map(text).join(separator));

/** The rows that a statement has added to time trackings or removed from them, with their sign, for each kind of statement. */
const changedTrackings = {
  insert: 'select *, 1 as sign from added',
  update: 'select *, 1 as sign from added union all select *, -1 from removed',
  delete: 'select *, -1 as sign from removed',
};

/** Selects by how much the totals change. Transactions that change the same totals lock them in the same order. */
const changesOfTotals = (rows: string) => sql`
          select account_id, workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
            ${listOfTotals((total) => `sum(sign * ${total}) as ${total}`)}
          from (
            select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign,
              1 as trackings, confirmed::integer as confirmed, gross_s, least(gross_s, break_s) as break_s,
              case when confirmed then gross_s else 0 end as confirmed_gross_s,
              case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
            from (${sql.raw(rows)}) tracking
            where ends_at is not null) counted
          group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
          having ${listOfTotals((total) => `sum(sign * ${total}) <> 0`, ' or ')}
          order by 1, 2, 3, 4`;

/** As the baseline does on one server. The rows that a statement changes belong to one account, so one statement adds all of them up. */
async function sumTimeTrackings(db: Kysely<DB>): Promise<void> {
  for (const [event, rows] of Object.entries(changedTrackings))
    await sql`
      create or replace function ${sql.ref(`time_tracking_totals_after_${event}`)}() returns trigger language plpgsql as $$
      declare
        account bigint := (select account_id from (${sql.raw(rows)}) tracking limit 1);
      begin
        if account is null then
          return null;
        end if;
        execute format(
          $statement$
          insert into %I as kept (account_id, workspace_id, user_id, day, slot, ${listOfTotals(String)})
          select change.account_id, change.workspace_id, change.user_id, change.day, (pg_backend_pid() %% 16)::smallint,
            ${listOfTotals((total) => `change.${total}`)}
          from (${changesOfTotals(rows)}) change
          on conflict (account_id, workspace_id, user_id, day, slot)
            do update set ${listOfTotals((total) => `${total} = kept.${total} + excluded.${total}`)}
          $statement$,
          shard_of('time_tracking_totals', account));
        return null;
      end
      $$`.execute(db);
}

/** As the baseline does on one server. */
const forgetAndCompare = (db: Kysely<DB>): Promise<unknown> =>
  sql`
    create or replace function forget_and_compare(account bigint, member bigint, since date, moment timestamptz, day date)
    returns boolean language plpgsql as $$
    declare
      is_closed boolean;
      comparison text := format(
        'select exists (
          select from %I closed
          where closed.account_id = $1 and closed.user_id = $2 and closed.reopened_at is null
            and (closed.ends_at > $3 or closed.next_date > $4))',
        shard_of('accounting_periods', account));
    begin
      perform pg_advisory_xact_lock_shared(month_lock(account, member));
      if since is not null then
        comparison := format('with forgotten as (delete from %I where account_id = $1 and user_id = $2 and date > $5) ',
          shard_of('kept_months', account)) || comparison;
      end if;
      execute comparison into is_closed using account, member, moment, day, since;
      return is_closed;
    end
    $$`.execute(db);
