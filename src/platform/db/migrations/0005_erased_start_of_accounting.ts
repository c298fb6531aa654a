import { sql, type Kysely } from 'kysely';

/** What events of an anonymised user keep. The start of accounting is not among it any more: no sum reads it there. */
const keptAttributes = `
starts_at,ends_at,actual_starts_at,actual_ends_at,date,month,full_day,
half_start,half_end,hours,days,breaks,break_duration,force_custom_break_duration,
manual_pause_min,confirmed,confirmed_at,confirmed_by_user_id,confirmation_status,status,
user_id,user_ids,workspace_id,workspace_ids,area_id,area_ids,tag_id,tag_ids,taggable_id,
absence_type_id,absence_type_ids,time_tracking_id,absence_id,shift_id,application,kind,
role,is_account_admin,planned_days,transferred_days,closed_at,reopened_at,
acknowledged_at,acknowledged_by_user_id,size_bytes,used_at,expires_at,rhythm_type,cycle,
use_custom_values,limited,planned,expires,transfer_remaining,end_of_transfer_period,locked`.replaceAll('\n', '');

/** Somebody who is anonymised may have no start of accounting, and has no salary. Those who are anonymised already lose theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users alter column start_of_accounting drop not null`.execute(db);
  await sql`
create or replace function anonymised_changes(changes jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(entry.attribute, case
    when entry.attribute = any(${sql.lit(`{${keptAttributes}}`)}::text[]) or jsonb_typeof(entry.change) <> 'array' then entry.change
    else (
      select jsonb_agg(case when part.value = 'null' then part.value else '"anonymised"' end order by part.position)
      from jsonb_array_elements(entry.change) with ordinality part (value, position))
    end), '{}')
  from jsonb_each(changes) entry (attribute, change)
$$`.execute(db);
  await sql`update users set salary = 0 where anonymised_at is not null and salary <> 0`.execute(db);
  await sql`
    update accounting_periods period set salary = 0
    from users person
    where person.account_id = period.account_id and person.id = period.user_id
      and person.anonymised_at is not null and period.salary <> 0`.execute(db);
}
