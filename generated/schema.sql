-- The schema after all migrations, in alphabetical order. It shows what a migration changes. Nothing executes it.

CREATE OR REPLACE FUNCTION anonymise_events(account bigint, member bigint, names text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
begin
  if account is distinct from nullif(current_setting('app.account', true), '')::bigint or not exists (
    select from users where users.account_id = account and users.id = member and users.anonymised_at is not null
  ) then
    raise exception 'Only the events of an anonymised user of the own account can be blanked.';
  end if;
  update events set changes = anonymised_changes(changes), external_id = null
  where events.account_id = account
    and (events.user_id = member
      or events.record_type = 'user' and events.record_id = member::text
      or events.record_type = 'note' and events.actor_type = 'user' and events.actor_id = member::text);
  update events set changes = anonymised_changes(changes)
  where events.account_id = account and events.record_type = 'notification' and events.changes::text ~ names;
end
$function$;

CREATE OR REPLACE FUNCTION anonymised_changes(changes jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(jsonb_object_agg(entry.attribute, case
    when entry.attribute = any('{starts_at,ends_at,actual_starts_at,actual_ends_at,date,month,full_day,half_start,half_end,hours,days,breaks,break_duration,force_custom_break_duration,manual_pause_min,confirmed,confirmed_at,confirmed_by_user_id,confirmation_status,status,user_id,user_ids,workspace_id,workspace_ids,area_id,area_ids,tag_id,tag_ids,taggable_id,absence_type_id,absence_type_ids,time_tracking_id,absence_id,shift_id,application,kind,role,is_account_admin,planned_days,transferred_days,closed_at,reopened_at,acknowledged_at,acknowledged_by_user_id,size_bytes,used_at,expires_at,rhythm_type,cycle,use_custom_values,limited,planned,expires,transfer_remaining,end_of_transfer_period,locked}'::text[]) or jsonb_typeof(entry.change) <> 'array' then entry.change
    else (
      select jsonb_agg(case when part.value = 'null' then part.value else '"anonymised"' end order by part.position)
      from jsonb_array_elements(entry.change) with ordinality part (value, position))
    end), '{}')
  from jsonb_each(changes) entry (attribute, change)
$function$;

CREATE OR REPLACE FUNCTION current_event_epoch()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$select 1$function$;

CREATE OR REPLACE FUNCTION default_target_hour()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into target_hours
    (account_id, user_id, start_date, is_mon, mon_s, is_tue, tue_s, is_wed, wed_s, is_thu, thu_s, is_fri, fri_s, created_at, updated_at)
  values (new.account_id, new.id, new.start_of_accounting, true, 28800, true, 28800, true, 28800, true, 28800, true, 28800,
    new.created_at, new.created_at);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION event_server()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$select system_identifier from pg_control_system()$function$;

CREATE OR REPLACE FUNCTION file_totals_after_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  for change in select account_id, sum(size_bytes) as bytes from removed group by account_id order by account_id loop
    update file_totals set used_bytes = used_bytes - change.bytes where account_id = change.account_id;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION file_totals_after_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  for change in select account_id, sum(size_bytes) as bytes from added group by account_id order by account_id loop
    insert into file_totals as kept (account_id, used_bytes) values (change.account_id, change.bytes)
    on conflict (account_id) do update set used_bytes = kept.used_bytes + excluded.used_bytes;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION file_totals_after_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update file_totals set used_bytes = used_bytes + new.size_bytes - old.size_bytes where account_id = new.account_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_and_compare(account bigint, member bigint, days date[], moment timestamp with time zone, day date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION forget_months(account bigint, member bigint, since date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(month_lock(account, member));
  delete from month_cache where account_id = account and user_id = member and month >= date_trunc('month', since::timestamp);
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_absence_days_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, array[min(date), max(date)] as since, min(null::timestamptz) as moment, min(date) as day
    from removed group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_absence_days_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, array[min(date), max(date)] as since, min(null::timestamptz) as moment, min(date) as day
    from added group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_absence_days_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_near_closed boolean;
begin
  select bool_or(forget_and_compare(account_id, user_id, since, moment, day)) into is_near_closed
  from (
    select account_id, user_id, array[min(date), max(date)] as since, min(null::timestamptz) as moment, min(date) as day
    from (select account_id, user_id, date from added union all select account_id, user_id, date from removed) change
    group by account_id, user_id) change;
  if is_near_closed then
    perform refuse_closed(side.account_id, side.user_id, null::timestamptz, date)
    from (
      select before.* from removed before join added after on (after.account_id, after.absence_id, after.date) = (before.account_id, before.absence_id, before.date) where to_jsonb(before) - '{}'::text[] <> to_jsonb(after) - '{}'::text[]
      union all
      select after.* from removed before join added after on (after.account_id, after.absence_id, after.date) = (before.account_id, before.absence_id, before.date) where to_jsonb(before) - '{}'::text[] <> to_jsonb(after) - '{}'::text[]) side;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_absence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform forget_and_compare(new.account_id, new.user_id, array[min(date), max(date)], null, null)
  from absence_days where account_id = new.account_id and absence_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_account(account bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- No user has the id 0.
  perform pg_advisory_xact_lock_shared(month_lock(account, 0));
  delete from month_cache where account_id = account;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_everybody()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform forget_months_of_account(coalesce(new.account_id, old.account_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_field()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_field_of_time_account(old.key) or is_field_of_time_account(new.key) then
    perform forget_months_of_account(coalesce(new.account_id, old.account_id));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_field_value()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from custom_fields field
    where field.account_id = coalesce(new.account_id, old.account_id)
      and field.id = coalesce(new.custom_field_id, old.custom_field_id) and is_field_of_time_account(field.key)
  ) then
    perform forget_months(coalesce(new.account_id, old.account_id), coalesce(new.user_id, old.user_id), '-infinity');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_self()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform forget_months(coalesce(new.account_id, old.account_id), new.id, '-infinity');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform forget_months(coalesce(new.account_id, old.account_id), coalesce(new.user_id, old.user_id), '-infinity');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_time_account_entries_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, array[min(date), max(date)] as since, min(null::timestamptz) as moment, min(date) as day
    from removed group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_time_account_entries_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, array[min(date), max(date)] as since, min(null::timestamptz) as moment, min(date) as day
    from added group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_time_account_entries_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_near_closed boolean;
begin
  select bool_or(forget_and_compare(account_id, user_id, since, moment, day)) into is_near_closed
  from (
    select account_id, user_id, array[min(date), max(date)] as since, min(null::timestamptz) as moment, min(date) as day
    from (select account_id, user_id, date from added union all select account_id, user_id, date from removed) change
    group by account_id, user_id) change;
  if is_near_closed then
    perform refuse_closed(side.account_id, side.user_id, null::timestamptz, date)
    from (
      select before.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id) where to_jsonb(before) - '{note}'::text[] <> to_jsonb(after) - '{note}'::text[]
      union all
      select after.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id) where to_jsonb(before) - '{note}'::text[] <> to_jsonb(after) - '{note}'::text[]) side;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_time_trackings_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, array[
  min((starts_at at time zone 'UTC')::date - 1) filter (where ends_at is not null),
  max((starts_at at time zone 'UTC')::date + 1) filter (where ends_at is not null)] as since, min(starts_at) as moment, min(null::date) as day
    from removed group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_time_trackings_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refuse_closed(account_id, user_id, moment, day)
  from (
    select account_id, user_id, array[
  min((starts_at at time zone 'UTC')::date - 1) filter (where ends_at is not null),
  max((starts_at at time zone 'UTC')::date + 1) filter (where ends_at is not null)] as since, min(starts_at) as moment, min(null::date) as day
    from added group by account_id, user_id) change
  where forget_and_compare(account_id, user_id, since, moment, day);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_months_time_trackings_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_near_closed boolean;
begin
  select bool_or(forget_and_compare(account_id, user_id, since, moment, null)) into is_near_closed
  from (
    select account_id, user_id, array[
  min((starts_at at time zone 'UTC')::date - 1) filter (where ends_at is not null),
  max((starts_at at time zone 'UTC')::date + 1) filter (where ends_at is not null)] as since,
      min(starts_at) as moment
    from (
      select account_id, user_id, starts_at, ends_at from added
      union all select account_id, user_id, starts_at, ends_at from removed) change
    group by account_id, user_id) change;
  if is_near_closed then
    perform refuse_closed(side.account_id, side.user_id, side.starts_at, null)
    from (
      select before.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
      where to_jsonb(before) - '{assignment_id,external_id,import_id,planned,start_signature_id,end_signature_id,last_editor_id,updated_at,created_by}'::text[] <> to_jsonb(after) - '{assignment_id,external_id,import_id,planned,start_signature_id,end_signature_id,last_editor_id,updated_at,created_by}'::text[]
      union all
      select after.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
      where to_jsonb(before) - '{assignment_id,external_id,import_id,planned,start_signature_id,end_signature_id,last_editor_id,updated_at,created_by}'::text[] <> to_jsonb(after) - '{assignment_id,external_id,import_id,planned,start_signature_id,end_signature_id,last_editor_id,updated_at,created_by}'::text[]) side;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION is_field_of_time_account(key text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select key in ('start_of_work', 'end_of_contract')
$function$;

CREATE OR REPLACE FUNCTION month_lock(account bigint, member bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 731800000000 + case member when 0 then 1024 else 0 end
    + (hashtextextended(account::text || ' ' || member::text, 0) & 1023)
$function$;

CREATE OR REPLACE FUNCTION note_object_of_moved_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into removed_objects (account_id, object_key) values (old.account_id, old.object_key) on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_objects_of_deleted_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  gone record;
begin
  for gone in select account_id, object_key from removed where object_key is not null order by account_id, object_key loop
    insert into removed_objects (account_id, object_key) values (gone.account_id, gone.object_key) on conflict do nothing;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_closed(account bigint, member bigint, moment timestamp with time zone, day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_breaks_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
  work record;
begin
  for change in select account_id, array_agg(time_tracking_id) as ids from (select account_id, time_tracking_id from removed) moved group by account_id loop
    for work in
      select user_id, min(starts_at) as starts_at from time_trackings
      where account_id = change.account_id and id = any(change.ids) group by user_id
    loop
      perform refuse_closed(change.account_id, work.user_id, work.starts_at, null);
    end loop;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_breaks_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
  work record;
begin
  for change in select account_id, array_agg(time_tracking_id) as ids from (select account_id, time_tracking_id from added) moved group by account_id loop
    for work in
      select user_id, min(starts_at) as starts_at from time_trackings
      where account_id = change.account_id and id = any(change.ids) group by user_id
    loop
      perform refuse_closed(change.account_id, work.user_id, work.starts_at, null);
    end loop;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_breaks_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
  work record;
begin
  for change in select account_id, array_agg(time_tracking_id) as ids from (select before.account_id, before.time_tracking_id
  from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
  where (after.starts_at, after.ends_at) is distinct from (before.starts_at, before.ends_at)) moved group by account_id loop
    for work in
      select user_id, min(starts_at) as starts_at from time_trackings
      where account_id = change.account_id and id = any(change.ids) group by user_id
    loop
      perform refuse_closed(change.account_id, work.user_id, work.starts_at, null);
    end loop;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_contract_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_cycle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_decision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  first_date date;
begin
  if to_jsonb(old) - '{title,starts_at,ends_at,time_zone,full_day,half_start,half_end,hours,days,updated_at,use_custom_values,confirmed_at,confirmed_by_user_id,confirm_message,charge_days_job_status,external_id,import_id,outlook_id,created_by}'::text[] <> to_jsonb(new) - '{title,starts_at,ends_at,time_zone,full_day,half_start,half_end,hours,days,updated_at,use_custom_values,confirmed_at,confirmed_by_user_id,confirm_message,charge_days_job_status,external_id,import_id,outlook_id,created_by}'::text[] then
    select min(date) into first_date from absence_days where account_id = old.account_id and absence_id = old.id;
    perform refuse_closed(old.account_id, old.user_id, null, first_date);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_holiday()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_target_hour()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'UPDATE' or to_jsonb(old) - '{reset_confirmed_absences,updated_by_user_id,updated_at}'::text[] <> to_jsonb(new) - '{reset_confirmed_absences,updated_by_user_id,updated_at}'::text[] then
    perform refuse_closed(coalesce(new.account_id, old.account_id), coalesce(new.user_id, old.user_id), null,
      least(old.start_date, new.start_date));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION refuse_closed_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.start_of_accounting <> old.start_of_accounting then
    perform refuse_closed(new.account_id, new.id, null, least(old.start_of_accounting, new.start_of_accounting));
  end if;
  if new.holiday_region_from is distinct from old.holiday_region_from then
    perform refuse_closed(new.account_id, new.id, null, new.holiday_region_from);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION time_tracking_totals_after_delete()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  for change in
    select account_id, workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
      sum(sign * trackings) as trackings, sum(sign * confirmed) as confirmed, sum(sign * gross_s) as gross_s, sum(sign * break_s) as break_s, sum(sign * confirmed_gross_s) as confirmed_gross_s, sum(sign * confirmed_break_s) as confirmed_break_s
    from (
      select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign,
        1 as trackings, confirmed::integer as confirmed, gross_s, least(gross_s, break_s) as break_s,
        case when confirmed then gross_s else 0 end as confirmed_gross_s,
        case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
      from (select *, -1 as sign from removed) tracking
      where ends_at is not null) counted
    group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
    having sum(sign * trackings) <> 0 or sum(sign * confirmed) <> 0 or sum(sign * gross_s) <> 0 or sum(sign * break_s) <> 0 or sum(sign * confirmed_gross_s) <> 0 or sum(sign * confirmed_break_s) <> 0
    order by 1, 2, 3, 4
  loop
    insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, trackings, confirmed, gross_s, break_s, confirmed_gross_s, confirmed_break_s)
    values (change.account_id, change.workspace_id, change.user_id, change.day, (pg_backend_pid() % 16)::smallint,
      change.trackings, change.confirmed, change.gross_s, change.break_s, change.confirmed_gross_s, change.confirmed_break_s)
    on conflict (account_id, workspace_id, user_id, day, slot)
      do update set trackings = kept.trackings + excluded.trackings, confirmed = kept.confirmed + excluded.confirmed, gross_s = kept.gross_s + excluded.gross_s, break_s = kept.break_s + excluded.break_s, confirmed_gross_s = kept.confirmed_gross_s + excluded.confirmed_gross_s, confirmed_break_s = kept.confirmed_break_s + excluded.confirmed_break_s;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION time_tracking_totals_after_insert()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  for change in
    select account_id, workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
      sum(sign * trackings) as trackings, sum(sign * confirmed) as confirmed, sum(sign * gross_s) as gross_s, sum(sign * break_s) as break_s, sum(sign * confirmed_gross_s) as confirmed_gross_s, sum(sign * confirmed_break_s) as confirmed_break_s
    from (
      select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign,
        1 as trackings, confirmed::integer as confirmed, gross_s, least(gross_s, break_s) as break_s,
        case when confirmed then gross_s else 0 end as confirmed_gross_s,
        case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
      from (select *, 1 as sign from added) tracking
      where ends_at is not null) counted
    group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
    having sum(sign * trackings) <> 0 or sum(sign * confirmed) <> 0 or sum(sign * gross_s) <> 0 or sum(sign * break_s) <> 0 or sum(sign * confirmed_gross_s) <> 0 or sum(sign * confirmed_break_s) <> 0
    order by 1, 2, 3, 4
  loop
    insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, trackings, confirmed, gross_s, break_s, confirmed_gross_s, confirmed_break_s)
    values (change.account_id, change.workspace_id, change.user_id, change.day, (pg_backend_pid() % 16)::smallint,
      change.trackings, change.confirmed, change.gross_s, change.break_s, change.confirmed_gross_s, change.confirmed_break_s)
    on conflict (account_id, workspace_id, user_id, day, slot)
      do update set trackings = kept.trackings + excluded.trackings, confirmed = kept.confirmed + excluded.confirmed, gross_s = kept.gross_s + excluded.gross_s, break_s = kept.break_s + excluded.break_s, confirmed_gross_s = kept.confirmed_gross_s + excluded.confirmed_gross_s, confirmed_break_s = kept.confirmed_break_s + excluded.confirmed_break_s;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION time_tracking_totals_after_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change record;
begin
  for change in
    select account_id, workspace_id, coalesce(user_id, 0) as user_id, coalesce(day, '-infinity') as day,
      sum(sign * trackings) as trackings, sum(sign * confirmed) as confirmed, sum(sign * gross_s) as gross_s, sum(sign * break_s) as break_s, sum(sign * confirmed_gross_s) as confirmed_gross_s, sum(sign * confirmed_break_s) as confirmed_break_s
    from (
      select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign,
        1 as trackings, confirmed::integer as confirmed, gross_s, least(gross_s, break_s) as break_s,
        case when confirmed then gross_s else 0 end as confirmed_gross_s,
        case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
      from (select *, 1 as sign from added union all select *, -1 from removed) tracking
      where ends_at is not null) counted
    group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
    having sum(sign * trackings) <> 0 or sum(sign * confirmed) <> 0 or sum(sign * gross_s) <> 0 or sum(sign * break_s) <> 0 or sum(sign * confirmed_gross_s) <> 0 or sum(sign * confirmed_break_s) <> 0
    order by 1, 2, 3, 4
  loop
    insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, trackings, confirmed, gross_s, break_s, confirmed_gross_s, confirmed_break_s)
    values (change.account_id, change.workspace_id, change.user_id, change.day, (pg_backend_pid() % 16)::smallint,
      change.trackings, change.confirmed, change.gross_s, change.break_s, change.confirmed_gross_s, change.confirmed_break_s)
    on conflict (account_id, workspace_id, user_id, day, slot)
      do update set trackings = kept.trackings + excluded.trackings, confirmed = kept.confirmed + excluded.confirmed, gross_s = kept.gross_s + excluded.gross_s, break_s = kept.break_s + excluded.break_s, confirmed_gross_s = kept.confirmed_gross_s + excluded.confirmed_gross_s, confirmed_break_s = kept.confirmed_break_s + excluded.confirmed_break_s;
  end loop;
  return null;
end
$function$;

create table absence_days (
  account_id bigint not null,
  absence_id bigint not null,
  user_id bigint not null,
  date date not null,
  seconds integer not null,
  parts integer not null
);

alter table absence_days add constraint absence_days_pkey PRIMARY KEY (account_id, absence_id, date);

CREATE INDEX absence_days_of_user ON absence_days USING btree (account_id, user_id, date);

CREATE TRIGGER forget_months_delete AFTER DELETE ON absence_days REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION forget_months_absence_days_delete();

CREATE TRIGGER forget_months_insert AFTER INSERT ON absence_days REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_months_absence_days_insert();

CREATE TRIGGER forget_months_update AFTER UPDATE ON absence_days REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_months_absence_days_update();

alter table absence_days enable row level security;

create policy tenant on absence_days for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table absence_followers (
  account_id bigint not null,
  absence_id bigint not null,
  user_id bigint not null
);

alter table absence_followers add constraint absence_followers_pkey PRIMARY KEY (account_id, absence_id, user_id);

CREATE INDEX absence_followers_by_user ON absence_followers USING btree (account_id, user_id);

alter table absence_followers enable row level security;

create policy tenant on absence_followers for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table absence_types (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  title text not null,
  kind text not null,
  active boolean default true not null,
  external_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table absence_types add constraint absence_types_pkey PRIMARY KEY (account_id, id);

CREATE INDEX absence_types_by_workspace ON absence_types USING btree (account_id, workspace_id);

CREATE UNIQUE INDEX absence_types_external_id ON absence_types USING btree (account_id, external_id) WHERE ((external_id <> ''::text) AND active);

CREATE TRIGGER forget_months AFTER UPDATE OF kind ON absence_types FOR EACH ROW EXECUTE FUNCTION forget_months_of_everybody();

alter table absence_types enable row level security;

create policy tenant on absence_types for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table absences (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  uuid uuid not null,
  secure_id text not null,
  workspace_id bigint not null,
  user_id bigint not null,
  absence_type_id bigint not null,
  title text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  time_zone text,
  full_day boolean not null,
  hours numeric(12,2) not null,
  days numeric(12,2) not null,
  use_custom_values boolean default false not null,
  confirmation_status text default 'pending'::text not null,
  confirmed_at timestamp with time zone,
  confirmed_by_user_id bigint,
  confirm_message text,
  created_by text,
  created_by_user_id bigint,
  charge_days_job_status text default 'success'::text not null,
  external_id text,
  import_id text,
  outlook_id text,
  batch_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  half_start boolean default false not null,
  half_end boolean default false not null
);

alter table absences add constraint absences_pkey PRIMARY KEY (account_id, id);

alter table absences add constraint absences_check CHECK ((ends_at > starts_at));

alter table absences add constraint absences_confirmation_status_check CHECK ((confirmation_status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'rejected'::text])));

CREATE UNIQUE INDEX absences_batch ON absences USING btree (account_id, batch_id, user_id) WHERE (batch_id IS NOT NULL);

CREATE INDEX absences_by_range ON absences USING btree (account_id, workspace_id, starts_at, ends_at);

CREATE INDEX absences_by_start ON absences USING btree (account_id, starts_at);

CREATE INDEX absences_by_user ON absences USING btree (account_id, user_id, starts_at);

CREATE INDEX absences_by_workspace ON absences USING btree (account_id, workspace_id, id);

CREATE UNIQUE INDEX absences_external_id ON absences USING btree (account_id, external_id) WHERE (external_id <> ''::text);

CREATE INDEX absences_long ON absences USING btree (account_id, ends_at) WHERE ((ends_at - starts_at) > '31 days'::interval);

CREATE TRIGGER forget_months AFTER UPDATE OF confirmation_status, absence_type_id ON absences FOR EACH ROW EXECUTE FUNCTION forget_months_of_absence();

CREATE TRIGGER refuse_closed AFTER UPDATE ON absences FOR EACH ROW EXECUTE FUNCTION refuse_closed_decision();

alter table absences enable row level security;

create policy tenant on absences for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table access_tokens (
  hash text not null,
  id uuid not null,
  account_id bigint not null,
  user_id bigint not null,
  created_at timestamp with time zone not null,
  kind text not null,
  last_used_at timestamp with time zone not null,
  network text,
  user_agent text,
  ended_at timestamp with time zone
);

alter table access_tokens add constraint access_tokens_pkey PRIMARY KEY (hash);

alter table access_tokens add constraint access_tokens_kind_check CHECK ((kind = ANY (ARRAY['password'::text, 'invitation'::text])));

CREATE INDEX access_tokens_by_user ON access_tokens USING btree (account_id, user_id);

create table accounting_periods (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  user_id bigint not null,
  month date not null,
  next_date date generated always as (((month + '1 mon'::interval))::date) stored,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  all_s bigint not null,
  confirmed_s bigint not null,
  salary numeric(12,4) not null,
  sums jsonb not null,
  days jsonb not null,
  closed_at timestamp with time zone not null,
  closed_by_user_id bigint not null,
  reopened_at timestamp with time zone,
  reopened_by_user_id bigint,
  reopening_reason text
);

alter table accounting_periods add constraint accounting_periods_pkey PRIMARY KEY (account_id, id);

alter table accounting_periods add constraint accounting_periods_check CHECK ((ends_at > begins_at));

alter table accounting_periods add constraint accounting_periods_check1 CHECK ((num_nonnulls(reopened_at, reopened_by_user_id, reopening_reason) = ANY (ARRAY[0, 3])));

alter table accounting_periods add constraint accounting_periods_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric));

CREATE INDEX accounting_periods_by_workspace ON accounting_periods USING btree (account_id, workspace_id, user_id, month);

CREATE UNIQUE INDEX accounting_periods_closed ON accounting_periods USING btree (account_id, user_id, month) INCLUDE (next_date, ends_at) WHERE (reopened_at IS NULL);

alter table accounting_periods enable row level security;

create policy tenant on accounting_periods for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table accounts (
  id bigint generated by default as identity not null,
  account_name text not null,
  phone text,
  country text,
  locale text default 'de'::text not null,
  modules text[] default '{accounts}'::text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  confirmed_at timestamp with time zone
);

alter table accounts add constraint accounts_pkey PRIMARY KEY (id);

alter table accounts enable row level security;

create policy tenant on accounts for all using ((id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table actions (
  account_id bigint not null,
  id uuid not null,
  workspace_id bigint not null,
  user_id bigint not null,
  time_tracking_id bigint,
  action_type text not null,
  device_id text,
  action_time timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table actions add constraint actions_pkey PRIMARY KEY (account_id, id);

alter table actions add constraint actions_action_type_check CHECK ((action_type = ANY (ARRAY['start'::text, 'end'::text, 'start-break'::text, 'end-break'::text])));

CREATE INDEX actions_by_creation ON actions USING btree (account_id, workspace_id, created_at, id);

CREATE INDEX actions_by_time ON actions USING btree (account_id, workspace_id, action_time, id);

CREATE INDEX actions_by_time_tracking ON actions USING btree (account_id, time_tracking_id);

CREATE INDEX actions_by_user ON actions USING btree (account_id, workspace_id, user_id, action_time, id);

alter table actions enable row level security;

create policy tenant on actions for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table api_keys (
  id uuid not null,
  name text not null,
  hash text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone
);

alter table api_keys add constraint api_keys_pkey PRIMARY KEY (id);

alter table api_keys add constraint api_keys_hash_key UNIQUE (hash);

create table api_tokens (
  id uuid not null,
  account_id bigint not null,
  name text not null,
  hash text not null,
  last_four text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  read_only boolean default false not null
);

alter table api_tokens add constraint api_tokens_pkey PRIMARY KEY (id);

alter table api_tokens add constraint api_tokens_hash_key UNIQUE (hash);

CREATE INDEX api_tokens_by_account ON api_tokens USING btree (account_id);

create table area_members (
  account_id bigint not null,
  area_id bigint not null,
  user_id bigint not null
);

alter table area_members add constraint area_members_pkey PRIMARY KEY (account_id, area_id, user_id);

CREATE INDEX area_members_by_user ON area_members USING btree (account_id, user_id);

alter table area_members enable row level security;

create policy tenant on area_members for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table areas (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  name text not null,
  status text default 'active'::text not null,
  color text default '#9E9E9E'::text not null,
  external_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table areas add constraint areas_pkey PRIMARY KEY (account_id, id);

alter table areas add constraint areas_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])));

CREATE INDEX areas_by_workspace ON areas USING btree (account_id, workspace_id);

CREATE UNIQUE INDEX areas_external_id ON areas USING btree (account_id, external_id) WHERE ((external_id <> ''::text) AND (status = 'active'::text));

CREATE UNIQUE INDEX areas_name ON areas USING btree (account_id, workspace_id, name) WHERE (status = 'active'::text);

alter table areas enable row level security;

create policy tenant on areas for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table assignments (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  shift_id bigint not null,
  user_id bigint not null,
  application boolean not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  created_at timestamp with time zone not null
);

alter table assignments add constraint assignments_pkey PRIMARY KEY (account_id, id);

alter table assignments add constraint assignments_account_id_shift_id_user_id_key UNIQUE (account_id, shift_id, user_id);

CREATE INDEX assignments_by_user ON assignments USING btree (account_id, user_id, starts_at) WHERE (NOT application);

alter table assignments enable row level security;

create policy tenant on assignments for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table assumed_roles (
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null
);

alter table assumed_roles add constraint assumed_roles_pkey PRIMARY KEY (account_id, user_id, workspace_id);

alter table assumed_roles enable row level security;

create policy tenant on assumed_roles for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table attachments (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  time_tracking_id bigint,
  absence_id bigint,
  file_id uuid not null,
  author_id bigint,
  author text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table attachments add constraint attachments_pkey PRIMARY KEY (account_id, id);

alter table attachments add constraint attachments_check CHECK ((num_nonnulls(time_tracking_id, absence_id) = 1));

CREATE INDEX attachments_by_absence ON attachments USING btree (account_id, absence_id, id) WHERE (absence_id IS NOT NULL);

CREATE INDEX attachments_by_file ON attachments USING btree (account_id, file_id);

CREATE INDEX attachments_by_time_tracking ON attachments USING btree (account_id, time_tracking_id, id) WHERE (time_tracking_id IS NOT NULL);

alter table attachments enable row level security;

create policy tenant on attachments for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table attempts (
  key text not null,
  count integer not null,
  expires_at timestamp with time zone not null
);

alter table attempts add constraint attempts_pkey PRIMARY KEY (key);

create table batch_items (
  account_id bigint not null,
  batch_id uuid not null,
  "position" integer not null,
  item_id bigint not null,
  item_type text not null,
  failure text not null
);

alter table batch_items add constraint batch_items_pkey PRIMARY KEY (account_id, batch_id, "position");

alter table batch_items enable row level security;

create policy tenant on batch_items for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table batches (
  account_id bigint not null,
  id uuid not null,
  workspace_id bigint not null,
  user_id bigint not null,
  action text not null,
  input jsonb not null,
  state text default 'queued'::text not null,
  total integer not null,
  done integer default 0 not null,
  failed integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  item_type text default 'time_tracking'::text not null,
  item_ids bigint[] default '{}'::bigint[] not null
);

alter table batches add constraint batches_pkey PRIMARY KEY (account_id, id);

alter table batches add constraint batches_finished CHECK (((state <> 'finished'::text) OR ((done + failed) = total)));

alter table batches add constraint batches_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text, 'failed'::text])));

