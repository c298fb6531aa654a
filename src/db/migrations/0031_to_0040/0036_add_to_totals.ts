import { sql, type Kysely } from 'kysely';
import { listOfTotals, sumTimeTrackings } from './0034_one_account_each.ts';

/*
 * One function adds to the totals of time trackings, and the triggers call it. Where rows are distributed over several servers, it
 * is replaced by one that is faster there: see src/db/distribution/shards.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function add_to_totals(account bigint, workspace bigint, member bigint, date date, ${listOfTotals((total) => `added_${total} bigint`)})
    returns void language plpgsql as $$
    begin
      insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, ${listOfTotals(String)})
      values (account, workspace, member, date, (pg_backend_pid() % 16)::smallint, ${listOfTotals((total) => `added_${total}`)})
      on conflict (account_id, workspace_id, user_id, day, slot)
        do update set ${listOfTotals((total) => `${total} = kept.${total} + excluded.${total}`)};
    end
    $$`.execute(db);
  await sumTimeTrackings(
    db,
    sql`perform add_to_totals(
            change.account_id, change.workspace_id, change.user_id, change.day, ${listOfTotals((total) => `change.${total}::bigint`)});`,
  );
}
