/*
 * The triggers that keep closed months as they are. Those that forget kept months also refuse what would change a closed day. They share
 * the lock of a user with each other, and a closing needs it alone. So a write either comes before the closing, which then reads it,
 * or it waits for the closing and is refused.
 */

/** Compares two rows without the columns that no time account depends on. All others, also of later releases, are closed. */
const differs = (free: string, before = 'before', after = 'after') =>
  `to_jsonb(${before}) - '{${free}}'::text[] <> to_jsonb(${after}) - '{${free}}'::text[]`;

const freeOfTimeTrackings =
  'assignment_id,external_id,import_id,planned,start_signature_id,end_signature_id,last_editor_id,updated_at,created_by';

/** An absence that reaches into an open month may be shortened or extended there. Its decision, its type and its user stay. */
const freeOfAbsences =
  'title,starts_at,ends_at,time_zone,full_day,half_start,half_end,hours,days,updated_at,' +
  'use_custom_values,confirmed_at,confirmed_by_user_id,confirm_message,charge_days_job_status,' +
  'external_id,import_id,outlook_id,created_by';

type ChangeOf = readonly [event: 'insert' | 'update' | 'delete', table: string, name: string, body: string];

const functionAfter = ([event, table, name, body]: ChangeOf) => `
create or replace function ${name}_${table}_${event}() returns trigger language plpgsql as $$
${body}
$$;`;

/** Adds a trigger about all rows that one kind of statement changes. */
const afterEach = (change: ChangeOf) => {
  const [event, table, name] = change;
  const added = event === 'delete' ? '' : ' new table as added';
  const removed = event === 'insert' ? '' : ' old table as removed';
  return `${functionAfter(change)}
create trigger ${name}_${event} after ${event} on ${table}
  referencing${removed}${added} for each statement execute function ${name}_${table}_${event}();`;
};

/** Forgets and refuses for all rows that were added or removed. */
const forgetRows = (rows: 'added' | 'removed', since: string, moment: string, day: string) => `begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, ${since} as since, min(${moment}) as moment, min(${day}) as day
    from ${rows} group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end`;

/** Forgets and refuses for rows with a date that were changed. */
const forgetDatedChanges = (key: string, free: string, since: string) => `declare
  is_near_closed boolean;
begin
  select bool_or(forget_and_compare(account_id, user_id, since, moment, day)) into is_near_closed
  from (
    select account_id, user_id, ${since} as since, min(null::timestamptz) as moment, min(date) as day
    from (select account_id, user_id, date from added union all select account_id, user_id, date from removed) change
    group by account_id, user_id) change;
  if is_near_closed then
    perform refuse_closed(side.account_id, side.user_id, null::timestamptz, date)
    from (
      select before.* from removed before join added after on ${key} where ${differs(free)}
      union all
      select after.* from removed before join added after on ${key} where ${differs(free)}) side;
  end if;
  return null;
end`;

/** A local day is at most one day before that of UTC. Running work changes no month yet. */
const sinceOfTimeTrackings = `min((starts_at at time zone 'UTC')::date - 1) filter (where ends_at is not null)`;

const forgetChangedTimeTrackings = (since: string) => `declare
  is_near_closed boolean;
begin
  select bool_or(forget_and_compare(account_id, user_id, since, moment, null)) into is_near_closed
  from (
    select account_id, user_id, ${since} as since,
      min(starts_at) as moment
    from (
      select account_id, user_id, starts_at, ends_at from added
      union all select account_id, user_id, starts_at, ends_at from removed) change
    group by account_id, user_id) change;
  if is_near_closed then
    perform refuse_closed(side.account_id, side.user_id, side.starts_at, null)
    from (
      select before.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
      where ${differs(freeOfTimeTrackings)}
      union all
      select after.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
      where ${differs(freeOfTimeTrackings)}) side;
  end if;
  return null;
end`;