alter table batches enable row level security;

create policy tenant on batches for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table breaks (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  time_tracking_id bigint not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  created_by text not null,
  start_signature_id text,
  end_signature_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table breaks add constraint breaks_pkey PRIMARY KEY (account_id, id);

alter table breaks add constraint breaks_check CHECK ((ends_at > starts_at));

CREATE INDEX breaks_by_time_tracking ON breaks USING btree (account_id, time_tracking_id, starts_at);

CREATE UNIQUE INDEX breaks_open ON breaks USING btree (account_id, time_tracking_id) WHERE (ends_at IS NULL);

CREATE TRIGGER refuse_closed_delete AFTER DELETE ON breaks REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_breaks_delete();

CREATE TRIGGER refuse_closed_insert AFTER INSERT ON breaks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_breaks_insert();

CREATE TRIGGER refuse_closed_update AFTER UPDATE ON breaks REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_breaks_update();

alter table breaks enable row level security;

create policy tenant on breaks for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table calendar_feeds (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  name text not null,
  scope text not null,
  workspace_id bigint,
  area_id bigint,
  hash text not null,
  created_at timestamp with time zone not null
);

alter table calendar_feeds add constraint calendar_feeds_pkey PRIMARY KEY (account_id, id);

alter table calendar_feeds add constraint calendar_feeds_account_id_hash_key UNIQUE (account_id, hash);

alter table calendar_feeds add constraint calendar_feeds_check CHECK (((scope = 'own'::text) = (workspace_id IS NULL)));

alter table calendar_feeds add constraint calendar_feeds_check1 CHECK (((scope = 'area'::text) = (area_id IS NOT NULL)));

alter table calendar_feeds add constraint calendar_feeds_scope_check CHECK ((scope = ANY (ARRAY['own'::text, 'workspace'::text, 'area'::text])));

CREATE INDEX calendar_feeds_of_user ON calendar_feeds USING btree (account_id, user_id);

alter table calendar_feeds enable row level security;

create policy tenant on calendar_feeds for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table custom_field_values (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  custom_field_id bigint not null,
  user_id bigint not null,
  value text
);

alter table custom_field_values add constraint custom_field_values_pkey PRIMARY KEY (account_id, id);

alter table custom_field_values add constraint custom_field_values_account_id_user_id_custom_field_id_key UNIQUE (account_id, user_id, custom_field_id);

CREATE INDEX custom_field_values_by_field ON custom_field_values USING btree (account_id, custom_field_id);

CREATE TRIGGER forget_months AFTER INSERT OR DELETE OR UPDATE ON custom_field_values FOR EACH ROW EXECUTE FUNCTION forget_months_of_field_value();

CREATE TRIGGER refuse_closed AFTER INSERT OR UPDATE ON custom_field_values FOR EACH ROW EXECUTE FUNCTION refuse_closed_contract_end();

alter table custom_field_values enable row level security;

create policy tenant on custom_field_values for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table custom_fields (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  data_profile_id bigint not null,
  key text not null,
  title text not null,
  kind text default 'text'::text not null,
  "position" integer not null,
  data_type text generated always as (
CASE kind
    WHEN 'text'::text THEN 'string'::text
    ELSE kind
END) stored not null
);

alter table custom_fields add constraint custom_fields_pkey PRIMARY KEY (account_id, id);

alter table custom_fields add constraint custom_fields_key UNIQUE (account_id, data_profile_id, key);

alter table custom_fields add constraint custom_fields_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'float'::text, 'boolean'::text, 'date'::text, 'time'::text, 'country_select'::text])));

