import { sql, type Kysely } from 'kysely';

const totals = ['trackings', 'confirmed', 'gross_s', 'break_s', 'confirmed_gross_s', 'confirmed_break_s'];

/*
 * One function adds to the totals of time trackings, and the triggers call it. Where rows are distributed over several servers, it
 * is replaced by one that is faster there: see src/db/distribution/shards.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const list = (text: (total: string) => string, separator = ', ') => sql.raw(totals.map(text).join(separator));
  await sql`
    create function add_to_totals(account bigint, workspace bigint, member bigint, date date, ${list((total) => `added_${total} bigint`)})
    returns void language plpgsql as $$
    begin
      insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, ${list(String)})
      values (account, workspace, member, date, (pg_backend_pid() % 16)::smallint, ${list((total) => `added_${total}`)})
      on conflict (account_id, workspace_id, user_id, day, slot)
        do update set ${list((total) => `${total} = kept.${total} + excluded.${total}`)};
    end
    $$`.execute(db);
  const changes = {
    insert: 'select *, 1 as sign from added',
    update: 'select *, 1 as sign from added union all select *, -1 from removed',
    delete: 'select *, -1 as sign from removed',
  };
  for (const [event, rows] of Object.entries(changes))
    await sql`
      create or replace function ${sql.ref(`time_tracking_totals_after_${event}`)}() returns trigger language plpgsql as $$
      declare
        change record;
      begin
        for change in
          select account_id, workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
            ${list((total) => `sum(sign * ${total})::bigint as ${total}`)}
          from (
            select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign,
              1 as trackings, confirmed::integer as confirmed, gross_s, least(gross_s, break_s) as break_s,
              case when confirmed then gross_s else 0 end as confirmed_gross_s,
              case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
            from (${sql.raw(rows)}) tracking
            where ends_at is not null) counted
          group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
          having ${list((total) => `sum(sign * ${total}) <> 0`, ' or ')}
          -- Transactions that change the same totals lock them in the same order.
          order by 1, 2, 3, 4
        loop
          perform add_to_totals(change.account_id, change.workspace_id, change.user_id, change.day, ${list((total) => `change.${total}`)});
        end loop;
        return null;
      end
      $$`.execute(db);
}