const dated = (table: string, key: readonly string[], free: string, since: string): ChangeOf[] => {
  const isSameRow = `(${key.map((column) => `after.${column}`).join(', ')}) = (${key.map((column) => `before.${column}`).join(', ')})`;
  const forget = (rows: 'added' | 'removed') => forgetRows(rows, since, 'null::timestamptz', 'date');
  return [
    ['insert', table, 'forget_months', forget('added')],
    ['update', table, 'forget_months', forgetDatedChanges(isSameRow, free, since)],
    ['delete', table, 'forget_months', forget('removed')],
  ];
};

/** What forgets months, given the days from which on each kind of table forgets them. */
const forgetting = (sinceOfTimeTrackings: string, sinceOfDates: string): ChangeOf[] => [
  ['insert', 'time_trackings', 'forget_months', forgetRows('added', sinceOfTimeTrackings, 'starts_at', 'null::date')],
  ['update', 'time_trackings', 'forget_months', forgetChangedTimeTrackings(sinceOfTimeTrackings)],
  ['delete', 'time_trackings', 'forget_months', forgetRows('removed', sinceOfTimeTrackings, 'starts_at', 'null::date')],
  ...dated('absence_days', ['account_id', 'absence_id', 'date'], '', sinceOfDates),
  ...dated('time_account_entries', ['account_id', 'id'], 'note', sinceOfDates),
];

/** The functions of the same triggers, for a later migration. */
export const forgettingFunctions = (sinceOfTimeTrackings: string, sinceOfDates: string): string =>
  forgetting(sinceOfTimeTrackings, sinceOfDates).map(functionAfter).join('');

/** A break can move without changing the sum of the breaks, and with it the hours at night. */
const refuseClosedBreaks = (rows: string) => `declare
  change record;
  work record;
begin
  for change in select account_id, array_agg(time_tracking_id) as ids from (${rows}) moved group by account_id loop
    for work in
      select user_id, min(starts_at) as starts_at from time_trackings
      where account_id = change.account_id and id = any(change.ids) group by user_id
    loop
      perform refuse_closed(change.account_id, work.user_id, work.starts_at, null);
    end loop;
  end loop;
  return null;
end`;

const movedBreaks = `select before.account_id, before.time_tracking_id
  from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
  where (after.starts_at, after.ends_at) is distinct from (before.starts_at, before.ends_at)`;