CREATE TRIGGER forget_months AFTER INSERT OR DELETE OR UPDATE OF key, data_profile_id ON custom_fields FOR EACH ROW EXECUTE FUNCTION forget_months_of_field();

alter table custom_fields enable row level security;

create policy tenant on custom_fields for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table data_exports (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  requested_by_user_id bigint not null,
  status text default 'pending'::text not null,
  message text,
  progress smallint default 0 not null,
  attempts smallint default 0 not null,
  file_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table data_exports add constraint data_exports_pkey PRIMARY KEY (account_id, id);

alter table data_exports add constraint data_exports_progress_check CHECK (((progress >= 0) AND (progress <= 100)));

alter table data_exports add constraint data_exports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text])));

CREATE INDEX data_exports_by_user ON data_exports USING btree (account_id, user_id);

CREATE INDEX data_exports_created_at ON data_exports USING btree (created_at);

alter table data_exports enable row level security;

create policy tenant on data_exports for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table data_profiles (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  title text not null,
  "position" integer,
  user_checkin boolean default false not null,
  enabled boolean default true not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  least_rank smallint default 1 not null
);

alter table data_profiles add constraint data_profiles_pkey PRIMARY KEY (account_id, id);

alter table data_profiles add constraint data_profiles_least_rank_check CHECK (((least_rank >= 1) AND (least_rank <= 4)));

