import { sql, type Kysely } from 'kysely';

/*
 * What anonymisation may change that nobody else may: values in events, and the origin of records in closed months, which no
 * time account depends on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The values of an event without what may be personal. Ids, times, states and figures stay.
    create function anonymised_changes(changes jsonb) returns jsonb language sql immutable as $$
      select coalesce(jsonb_object_agg(entry.attribute, case
        when entry.attribute = any(${sql.lit(`{${keptAttributes.join()}}`)}::text[]) or jsonb_typeof(entry.change) <> 'array' then entry.change
        else (
          select jsonb_agg(case when part.value = 'null' then part.value else '"anonymised"' end order by part.position)
          from jsonb_array_elements(entry.change) with ordinality part (value, position))
        end), '{}')
      from jsonb_each(changes) entry (attribute, change)
    $$;

    -- Blanks events of a user who is anonymised, in the account that the transaction acts for. Notifications of others are blanked
    -- where their text matches the names of the user. The role of the service can change events in no other way.
    create function anonymise_events(account bigint, member bigint, names text) returns void language plpgsql
      security definer set search_path = public as $$
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
    $$;
  `.execute(db);
  await freeOrigins(db);
}

/** The attributes of events that have ids, times, states and figures only. */
const keptAttributes = [
  ...['starts_at', 'ends_at', 'actual_starts_at', 'actual_ends_at', 'date', 'start_date', 'month', 'full_day'],
  ...['half_start', 'half_end', 'hours', 'days', 'breaks', 'break_duration', 'force_custom_break_duration'],
  ...['manual_pause_min', 'confirmed', 'confirmed_at', 'confirmed_by_user_id', 'confirmation_status', 'status'],
  ...[
    'user_id',
    'user_ids',
    'workspace_id',
    'workspace_ids',
    'area_id',
    'area_ids',
    'tag_id',
    'tag_ids',
    'taggable_id',
  ],
  ...['absence_type_id', 'absence_type_ids', 'time_tracking_id', 'absence_id', 'shift_id', 'application', 'kind'],
  ...[
    'role',
    'is_account_admin',
    'start_of_accounting',
    'planned_days',
    'transferred_days',
    'closed_at',
    'reopened_at',
  ],
  ...['acknowledged_at', 'acknowledged_by_user_id', 'size_bytes', 'used_at', 'expires_at', 'rhythm_type', 'cycle'],
  ...['use_custom_values', 'limited', 'planned', 'expires', 'transfer_remaining', 'end_of_transfer_period', 'locked'],
];

/** What may change of an absence in a closed month. */
export const freeOfAbsences = [
  ...[
    'title',
    'starts_at',
    'ends_at',
    'time_zone',
    'full_day',
    'half_start',
    'half_end',
    'hours',
    'days',
    'updated_at',
  ],
  ...['use_custom_values', 'confirmed_at', 'confirmed_by_user_id', 'confirm_message', 'charge_days_job_status'],
  ...['external_id', 'import_id', 'outlook_id', 'created_by'],
];

/** Lets the origin of time trackings and absences change in a closed month, in addition to what could change there before. */
async function freeOrigins(db: Kysely<unknown>): Promise<void> {
  const freeOfTimeTrackings = [
    ...['assignment_id', 'external_id', 'import_id', 'planned', 'start_signature_id', 'end_signature_id'],
    ...['last_editor_id', 'updated_at', 'created_by'],
  ];
  await sql`
    create or replace function forget_months_time_trackings_update() returns trigger language plpgsql as $$
    declare
      is_near_closed boolean;
    begin
      select bool_or(forget_and_compare(account_id, user_id, since, moment, null)) into is_near_closed
      from (
        select account_id, user_id, min((starts_at at time zone 'UTC')::date - 1) filter (where ends_at is not null) as since,
          min(starts_at) as moment
        from (
          select account_id, user_id, starts_at, ends_at from added
          union all select account_id, user_id, starts_at, ends_at from removed) change
        group by account_id, user_id) change;
      if is_near_closed then
        perform refuse_closed(side.account_id, side.user_id, side.starts_at, null)
        from (
          select before.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
          where ${differs(freeOfTimeTrackings, 'before', 'after')}
          union all
          select after.* from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
          where ${differs(freeOfTimeTrackings, 'before', 'after')}) side;
      end if;
      return null;
    end
    $$;

    create or replace function refuse_closed_decision() returns trigger language plpgsql as $$
    begin
      if ${differs(freeOfAbsences, 'old', 'new')} then
        perform refuse_closed(old.account_id, old.user_id, null, min(day.date))
        from absence_days day where day.account_id = old.account_id and day.absence_id = old.id;
      end if;
      return null;
    end
    $$;
  `.execute(db);
}

export const differs = (free: readonly string[], before: string, after: string) => {
  const columns = sql.lit(`{${free.join()}}`);
  return sql`to_jsonb(${sql.ref(before)}) - ${columns}::text[] <> to_jsonb(${sql.ref(after)}) - ${columns}::text[]`;
};
