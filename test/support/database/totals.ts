import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/connection.ts';

/** Lists the differences between the kept totals of an account's time trackings and a recount. */
export async function wrongTotals(db: Db, accountId: number): Promise<unknown[]> {
  const { rows } = await sql`
    with recounted as (
      select workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
        count(*) as trackings, count(*) filter (where confirmed) as confirmed,
        sum(gross_s) as gross_s, sum(least(gross_s, break_s)) as break_s,
        coalesce(sum(gross_s) filter (where confirmed), 0) as confirmed_gross_s, coalesce(sum(least(gross_s, break_s)) filter (where confirmed), 0) as confirmed_break_s
      from (select *, (starts_at at time zone 'UTC')::date as day from time_trackings where account_id = ${accountId} and ends_at is not null) as tracking
      group by grouping sets ((workspace_id), (workspace_id, user_id), (workspace_id, day))
    ), kept as (
      select workspace_id, user_id, day, sum(trackings) as trackings, sum(confirmed) as confirmed, sum(gross_s) as gross_s, sum(break_s) as break_s,
        sum(confirmed_gross_s) as confirmed_gross_s, sum(confirmed_break_s) as confirmed_break_s
      from time_tracking_totals where account_id = ${accountId} group by 1, 2, 3
      having sum(trackings) <> 0 or sum(gross_s) <> 0 or sum(break_s) <> 0 or sum(confirmed) <> 0
    )
    (select 'missing' as problem, * from recounted except all select 'missing', * from kept)
    union all
    (select 'too much', * from kept except all select 'too much', * from recounted)`.execute(db);
  return rows;
}