alter table data_profiles enable row level security;

create policy tenant on data_profiles for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table deleted_records (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  user_id bigint not null,
  area_id bigint,
  record_type text not null,
  record_id bigint not null,
  record_uuid uuid,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  stored_rows jsonb not null,
  deleted_by text not null,
  deleted_at timestamp with time zone not null
);

alter table deleted_records add constraint deleted_records_pkey PRIMARY KEY (account_id, id);

alter table deleted_records add constraint deleted_records_account_id_record_type_record_id_key UNIQUE (account_id, record_type, record_id);

alter table deleted_records add constraint deleted_records_record_type_check CHECK ((record_type = ANY (ARRAY['time_tracking'::text, 'absence'::text])));

CREATE INDEX deleted_records_by_time ON deleted_records USING btree (deleted_at);

CREATE INDEX deleted_records_by_user ON deleted_records USING btree (account_id, user_id);

CREATE INDEX deleted_records_by_workspace ON deleted_records USING btree (account_id, workspace_id, id);

alter table deleted_records enable row level security;

create policy tenant on deleted_records for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table directory_calendar_feeds (
  hash text not null,
  account_id bigint not null,
  user_id bigint not null
);

alter table directory_calendar_feeds add constraint directory_calendar_feeds_pkey PRIMARY KEY (hash);

CREATE INDEX directory_calendar_feeds_by_user ON directory_calendar_feeds USING btree (account_id, user_id);

create table directory_emails (
  email text not null,
  account_id bigint not null,
  user_id bigint not null,
  proven_at timestamp with time zone
);

alter table directory_emails add constraint directory_emails_pkey PRIMARY KEY (email);

create table directory_invitations (
  hash text not null,
  account_id bigint not null
);

alter table directory_invitations add constraint directory_invitations_pkey PRIMARY KEY (hash);

create table directory_workspaces (
  workspace_id bigint not null,
  account_id bigint not null
);

alter table directory_workspaces add constraint directory_workspaces_pkey PRIMARY KEY (workspace_id);

create table event_removals (
  account_id bigint not null,
  epoch integer not null,
  transaction_id xid8 not null,
  id bigint not null
);

alter table event_removals add constraint event_removals_pkey PRIMARY KEY (account_id);

alter table event_removals enable row level security;

create policy tenant on event_removals for select using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table event_servers (
  account_id bigint not null,
  server bigint not null,
  epoch integer not null
);

alter table event_servers add constraint event_servers_pkey PRIMARY KEY (account_id);

alter table event_servers enable row level security;

create policy tenant on event_servers for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table events (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  epoch integer default current_event_epoch() not null,
  transaction_id xid8 not null,
  workspace_id bigint,
  at timestamp with time zone not null,
  actor_type text not null,
  actor_id text,
  request_id text,
  name text not null,
  record_type text not null,
  record_id text not null,
  record_uuid uuid,
  external_id text,
  user_id bigint,
  changes jsonb not null
);

alter table events add constraint events_pkey PRIMARY KEY (account_id, id);

alter table events add constraint events_actor_type_check CHECK ((actor_type = ANY (ARRAY['user'::text, 'api_token'::text, 'job'::text])));

CREATE INDEX events_by_record ON events USING btree (account_id, record_id);

CREATE INDEX events_by_time ON events USING brin (at);

CREATE INDEX events_by_user ON events USING btree (account_id, user_id, id);

CREATE INDEX events_by_uuid ON events USING btree (account_id, record_uuid) WHERE (record_uuid IS NOT NULL);

CREATE INDEX events_in_order ON events USING btree (account_id, epoch, transaction_id, id);

alter table events enable row level security;

create policy append on events for insert with check ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create policy tenant on events for select using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table exports (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  user_id bigint not null,
  resource text not null,
  export_type text not null,
  format text not null,
  locale text not null,
  input jsonb not null,
  status text default 'pending'::text not null,
  message text,
  progress smallint default 0 not null,
  attempts smallint default 0 not null,
  file_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table exports add constraint exports_pkey PRIMARY KEY (account_id, id);

alter table exports add constraint exports_progress_check CHECK (((progress >= 0) AND (progress <= 100)));

alter table exports add constraint exports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text])));

CREATE INDEX exports_created_at ON exports USING btree (created_at);

alter table exports enable row level security;

create policy tenant on exports for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table file_pieces (
  account_id bigint not null,
  file_id uuid not null,
  "position" integer not null,
  bytes bytea not null
);

alter table file_pieces add constraint file_pieces_pkey PRIMARY KEY (account_id, file_id, "position");

alter table file_pieces enable row level security;

create policy tenant on file_pieces for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table file_totals (
  account_id bigint not null,
  used_bytes bigint not null
);

alter table file_totals add constraint file_totals_pkey PRIMARY KEY (account_id);

alter table file_totals add constraint file_totals_used_bytes_check CHECK ((used_bytes >= 0));

alter table file_totals enable row level security;

create policy tenant on file_totals for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table files (
  account_id bigint not null,
  id uuid not null,
  name text not null,
  content_type text not null,
  size_bytes bigint not null,
  created_at timestamp with time zone not null,
  deleted_record_id bigint,
  object_key text,
  is_complete boolean default true not null
);

alter table files add constraint files_pkey PRIMARY KEY (account_id, id);

CREATE INDEX files_object_key ON files USING btree (object_key) WHERE (object_key IS NOT NULL);

CREATE INDEX files_of_deleted_records ON files USING btree (account_id, deleted_record_id) WHERE (deleted_record_id IS NOT NULL);

CREATE TRIGGER file_totals_after_delete AFTER DELETE ON files REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION file_totals_after_delete();