/** The triggers that forget kept months and refuse changes of closed ones. */
export const guards = String.raw`
-- Refuses a moment or a day that lies in a closed month of a user, or before one.
create function refuse_closed(account bigint, member bigint, moment timestamptz, day date) returns void language plpgsql as $$
declare
  period record;
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  select closed.id, to_char(closed.month, 'YYYY-MM') as month into period from accounting_periods closed
  where closed.account_id = account and closed.user_id = member and closed.reopened_at is null
    and (closed.ends_at > moment or closed.next_date > day)
  order by closed.month limit 1;
  if found then
    raise exception 'A closed month cannot be changed.' using errcode = 'PC001',
      detail = json_build_object('month', period.month, 'user_id', member, 'id', period.id)::text;
  end if;
end
$$;

-- Forgets kept months as forget_months does, none where "since" is null, and returns whether the moment or the day is closed.
create function forget_and_compare(account bigint, member bigint, since date, moment timestamptz, day date)
returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  if since is not null then
    delete from kept_months where account_id = account and user_id = member and date > since;
  end if;
  return exists (
    select from accounting_periods closed
    where closed.account_id = account and closed.user_id = member and closed.reopened_at is null
      and (closed.ends_at > moment or closed.next_date > day));
end
$$;
${forgetting(sinceOfTimeTrackings, 'min(date - 1)').map(afterEach).join('')}
${afterEach(['insert', 'breaks', 'refuse_closed', refuseClosedBreaks('select account_id, time_tracking_id from added')])}
${afterEach(['update', 'breaks', 'refuse_closed', refuseClosedBreaks(movedBreaks)])}
${afterEach(['delete', 'breaks', 'refuse_closed', refuseClosedBreaks('select account_id, time_tracking_id from removed')])}

create function refuse_closed_decision() returns trigger language plpgsql as $$
declare
  first_date date;
begin
  if ${differs(freeOfAbsences, 'old', 'new')} then
    select min(date) into first_date from absence_days where account_id = old.account_id and absence_id = old.id;
    perform refuse_closed(old.account_id, old.user_id, null, first_date);
  end if;
  return null;
end
$$;
create trigger refuse_closed after update on absences for each row execute function refuse_closed_decision();

-- Settings with a date inside a closed month. Those without a date act from the first open day on.
create function refuse_closed_target_hour() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or ${differs('reset_confirmed_absences,updated_by_user_id,updated_at', 'old', 'new')} then
    perform refuse_closed(coalesce(new.account_id, old.account_id), coalesce(new.user_id, old.user_id), null,
      least(old.start_date, new.start_date));
  end if;
  return null;
end
$$;
create trigger refuse_closed after insert or update or delete on target_hours
  for each row execute function refuse_closed_target_hour();

create function refuse_closed_cycle() returns trigger language plpgsql as $$
declare
  target record;
  account bigint := coalesce(new.account_id, old.account_id);
begin
  select user_id, start_date into target from target_hours
  where account_id = account and id = coalesce(new.target_hour_id, old.target_hour_id);
  if found then
    perform refuse_closed(account, target.user_id, null, target.start_date);
  end if;
  return null;
end
$$;
create trigger refuse_closed after insert or update or delete on target_working_days
  for each row execute function refuse_closed_cycle();

create function refuse_closed_holiday() returns trigger language plpgsql as $$
declare
  account bigint := coalesce(new.account_id, old.account_id);
  concerned bigint;
begin
  -- The holidays of a workspace apply to the users whose first workspace it is.
  select closed.user_id into concerned from accounting_periods closed
  where closed.account_id = account and closed.reopened_at is null and closed.next_date > least(old.date, new.date)
    and coalesce(new.workspace_id, old.workspace_id) = coalesce(
      (select min(member.workspace_id) from memberships member
       where member.account_id = account and member.user_id = closed.user_id),
      (select min(workspace.id) from workspaces workspace where workspace.account_id = account))
  order by closed.user_id limit 1;
  if found then
    perform refuse_closed(account, concerned, null, least(old.date, new.date));
  end if;
  return null;
end
$$;
create trigger refuse_closed after insert or update or delete on public_holidays
  for each row execute function refuse_closed_holiday();

create function refuse_closed_user() returns trigger language plpgsql as $$
begin
  if new.start_of_accounting <> old.start_of_accounting then
    perform refuse_closed(new.account_id, new.id, null, least(old.start_of_accounting, new.start_of_accounting));
  end if;
  if new.holiday_region_from is distinct from old.holiday_region_from then
    perform refuse_closed(new.account_id, new.id, null, new.holiday_region_from);
  end if;
  return null;
end
$$;
create trigger refuse_closed after update of start_of_accounting, holiday_region_from on users
  for each row execute function refuse_closed_user();

create function refuse_closed_contract_end() returns trigger language plpgsql as $$
declare
  default_profile bigint;
  first_month date;
begin
  -- The days after the last one of the contract change. Any text can be stored, so it is compared as a text.
  if new.value !~ '^\d{4}-\d\d-\d\d$' or (tg_op = 'UPDATE' and new.value is not distinct from old.value) then
    return null;
  end if;
  select min(id) into default_profile from data_profiles where account_id = new.account_id;
  if exists (
    select from custom_fields
    where account_id = new.account_id and id = new.custom_field_id and key = 'end_of_contract' and data_profile_id = default_profile
  ) then
    perform pg_advisory_xact_lock_shared(month_lock(new.account_id, new.user_id));
    select min(month) into first_month from accounting_periods
    where account_id = new.account_id and user_id = new.user_id and reopened_at is null
      and to_char(next_date - 1, 'YYYY-MM-DD') > new.value;
    perform refuse_closed(new.account_id, new.user_id, null, first_month);
  end if;
  return null;
end
$$;
create trigger refuse_closed after insert or update on custom_field_values
  for each row execute function refuse_closed_contract_end();
`;
