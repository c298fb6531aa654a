import { sql, type Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';

/*
 * Triggers run on the worker that has the rows of the account. To Citus, a query in a trigger is one about all servers: it looks up
 * the server, finds that it is this one, and plans the query for the piece of the table that is here, the shard. That takes three
 * times as long as to query the shard by its name. So the functions that every punch calls do that. The triggering statement holds
 * the shard where it is until the transaction ends, and all shards of an account are on one server.
 */

/** Has the functions of triggers query shards by their names. Returns whether they did not yet. */
export async function queryShardsInTriggers(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`select from pg_proc where proname = 'shard_of'`.execute(db);
  if (rows.length > 0) return false;
  await db.transaction().execute(async (tx) => {
    await sql`
      create function shard_of(distributed regclass, account bigint) returns text language plpgsql stable as $$
      begin
        return distributed || '_' || get_shard_id_for_distribution_column(distributed, account);
      end
      $$`.execute(tx);
    await addToTotals(tx);
    await forgetAndCompare(tx);
  });
  return true;
}

/** As migration 0036 does on one server. */
async function addToTotals(db: Kysely<DB>): Promise<void> {
  const totals = ['trackings', 'confirmed', 'gross_s', 'break_s', 'confirmed_gross_s', 'confirmed_break_s'];
  const list = (text: (total: string, index: number) => string) => sql.raw(totals.map(text).join(', '));
  await sql`
    create or replace function add_to_totals(account bigint, workspace bigint, member bigint, date date, ${list((total) => `added_${total} bigint`)})
    returns void language plpgsql as $$
    begin
      execute format(
        'insert into %I as kept (account_id, workspace_id, user_id, day, slot, ${list(String)})
        values ($1, $2, $3, $4, (pg_backend_pid() %% 16)::smallint, ${list((_total, index) => `$${index + 5}`)})
        on conflict (account_id, workspace_id, user_id, day, slot)
          do update set ${list((total) => `${total} = kept.${total} + excluded.${total}`)}',
        shard_of('time_tracking_totals', account))
      using account, workspace, member, date, ${list((total) => `added_${total}`)};
    end
    $$`.execute(db);
}

/** As migration 0034 does on one server. */
const forgetAndCompare = (db: Kysely<DB>): Promise<unknown> =>
  sql`
    create or replace function forget_and_compare(account bigint, member bigint, since date, moment timestamptz, day date)
    returns boolean language plpgsql as $$
    declare
      is_closed boolean;
    begin
      perform pg_advisory_xact_lock_shared(month_lock(account, member));
      if since is not null then
        execute format(
          'delete from %I where account_id = $1 and user_id = $2 and date > $3', shard_of('kept_months', account))
        using account, member, since;
      end if;
      execute format(
        'select exists (
          select from %I closed
          where closed.account_id = $1 and closed.user_id = $2 and closed.reopened_at is null
            and (closed.ends_at > $3 or closed.next_date > $4))',
        shard_of('accounting_periods', account))
      into is_closed using account, member, moment, day;
      return is_closed;
    end
    $$`.execute(db);