CREATE TRIGGER file_totals_after_insert AFTER INSERT ON files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION file_totals_after_insert();

CREATE TRIGGER file_totals_after_update AFTER UPDATE OF size_bytes ON files FOR EACH ROW WHEN ((old.size_bytes <> new.size_bytes)) EXECUTE FUNCTION file_totals_after_update();

CREATE TRIGGER note_object_of_moved_file AFTER UPDATE OF object_key ON files FOR EACH ROW WHEN (((old.object_key IS NOT NULL) AND (old.object_key IS DISTINCT FROM new.object_key))) EXECUTE FUNCTION note_object_of_moved_file();

CREATE TRIGGER note_objects_of_deleted_files AFTER DELETE ON files REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_objects_of_deleted_files();

alter table files enable row level security;

create policy tenant on files for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table idempotency_keys (
  account_id bigint not null,
  user_id bigint not null,
  key text not null,
  request_hash text not null,
  status integer,
  headers jsonb,
  body text,
  created_at timestamp with time zone not null
);

alter table idempotency_keys add constraint idempotency_keys_pkey PRIMARY KEY (account_id, user_id, key);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

alter table idempotency_keys enable row level security;

create policy tenant on idempotency_keys for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table industry_examples (
  id text not null,
  name text not null,
  label text not null
);

alter table industry_examples add constraint industry_examples_pkey PRIMARY KEY (id);

create table invitations (
  account_id bigint not null,
  id uuid not null,
  workspace_id bigint not null,
  user_id bigint,
  hash text,
  checkin boolean not null,
  welcome_message text,
  expires_at timestamp with time zone,
  used_at timestamp with time zone,
  created_at timestamp with time zone not null
);

alter table invitations add constraint invitations_pkey PRIMARY KEY (account_id, id);

alter table invitations add constraint invitations_account_id_hash_key UNIQUE (account_id, hash);

alter table invitations add constraint invitations_check CHECK (((user_id IS NULL) = (expires_at IS NOT NULL)));

CREATE UNIQUE INDEX invitations_general ON invitations USING btree (account_id, workspace_id) WHERE (user_id IS NULL);

CREATE UNIQUE INDEX invitations_personal ON invitations USING btree (account_id, user_id) WHERE (user_id IS NOT NULL);

alter table invitations enable row level security;

create policy tenant on invitations for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table memberships (
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  role smallint default 1 not null,
  identifier_pin text not null,
  created_at timestamp with time zone not null
);

alter table memberships add constraint memberships_pkey PRIMARY KEY (account_id, workspace_id, user_id);

alter table memberships add constraint memberships_identifier_pin UNIQUE (account_id, workspace_id, identifier_pin);

alter table memberships add constraint memberships_role_check CHECK (((role >= 1) AND (role <= 3)));

CREATE INDEX memberships_by_user ON memberships USING btree (account_id, user_id);

CREATE TRIGGER forget_months AFTER INSERT OR DELETE ON memberships FOR EACH ROW EXECUTE FUNCTION forget_months_of_user();

alter table memberships enable row level security;

create policy tenant on memberships for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table month_cache (
  account_id bigint not null,
  user_id bigint not null,
  month date not null,
  all_s bigint not null,
  confirmed_s bigint not null,
  sums jsonb not null,
  rules text not null
);

alter table month_cache add constraint month_cache_pkey PRIMARY KEY (account_id, user_id, month) INCLUDE (rules, all_s, confirmed_s);

alter table month_cache enable row level security;

