const totals = ['trackings', 'confirmed', 'gross_s', 'break_s', 'confirmed_gross_s', 'confirmed_break_s'];
const listOfTotals = (text: (total: string) => string, separator = ', ') => totals.map(text).join(separator);

/**
 * The trigger that adds what one kind of statement has changed to the totals. `rows` selects the changed rows with their sign. The
 * order makes transactions that change the same totals lock them one after the other.
 */
const totalsAfter = (event: string, tables: string, rows: string) => `
create function time_tracking_totals_after_${event}() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select account_id, workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
      ${listOfTotals((total) => `sum(sign * ${total}) as ${total}`)}
    from (
      select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign,
        1 as trackings, confirmed::integer as confirmed, gross_s, least(gross_s, break_s) as break_s,
        case when confirmed then gross_s else 0 end as confirmed_gross_s,
        case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
      from (${rows}) tracking
      where ends_at is not null) counted
    group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
    having ${listOfTotals((total) => `sum(sign * ${total}) <> 0`, ' or ')}
    order by 1, 2, 3, 4
  loop
    insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, ${listOfTotals(String)})
    values (change.account_id, change.workspace_id, change.user_id, change.day, (pg_backend_pid() % 16)::smallint,
      ${listOfTotals((total) => `change.${total}`)})
    on conflict (account_id, workspace_id, user_id, day, slot)
      do update set ${listOfTotals((total) => `${total} = kept.${total} + excluded.${total}`)};
  end loop;
  return null;
end
$$;
create trigger time_tracking_totals_after_${event} after ${event} on time_trackings
  referencing ${tables} for each statement execute function time_tracking_totals_after_${event}();`;

/**
 * Totals of the time trackings of a workspace, of each of its users, and of each of its days in UTC, kept by triggers: see
 * src/working_time/time_trackings/list/totals.ts. They are about trackings that have ended, because the time of a running one depends on the
 * present.
 */
export const timeTrackingTotals = `
create table time_tracking_totals (
  account_id bigint not null, workspace_id bigint not null,
  -- 0 stands for everybody.
  user_id bigint not null,
  -- -infinity stands for all days.
  day date not null,
  -- Which of several rows that add up, so that those who write at the same time seldom wait for each other.
  slot smallint not null,
  trackings bigint not null, confirmed bigint not null, gross_s bigint not null, break_s bigint not null,
  confirmed_gross_s bigint not null, confirmed_break_s bigint not null,
  primary key (account_id, workspace_id, user_id, day, slot)
-- Room for the new version of a row on its page, because every row is changed often.
) with (fillfactor = 50);
${totalsAfter('insert', 'new table as added', 'select *, 1 as sign from added')}
${totalsAfter('update', 'old table as removed new table as added', 'select *, 1 as sign from added union all select *, -1 from removed')}
${totalsAfter('delete', 'old table as removed', 'select *, -1 as sign from removed')}
`;