create policy tenant on month_cache for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table notes (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  time_tracking_id bigint,
  absence_id bigint,
  type text not null,
  content text not null,
  author_id bigint,
  author text,
  author_role text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table notes add constraint notes_pkey PRIMARY KEY (account_id, id);

alter table notes add constraint notes_check CHECK ((num_nonnulls(time_tracking_id, absence_id) = 1));

alter table notes add constraint notes_type_check CHECK ((type = ANY (ARRAY['SystemNote'::text, 'UserNote'::text])));

CREATE INDEX notes_by_absence ON notes USING btree (account_id, absence_id, id) WHERE (absence_id IS NOT NULL);

CREATE INDEX notes_by_time_tracking ON notes USING btree (account_id, time_tracking_id, id) WHERE (time_tracking_id IS NOT NULL);

alter table notes enable row level security;

create policy tenant on notes for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table notifications (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  type text not null,
  user_id bigint not null,
  rule text,
  title text not null,
  message text not null,
  time_tracking_id bigint,
  absence_id bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  violation_id bigint
);

alter table notifications add constraint notifications_pkey PRIMARY KEY (account_id, id);

alter table notifications add constraint notifications_type_check CHECK ((type = ANY (ARRAY['trigger_warning'::text, 'notification'::text])));

CREATE INDEX notifications_by_absence ON notifications USING btree (account_id, absence_id) WHERE (absence_id IS NOT NULL);

CREATE INDEX notifications_by_time_tracking ON notifications USING btree (account_id, time_tracking_id) WHERE (time_tracking_id IS NOT NULL);

CREATE INDEX notifications_by_user ON notifications USING btree (account_id, user_id, id);

CREATE INDEX notifications_by_workspace ON notifications USING btree (account_id, workspace_id, type, id);

CREATE UNIQUE INDEX notifications_violation ON notifications USING btree (account_id, violation_id, type) WHERE (violation_id IS NOT NULL);

alter table notifications enable row level security;

create policy tenant on notifications for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table preferences (
  account_id bigint not null,
  user_id bigint not null,
  key text not null,
  value jsonb not null
);

alter table preferences add constraint preferences_pkey PRIMARY KEY (account_id, user_id, key);

alter table preferences enable row level security;

create policy tenant on preferences for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table public_holidays (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  date date not null,
  title text not null,
  factor numeric(2,1) default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table public_holidays add constraint public_holidays_pkey PRIMARY KEY (account_id, id);

alter table public_holidays add constraint public_holidays_date UNIQUE (account_id, workspace_id, date);

alter table public_holidays add constraint public_holidays_factor_check CHECK ((factor = ANY (ARRAY[0.5, (1)::numeric])));

CREATE TRIGGER forget_months AFTER INSERT OR DELETE OR UPDATE ON public_holidays FOR EACH ROW EXECUTE FUNCTION forget_months_of_everybody();

CREATE TRIGGER refuse_closed AFTER INSERT OR DELETE OR UPDATE ON public_holidays FOR EACH ROW EXECUTE FUNCTION refuse_closed_holiday();

alter table public_holidays enable row level security;

create policy tenant on public_holidays for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table removed_objects (
  account_id bigint not null,
  object_key text not null,
  removed_at timestamp with time zone default now() not null
);

alter table removed_objects add constraint removed_objects_pkey PRIMARY KEY (account_id, object_key);

alter table removed_objects enable row level security;

create policy tenant on removed_objects for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table reset_tokens (
  hash text not null,
  account_id bigint not null,
  user_id bigint not null,
  expires_at timestamp with time zone not null,
  email text,
  confirms_only boolean default false not null
);

alter table reset_tokens add constraint reset_tokens_pkey PRIMARY KEY (hash);

CREATE INDEX reset_tokens_by_user ON reset_tokens USING btree (account_id, user_id);

create table roles (
  id bigint not null,
  name text not null,
  english_name text not null,
  german_name text not null
);

alter table roles add constraint roles_pkey PRIMARY KEY (id);

create table service_settings (
  name text not null,
  value text not null
);

alter table service_settings add constraint service_settings_pkey PRIMARY KEY (name);

create table shift_tags (
  account_id bigint not null,
  shift_id bigint not null,
  tag_id bigint not null
);

alter table shift_tags add constraint shift_tags_pkey PRIMARY KEY (account_id, shift_id, tag_id);

CREATE INDEX shift_tags_by_tag ON shift_tags USING btree (account_id, tag_id, shift_id);

alter table shift_tags enable row level security;

create policy tenant on shift_tags for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table shifts (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  uuid uuid not null,
  workspace_id bigint not null,
  area_id bigint,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  number_of_employees integer default 1 not null,
  note text,
  visible boolean,
  edited boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table shifts add constraint shifts_pkey PRIMARY KEY (account_id, id);

alter table shifts add constraint shifts_account_id_id_starts_at_ends_at_key UNIQUE (account_id, id, starts_at, ends_at);

alter table shifts add constraint shifts_account_id_uuid_key UNIQUE (account_id, uuid);

alter table shifts add constraint shifts_check CHECK ((ends_at > starts_at));

alter table shifts add constraint shifts_number_of_employees_check CHECK ((number_of_employees >= 1));

CREATE INDEX shifts_by_area ON shifts USING btree (account_id, area_id, starts_at, id);

CREATE INDEX shifts_by_start ON shifts USING btree (account_id, workspace_id, starts_at, id);

alter table shifts enable row level security;

create policy tenant on shifts for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table signatures (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  time_tracking_id bigint not null,
  title text not null,
  file_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table signatures add constraint signatures_pkey PRIMARY KEY (account_id, id);

CREATE INDEX signatures_by_file ON signatures USING btree (account_id, file_id);

CREATE INDEX signatures_by_time_tracking ON signatures USING btree (account_id, time_tracking_id, id);

alter table signatures enable row level security;

create policy tenant on signatures for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table taggings (
  account_id bigint not null,
  id uuid not null,
  action_id uuid not null,
  tag_id bigint not null,
  created_at timestamp with time zone not null
);

alter table taggings add constraint taggings_pkey PRIMARY KEY (account_id, id);

alter table taggings add constraint taggings_account_id_action_id_tag_id_key UNIQUE (account_id, action_id, tag_id);

alter table taggings enable row level security;

create policy tenant on taggings for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table tags (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  title text not null,
  active boolean default true not null,
  external_id text,
  color text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table tags add constraint tags_pkey PRIMARY KEY (account_id, id);

CREATE UNIQUE INDEX tags_external_id ON tags USING btree (account_id, external_id) WHERE (external_id <> ''::text);

CREATE UNIQUE INDEX tags_title ON tags USING btree (account_id, workspace_id, title);

alter table tags enable row level security;

create policy tenant on tags for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table target_hours (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  rhythm_type text default 'weekly'::text not null,
  start_date date not null,
  target_limited boolean default false not null,
  reset_confirmed_absences boolean,
  per_day boolean default true not null,
  is_mon boolean default false not null,
  mon_s integer,
  is_tue boolean default false not null,
  tue_s integer,
  is_wed boolean default false not null,
  wed_s integer,
  is_thu boolean default false not null,
  thu_s integer,
  is_fri boolean default false not null,
  fri_s integer,
  is_sat boolean default false not null,
  sat_s integer,
  is_sun boolean default false not null,
  sun_s integer,
  is_week boolean default false not null,
  week_s integer,
  is_month boolean default false not null,
  month_s integer,
  updated_by_user_id bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table target_hours add constraint target_hours_pkey PRIMARY KEY (account_id, id);

alter table target_hours add constraint target_hours_start_date UNIQUE (account_id, user_id, start_date);

alter table target_hours add constraint target_hours_fri_s_check CHECK (((fri_s >= 0) AND (fri_s <= 86400)));

alter table target_hours add constraint target_hours_mon_s_check CHECK (((mon_s >= 0) AND (mon_s <= 86400)));

alter table target_hours add constraint target_hours_month_s_check CHECK (((month_s >= 0) AND (month_s <= 2419200)));

alter table target_hours add constraint target_hours_rhythm_type_check CHECK ((rhythm_type = ANY (ARRAY['weekly'::text, 'free'::text])));

alter table target_hours add constraint target_hours_sat_s_check CHECK (((sat_s >= 0) AND (sat_s <= 86400)));

alter table target_hours add constraint target_hours_sun_s_check CHECK (((sun_s >= 0) AND (sun_s <= 86400)));

alter table target_hours add constraint target_hours_thu_s_check CHECK (((thu_s >= 0) AND (thu_s <= 86400)));

alter table target_hours add constraint target_hours_tue_s_check CHECK (((tue_s >= 0) AND (tue_s <= 86400)));

alter table target_hours add constraint target_hours_wed_s_check CHECK (((wed_s >= 0) AND (wed_s <= 86400)));

alter table target_hours add constraint target_hours_week_s_check CHECK (((week_s >= 0) AND (week_s <= 604800)));

CREATE TRIGGER forget_months AFTER INSERT OR DELETE OR UPDATE ON target_hours FOR EACH ROW EXECUTE FUNCTION forget_months_of_user();

CREATE TRIGGER refuse_closed AFTER INSERT OR DELETE OR UPDATE ON target_hours FOR EACH ROW EXECUTE FUNCTION refuse_closed_target_hour();

alter table target_hours enable row level security;

create policy tenant on target_hours for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table target_working_days (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  target_hour_id bigint not null,
  "position" smallint not null,
  day_type text not null,
  hours_s integer not null
);

alter table target_working_days add constraint target_working_days_pkey PRIMARY KEY (account_id, id);

alter table target_working_days add constraint target_working_days_account_id_target_hour_id_position_key UNIQUE (account_id, target_hour_id, "position");

alter table target_working_days add constraint target_working_days_check CHECK (((day_type = 'workday'::text) OR (hours_s = 0)));

alter table target_working_days add constraint target_working_days_day_type_check CHECK ((day_type = ANY (ARRAY['workday'::text, 'freeday'::text])));

alter table target_working_days add constraint target_working_days_hours_s_check CHECK (((hours_s >= 0) AND (hours_s <= 86400)));

alter table target_working_days add constraint target_working_days_position_check CHECK ((("position" >= 0) AND ("position" <= 30)));

CREATE TRIGGER forget_months AFTER INSERT OR DELETE OR UPDATE ON target_working_days FOR EACH ROW EXECUTE FUNCTION forget_months_of_everybody();

CREATE TRIGGER refuse_closed AFTER INSERT OR DELETE OR UPDATE ON target_working_days FOR EACH ROW EXECUTE FUNCTION refuse_closed_cycle();

alter table target_working_days enable row level security;

create policy tenant on target_working_days for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table time_account_entries (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  date date not null,
  seconds integer not null,
  kind text not null,
  note text not null,
  created_by_user_id bigint not null,
  created_at timestamp with time zone not null
);

alter table time_account_entries add constraint time_account_entries_pkey PRIMARY KEY (account_id, id);

alter table time_account_entries add constraint time_account_entries_kind_check CHECK ((kind = ANY (ARRAY['correction'::text, 'payout'::text, 'opening'::text])));

alter table time_account_entries add constraint time_account_entries_seconds_check CHECK ((seconds <> 0));

CREATE INDEX time_account_entries_of_user ON time_account_entries USING btree (account_id, user_id, date);

CREATE TRIGGER forget_months_delete AFTER DELETE ON time_account_entries REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION forget_months_time_account_entries_delete();

CREATE TRIGGER forget_months_insert AFTER INSERT ON time_account_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_months_time_account_entries_insert();

CREATE TRIGGER forget_months_update AFTER UPDATE ON time_account_entries REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_months_time_account_entries_update();

alter table time_account_entries enable row level security;

create policy tenant on time_account_entries for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table time_tracking_followers (
  account_id bigint not null,
  time_tracking_id bigint not null,
  user_id bigint not null
);

alter table time_tracking_followers add constraint time_tracking_followers_pkey PRIMARY KEY (account_id, time_tracking_id, user_id);

CREATE INDEX time_tracking_followers_by_user ON time_tracking_followers USING btree (account_id, user_id);

alter table time_tracking_followers enable row level security;

create policy tenant on time_tracking_followers for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table time_tracking_tags (
  account_id bigint not null,
  time_tracking_id bigint not null,
  tag_id bigint not null,
  id uuid default gen_random_uuid() not null
);

alter table time_tracking_tags add constraint time_tracking_tags_pkey PRIMARY KEY (account_id, time_tracking_id, tag_id);

CREATE INDEX time_tracking_tags_by_tag ON time_tracking_tags USING btree (account_id, tag_id, time_tracking_id);

CREATE UNIQUE INDEX time_tracking_tags_id ON time_tracking_tags USING btree (account_id, id);

alter table time_tracking_tags enable row level security;

create policy tenant on time_tracking_tags for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table time_tracking_totals (
  account_id bigint not null,
  workspace_id bigint not null,
  user_id bigint not null,
  day date not null,
  slot smallint not null,
  trackings bigint not null,
  confirmed bigint not null,
  gross_s bigint not null,
  break_s bigint not null,
  confirmed_gross_s bigint not null,
  confirmed_break_s bigint not null
) with (fillfactor=50);

alter table time_tracking_totals add constraint time_tracking_totals_pkey PRIMARY KEY (account_id, workspace_id, user_id, day, slot);

alter table time_tracking_totals enable row level security;

create policy tenant on time_tracking_totals for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table time_trackings (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  uuid uuid,
  workspace_id bigint not null,
  user_id bigint not null,
  area_id bigint,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  actual_starts_at timestamp with time zone not null,
  actual_ends_at timestamp with time zone,
  confirmed boolean default false not null,
  created_by text not null,
  last_editor_id bigint,
  assignment_id text,
  default_break_duration integer default 0 not null,
  force_custom_break_duration boolean default false not null,
  custom_break_s integer,
  breaks_s bigint,
  external_id text,
  import_id text,
  limited boolean default false not null,
  planned boolean default false not null,
  start_signature_id text,
  end_signature_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  gross_s bigint generated always as ((EXTRACT(epoch FROM (ends_at - starts_at)))::bigint) stored,
  manual_pause_min integer,
  secure_id uuid default gen_random_uuid() not null,
  break_s bigint generated always as ((
CASE
    WHEN (force_custom_break_duration AND (custom_break_s IS NOT NULL)) THEN (custom_break_s)::bigint
    ELSE COALESCE(breaks_s, (0)::bigint)
END + (COALESCE(manual_pause_min, 0) * 60))) stored
);

alter table time_trackings add constraint time_trackings_pkey PRIMARY KEY (account_id, id);

alter table time_trackings add constraint time_trackings_check CHECK ((ends_at > starts_at));

alter table time_trackings add constraint time_trackings_manual_pause_min_check CHECK ((manual_pause_min >= 0));

CREATE INDEX time_trackings_by_area ON time_trackings USING btree (account_id, area_id, starts_at, id) WHERE (area_id IS NOT NULL);

CREATE INDEX time_trackings_by_assignment ON time_trackings USING btree (account_id, assignment_id) WHERE (assignment_id IS NOT NULL);

CREATE INDEX time_trackings_by_change ON time_trackings USING btree (account_id, workspace_id, updated_at, id);

CREATE INDEX time_trackings_by_confirmed ON time_trackings USING btree (account_id, workspace_id, confirmed, starts_at, id);

CREATE INDEX time_trackings_by_creation ON time_trackings USING btree (account_id, workspace_id, created_at, id);

CREATE INDEX time_trackings_by_start ON time_trackings USING btree (account_id, workspace_id, starts_at, id) INCLUDE (ends_at, gross_s, break_s, confirmed);

CREATE UNIQUE INDEX time_trackings_external_id ON time_trackings USING btree (account_id, external_id) WHERE (external_id <> ''::text);

CREATE INDEX time_trackings_long ON time_trackings USING btree (account_id, workspace_id, starts_at) INCLUDE (ends_at) WHERE ((ends_at IS NULL) OR (gross_s > 86400));

CREATE INDEX time_trackings_long_by_user ON time_trackings USING btree (account_id, user_id, starts_at) WHERE (gross_s > 86400);

CREATE INDEX time_trackings_of_user ON time_trackings USING btree (account_id, user_id, starts_at, id) INCLUDE (workspace_id);

CREATE UNIQUE INDEX time_trackings_running ON time_trackings USING btree (account_id, user_id, workspace_id) WHERE (ends_at IS NULL);

CREATE UNIQUE INDEX time_trackings_uuid ON time_trackings USING btree (account_id, uuid) WHERE (uuid IS NOT NULL);

CREATE TRIGGER forget_months_delete AFTER DELETE ON time_trackings REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION forget_months_time_trackings_delete();

CREATE TRIGGER forget_months_insert AFTER INSERT ON time_trackings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_months_time_trackings_insert();

CREATE TRIGGER forget_months_update AFTER UPDATE ON time_trackings REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION forget_months_time_trackings_update();

CREATE TRIGGER time_tracking_totals_after_delete AFTER DELETE ON time_trackings REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION time_tracking_totals_after_delete();

CREATE TRIGGER time_tracking_totals_after_insert AFTER INSERT ON time_trackings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION time_tracking_totals_after_insert();

CREATE TRIGGER time_tracking_totals_after_update AFTER UPDATE ON time_trackings REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION time_tracking_totals_after_update();

alter table time_trackings enable row level security;

create policy tenant on time_trackings for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table uploads (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  title text not null,
  description text default ''::text not null,
  file_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table uploads add constraint uploads_pkey PRIMARY KEY (account_id, id);

CREATE INDEX uploads_by_file ON uploads USING btree (account_id, file_id);

CREATE INDEX uploads_by_user ON uploads USING btree (account_id, user_id, id);

alter table uploads enable row level security;

create policy tenant on uploads for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table user_absence_types (
  account_id bigint not null,
  user_id bigint not null,
  absence_type_id bigint not null
);

alter table user_absence_types add constraint user_absence_types_pkey PRIMARY KEY (account_id, user_id, absence_type_id);

CREATE INDEX user_absence_types_by_type ON user_absence_types USING btree (account_id, absence_type_id);

alter table user_absence_types enable row level security;

create policy tenant on user_absence_types for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table user_tags (
  account_id bigint not null,
  user_id bigint not null,
  tag_id bigint not null
);

alter table user_tags add constraint user_tags_pkey PRIMARY KEY (account_id, user_id, tag_id);

CREATE INDEX user_tags_by_tag ON user_tags USING btree (account_id, tag_id);

alter table user_tags enable row level security;

create policy tenant on user_tags for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table users (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  username text not null,
  email text,
  password_hash text,
  is_account_admin boolean default false not null,
  created_in_workspace boolean not null,
  tablet_pin text,
  abbreviation text,
  hour_holidays boolean default false not null,
  time_zone text,
  initial_time_account numeric(12,4) default 0 not null,
  checkin_complete boolean,
  start_of_accounting date,
  saldo_type integer default 0 not null,
  salary numeric(12,4) default 0 not null,
  recognition_color_variant smallint not null,
  hours_on_vacation_day numeric(12,4) default 8 not null,
  home_office boolean default false not null,
  calc_holiday_options text default 'target'::text not null,
  custom_holiday_hours numeric(12,4) default 0 not null,
  calc_vacation_options text default 'target'::text not null,
  working_sessions_creator boolean default false not null,
  staff_number text,
  external_id text,
  birthday date,
  locale text,
  status text default 'active'::text not null,
  time_tracking_method_id text,
  wage_type_ids text[] default '{}'::text[] not null,
  default_break_ids text[] default '{}'::text[] not null,
  public_holiday_ids text[] default '{}'::text[] not null,
  avatar_url text,
  avatar_file_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  holiday_region text,
  holiday_region_from date,
  mail_notifications boolean default false not null,
  anonymised_at timestamp with time zone
);

alter table users add constraint users_pkey PRIMARY KEY (account_id, id);

alter table users add constraint users_anonymised CHECK (((anonymised_at IS NULL) OR ((username = 'Anonymised'::text) AND (status = 'inactive'::text) AND (NOT is_account_admin) AND (num_nonnulls(email, password_hash, tablet_pin, abbreviation, staff_number, external_id, birthday, locale, time_tracking_method_id, avatar_url, avatar_file_id) = 0))));

alter table users add constraint users_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])));

CREATE INDEX users_by_name ON users USING btree (account_id, username COLLATE "C", id);

CREATE UNIQUE INDEX users_email ON users USING btree (account_id, lower(email)) WHERE ((email IS NOT NULL) AND (deleted_at IS NULL));

CREATE UNIQUE INDEX users_external_id ON users USING btree (account_id, external_id) WHERE ((external_id <> ''::text) AND (deleted_at IS NULL));

CREATE TRIGGER default_target_hour AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION default_target_hour();

CREATE TRIGGER forget_months AFTER UPDATE OF start_of_accounting, initial_time_account, time_zone, holiday_region, holiday_region_from, calc_holiday_options, custom_holiday_hours, calc_vacation_options, hours_on_vacation_day ON users FOR EACH ROW EXECUTE FUNCTION forget_months_of_self();

CREATE TRIGGER refuse_closed AFTER UPDATE OF start_of_accounting, holiday_region_from ON users FOR EACH ROW EXECUTE FUNCTION refuse_closed_user();

alter table users enable row level security;

create policy tenant on users for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table vacation_entitlements (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  title text not null,
  starts_at date not null,
  ends_at date not null,
  planned_days numeric(12,2) not null,
  transferred_days numeric(12,2) default 0 not null,
  expires boolean default false not null,
  transfer_remaining boolean default false not null,
  end_of_transfer_period date,
  status text default 'active'::text not null,
  locked boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table vacation_entitlements add constraint vacation_entitlements_pkey PRIMARY KEY (account_id, id);

alter table vacation_entitlements add constraint vacation_entitlements_check CHECK ((ends_at >= starts_at));

CREATE INDEX vacation_entitlements_by_user ON vacation_entitlements USING btree (account_id, user_id, id);

alter table vacation_entitlements enable row level security;

create policy tenant on vacation_entitlements for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table wage_types (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  workspace_id bigint not null,
  number integer not null,
  title text not null,
  source text not null,
  unit text not null,
  absence_key text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table wage_types add constraint wage_types_pkey PRIMARY KEY (account_id, id);

alter table wage_types add constraint wage_types_number_check CHECK (((number >= 1) AND (number <= 9999)));

alter table wage_types add constraint wage_types_unit_check CHECK ((unit = ANY (ARRAY['hours'::text, 'days'::text])));

CREATE UNIQUE INDEX wage_types_figure ON wage_types USING btree (account_id, workspace_id, source, unit);

alter table wage_types enable row level security;

create policy tenant on wage_types for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table webhook_deliveries (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  webhook_id bigint not null,
  message_id uuid default gen_random_uuid() not null,
  event_id bigint,
  event text not null,
  record_type text not null,
  record_id text not null,
  status text not null,
  next_attempt_at timestamp with time zone,
  attempts integer default 0 not null,
  failures integer default 0 not null,
  first_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  response_status integer,
  response_body text,
  error text,
  created_at timestamp with time zone not null
);

alter table webhook_deliveries add constraint webhook_deliveries_pkey PRIMARY KEY (account_id, id);

alter table webhook_deliveries add constraint webhook_deliveries_check CHECK (((status = 'waiting'::text) = (next_attempt_at IS NOT NULL)));

alter table webhook_deliveries add constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])));

CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries USING brin (created_at);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (account_id, webhook_id, next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX webhook_deliveries_of_record ON webhook_deliveries USING btree (account_id, webhook_id, record_id, record_type, id) WHERE (status = 'waiting'::text);

CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries USING btree (account_id, webhook_id, id);

alter table webhook_deliveries enable row level security;

create policy tenant on webhook_deliveries for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table webhooks (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  url text not null,
  events text[] not null,
  workspace_ids bigint[],
  active boolean not null,
  deactivation_reason text,
  description text not null,
  secret text not null,
  failing_since timestamp with time zone,
  epoch integer not null,
  transaction_id xid8 not null,
  event_id bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table webhooks add constraint webhooks_pkey PRIMARY KEY (account_id, id);

alter table webhooks add constraint webhooks_deactivation_reason_check CHECK ((deactivation_reason = ANY (ARRAY['gone'::text, 'failing'::text])));

CREATE INDEX webhooks_active ON webhooks USING btree (account_id, id) WHERE active;

alter table webhooks enable row level security;

create policy tenant on webhooks for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table working_time_violations (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  user_id bigint not null,
  rule text not null,
  date date not null,
  workspace_id bigint not null,
  time_tracking_id bigint,
  paragraph text,
  limit_s integer not null,
  value_s bigint not null,
  elsewhere_s bigint not null,
  acknowledged_at timestamp with time zone,
  acknowledged_by_user_id bigint,
  acknowledgement_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null
);

alter table working_time_violations add constraint working_time_violations_pkey PRIMARY KEY (account_id, id);

alter table working_time_violations add constraint working_time_violations_check CHECK (((acknowledged_at IS NULL) = (acknowledgement_reason IS NULL)));

CREATE INDEX working_time_violations_by_time_tracking ON working_time_violations USING btree (account_id, time_tracking_id) WHERE (time_tracking_id IS NOT NULL);

CREATE INDEX working_time_violations_by_workspace ON working_time_violations USING btree (account_id, workspace_id, date, id);

CREATE UNIQUE INDEX working_time_violations_rule ON working_time_violations USING btree (account_id, user_id, date, rule);

alter table working_time_violations enable row level security;

create policy tenant on working_time_violations for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

create table workspaces (
  account_id bigint not null,
  id bigint generated by default as identity not null,
  name text not null,
  phone text,
  time_zone text not null,
  locale text not null,
  avatar_url text,
  avatar_file_id uuid,
  external_id text,
  allow_employees_edit_working_session_area boolean default true not null,
  allow_employee_edit_punched_working_sessions boolean default false not null,
  allow_employees_tag_working_sessions boolean default false not null,
  checkin boolean,
  welcome_message text default 'Welcome to your Workspace!'::text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  holiday_region text,
  require_four_eyes boolean default false not null,
  max_backdating_days integer,
  working_time_rules text[] default '{long_work,short_breaks,long_stretch,short_rest,long_week,long_average,absence_work,overlap,long_running}'::text[] not null,
  minimum_rest_hours smallint default 11 not null,
  active boolean default true not null,
  datev_consultant_number integer,
  datev_client_number integer
);

alter table workspaces add constraint workspaces_pkey PRIMARY KEY (account_id, id);

alter table workspaces add constraint workspaces_max_backdating_days_check CHECK ((max_backdating_days >= 0));

alter table workspaces add constraint workspaces_minimum_rest_hours_check CHECK ((minimum_rest_hours = ANY (ARRAY[10, 11])));

CREATE UNIQUE INDEX workspaces_external_id ON workspaces USING btree (account_id, external_id) WHERE ((external_id <> ''::text) AND (deleted_at IS NULL));

CREATE TRIGGER forget_months AFTER INSERT OR DELETE OR UPDATE OF time_zone, holiday_region, locale ON workspaces FOR EACH ROW EXECUTE FUNCTION forget_months_of_everybody();

alter table workspaces enable row level security;

create policy tenant on workspaces for all using ((account_id = (NULLIF(current_setting('app.account'::text, true), ''::text))::bigint));

alter table absence_days add constraint absence_days_account_id_absence_id_fkey FOREIGN KEY (account_id, absence_id) REFERENCES absences(account_id, id) ON DELETE CASCADE;

alter table absence_days add constraint absence_days_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table absence_followers add constraint absence_followers_account_id_absence_id_fkey FOREIGN KEY (account_id, absence_id) REFERENCES absences(account_id, id) ON DELETE CASCADE;

alter table absence_followers add constraint absence_followers_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table absence_types add constraint absence_types_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table absences add constraint absences_account_id_absence_type_id_fkey FOREIGN KEY (account_id, absence_type_id) REFERENCES absence_types(account_id, id);

alter table absences add constraint absences_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table absences add constraint absences_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table accounting_periods add constraint accounting_periods_account_id_closed_by_user_id_fkey FOREIGN KEY (account_id, closed_by_user_id) REFERENCES users(account_id, id);

alter table accounting_periods add constraint accounting_periods_account_id_reopened_by_user_id_fkey FOREIGN KEY (account_id, reopened_by_user_id) REFERENCES users(account_id, id);

alter table accounting_periods add constraint accounting_periods_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table accounting_periods add constraint accounting_periods_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table actions add constraint actions_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id);

alter table actions add constraint actions_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table actions add constraint actions_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table area_members add constraint area_members_account_id_area_id_fkey FOREIGN KEY (account_id, area_id) REFERENCES areas(account_id, id);

alter table area_members add constraint area_members_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table areas add constraint areas_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table assignments add constraint assignments_account_id_shift_id_starts_at_ends_at_fkey FOREIGN KEY (account_id, shift_id, starts_at, ends_at) REFERENCES shifts(account_id, id, starts_at, ends_at) ON DELETE CASCADE;

alter table assignments add constraint assignments_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table assumed_roles add constraint assumed_roles_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table assumed_roles add constraint assumed_roles_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table attachments add constraint attachments_account_id_absence_id_fkey FOREIGN KEY (account_id, absence_id) REFERENCES absences(account_id, id) ON DELETE CASCADE;

alter table attachments add constraint attachments_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id);

alter table attachments add constraint attachments_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table batch_items add constraint batch_items_account_id_batch_id_fkey FOREIGN KEY (account_id, batch_id) REFERENCES batches(account_id, id) ON DELETE CASCADE;

alter table batches add constraint batches_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table batches add constraint batches_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table breaks add constraint breaks_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table calendar_feeds add constraint calendar_feeds_account_id_area_id_fkey FOREIGN KEY (account_id, area_id) REFERENCES areas(account_id, id) ON DELETE CASCADE;

alter table calendar_feeds add constraint calendar_feeds_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE;

alter table calendar_feeds add constraint calendar_feeds_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id) ON DELETE CASCADE;

alter table custom_field_values add constraint custom_field_values_account_id_custom_field_id_fkey FOREIGN KEY (account_id, custom_field_id) REFERENCES custom_fields(account_id, id) ON DELETE CASCADE;

alter table custom_field_values add constraint custom_field_values_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table custom_fields add constraint custom_fields_account_id_data_profile_id_fkey FOREIGN KEY (account_id, data_profile_id) REFERENCES data_profiles(account_id, id) ON DELETE CASCADE;

alter table data_exports add constraint data_exports_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id);

alter table data_exports add constraint data_exports_account_id_requested_by_user_id_fkey FOREIGN KEY (account_id, requested_by_user_id) REFERENCES users(account_id, id) ON DELETE CASCADE;

alter table data_exports add constraint data_exports_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE;

alter table data_profiles add constraint data_profiles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table deleted_records add constraint deleted_records_account_id_area_id_fkey FOREIGN KEY (account_id, area_id) REFERENCES areas(account_id, id);

alter table deleted_records add constraint deleted_records_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table deleted_records add constraint deleted_records_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table exports add constraint exports_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id);

alter table exports add constraint exports_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE;

alter table exports add constraint exports_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id) ON DELETE CASCADE;

alter table file_pieces add constraint file_pieces_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id) ON DELETE CASCADE;

alter table files add constraint files_account_id_deleted_record_id_fkey FOREIGN KEY (account_id, deleted_record_id) REFERENCES deleted_records(account_id, id) ON DELETE CASCADE;

alter table files add constraint files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table idempotency_keys add constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table invitations add constraint invitations_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE;

alter table invitations add constraint invitations_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id) ON DELETE CASCADE;

alter table memberships add constraint memberships_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table memberships add constraint memberships_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table notes add constraint notes_account_id_absence_id_fkey FOREIGN KEY (account_id, absence_id) REFERENCES absences(account_id, id) ON DELETE CASCADE;

alter table notes add constraint notes_account_id_author_id_fkey FOREIGN KEY (account_id, author_id) REFERENCES users(account_id, id);

alter table notes add constraint notes_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table notifications add constraint notifications_account_id_absence_id_fkey FOREIGN KEY (account_id, absence_id) REFERENCES absences(account_id, id) ON DELETE CASCADE;

alter table notifications add constraint notifications_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table notifications add constraint notifications_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table notifications add constraint notifications_account_id_violation_id_fkey FOREIGN KEY (account_id, violation_id) REFERENCES working_time_violations(account_id, id) ON DELETE CASCADE;

alter table notifications add constraint notifications_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table preferences add constraint preferences_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE;

alter table public_holidays add constraint public_holidays_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table shift_tags add constraint shift_tags_account_id_shift_id_fkey FOREIGN KEY (account_id, shift_id) REFERENCES shifts(account_id, id) ON DELETE CASCADE;

alter table shift_tags add constraint shift_tags_account_id_tag_id_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE;

alter table shifts add constraint shifts_account_id_area_id_fkey FOREIGN KEY (account_id, area_id) REFERENCES areas(account_id, id);

alter table shifts add constraint shifts_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table signatures add constraint signatures_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id);

alter table signatures add constraint signatures_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table taggings add constraint taggings_account_id_action_id_fkey FOREIGN KEY (account_id, action_id) REFERENCES actions(account_id, id) ON DELETE CASCADE;

alter table taggings add constraint taggings_account_id_tag_id_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE;

alter table tags add constraint tags_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table target_hours add constraint target_hours_account_id_updated_by_user_id_fkey FOREIGN KEY (account_id, updated_by_user_id) REFERENCES users(account_id, id);

alter table target_hours add constraint target_hours_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table target_working_days add constraint target_working_days_account_id_target_hour_id_fkey FOREIGN KEY (account_id, target_hour_id) REFERENCES target_hours(account_id, id) ON DELETE CASCADE;

alter table time_account_entries add constraint time_account_entries_account_id_created_by_user_id_fkey FOREIGN KEY (account_id, created_by_user_id) REFERENCES users(account_id, id);

alter table time_account_entries add constraint time_account_entries_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table time_tracking_followers add constraint time_tracking_followers_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table time_tracking_followers add constraint time_tracking_followers_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table time_tracking_tags add constraint time_tracking_tags_account_id_tag_id_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE;

alter table time_tracking_tags add constraint time_tracking_tags_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id) ON DELETE CASCADE;

alter table time_trackings add constraint time_trackings_account_id_area_id_fkey FOREIGN KEY (account_id, area_id) REFERENCES areas(account_id, id);

alter table time_trackings add constraint time_trackings_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table time_trackings add constraint time_trackings_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table uploads add constraint uploads_account_id_file_id_fkey FOREIGN KEY (account_id, file_id) REFERENCES files(account_id, id);

alter table uploads add constraint uploads_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table user_absence_types add constraint user_absence_types_account_id_absence_type_id_fkey FOREIGN KEY (account_id, absence_type_id) REFERENCES absence_types(account_id, id) ON DELETE CASCADE;

alter table user_absence_types add constraint user_absence_types_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table user_tags add constraint user_tags_account_id_tag_id_fkey FOREIGN KEY (account_id, tag_id) REFERENCES tags(account_id, id) ON DELETE CASCADE;

alter table user_tags add constraint user_tags_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table users add constraint users_account_id_avatar_file_id_fkey FOREIGN KEY (account_id, avatar_file_id) REFERENCES files(account_id, id);

alter table users add constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);

alter table vacation_entitlements add constraint vacation_entitlements_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table wage_types add constraint wage_types_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id) ON DELETE CASCADE;

alter table webhook_deliveries add constraint webhook_deliveries_account_id_webhook_id_fkey FOREIGN KEY (account_id, webhook_id) REFERENCES webhooks(account_id, id) ON DELETE CASCADE;

alter table webhooks add constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE;

alter table working_time_violations add constraint working_time_violations_account_id_acknowledged_by_user_id_fkey FOREIGN KEY (account_id, acknowledged_by_user_id) REFERENCES users(account_id, id);

alter table working_time_violations add constraint working_time_violations_account_id_time_tracking_id_fkey FOREIGN KEY (account_id, time_tracking_id) REFERENCES time_trackings(account_id, id);

alter table working_time_violations add constraint working_time_violations_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id);

alter table working_time_violations add constraint working_time_violations_account_id_workspace_id_fkey FOREIGN KEY (account_id, workspace_id) REFERENCES workspaces(account_id, id);

alter table workspaces add constraint workspaces_account_id_avatar_file_id_fkey FOREIGN KEY (account_id, avatar_file_id) REFERENCES files(account_id, id);

alter table workspaces add constraint workspaces_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id);
