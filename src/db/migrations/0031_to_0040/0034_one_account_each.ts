import { sql, type Kysely } from 'kysely';
import { differs, freeOfAbsences } from './0032_anonymisation.ts';

/*
 * Every statement is about one account, also in triggers and foreign keys, so that the tables of tenants can be distributed over
 * several servers by account. A trigger reads the rows that changed first, and then names the account of each.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await loosenKeys(db);
  await listSecrets(db);
  await sumTimeTrackings(db);
  await sumFiles(db);
  await guardBreaks(db);
  await guardMonths(db);
  await addTargetHours(db);
  await numberEvents(db);
}

/** Keys that change a row when another one changes would have to change the account too. The service changes these rows itself. */
async function loosenKeys(db: Kysely<unknown>): Promise<void> {
  for (const table of ['actions', 'working_time_violations'])
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${sql.ref(`${table}_account_id_time_tracking_id_fkey`)},
        add constraint ${sql.ref(`${table}_account_id_time_tracking_id_fkey`)}
          foreign key (account_id, time_tracking_id) references time_trackings`.execute(db);
  await sql`
    alter table assignments
      drop constraint assignments_account_id_shift_id_starts_at_ends_at_fkey,
      add constraint assignments_account_id_shift_id_starts_at_ends_at_fkey
        foreign key (account_id, shift_id, starts_at, ends_at) references shifts (account_id, id, starts_at, ends_at)
        on delete cascade`.execute(db);
}

/** The secret of a feed and the token of an invitation lead to an account. The rest of both is with the account. */
async function listSecrets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table directory_calendar_feeds (
      hash text primary key,
      account_id bigint not null,
      user_id bigint not null
    );
    insert into directory_calendar_feeds (hash, account_id, user_id) select hash, account_id, user_id from calendar_feeds;
    create index directory_calendar_feeds_by_user on directory_calendar_feeds (account_id, user_id);
    alter table calendar_feeds drop constraint calendar_feeds_hash_key, add unique (account_id, hash);

    create table directory_invitations (
      hash text primary key,
      account_id bigint not null
    );
    insert into directory_invitations (hash, account_id) select hash, account_id from invitations where hash is not null;
    alter table invitations drop constraint invitations_hash_key, add unique (account_id, hash);
    alter table invitations enable row level security;
    create policy tenant on invitations using (account_id = nullif(current_setting('app.account', true), '')::bigint);
  `.execute(db);
}

const totals = ['trackings', 'confirmed', 'gross_s', 'break_s', 'confirmed_gross_s', 'confirmed_break_s'];

/** The totals of time trackings as SQL, each in the given form. */
export const listOfTotals = (text: (total: string) => string, separator = ', ') =>
  sql.raw(totals.map(text).join(separator));

/** The rows that a statement has added to time trackings or removed from them, with their sign, for each kind of statement. */
export const changedTrackings = {
  insert: 'select *, 1 as sign from added',
  update: 'select *, 1 as sign from added union all select *, -1 from removed',
  delete: 'select *, -1 as sign from removed',
};

/** Selects by how much the totals change. Transactions that change the same totals lock them in the same order. */
export const changesOfTotals = (rows: string) => sql`
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

async function sumTimeTrackings(db: Kysely<unknown>): Promise<void> {
  for (const [event, rows] of Object.entries(changedTrackings))
    await sql`
      create or replace function ${sql.ref(`time_tracking_totals_after_${event}`)}() returns trigger language plpgsql as $$
      declare
        change record;
      begin
        for change in ${changesOfTotals(rows)}
        loop
          insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, ${listOfTotals(String)})
          values (change.account_id, change.workspace_id, change.user_id, change.day, (pg_backend_pid() % 16)::smallint,
            ${listOfTotals((total) => `change.${total}`)})
          on conflict (account_id, workspace_id, user_id, day, slot)
            do update set ${listOfTotals((total) => `${total} = kept.${total} + excluded.${total}`)};
        end loop;
        return null;
      end
      $$`.execute(db);
}

async function sumFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function file_totals_after_insert() returns trigger language plpgsql as $$
    declare
      change record;
    begin
      for change in select account_id, sum(size_bytes) as bytes from added group by account_id order by account_id loop
        insert into file_totals as kept (account_id, used_bytes) values (change.account_id, change.bytes)
        on conflict (account_id) do update set used_bytes = kept.used_bytes + excluded.used_bytes;
      end loop;
      return null;
    end
    $$;
    create or replace function file_totals_after_delete() returns trigger language plpgsql as $$
    declare
      change record;
    begin
      for change in select account_id, sum(size_bytes) as bytes from removed group by account_id order by account_id loop
        update file_totals set used_bytes = used_bytes - change.bytes where account_id = change.account_id;
      end loop;
      return null;
    end
    $$;
    create or replace function note_objects_of_deleted_files() returns trigger language plpgsql as $$
    declare
      gone record;
    begin
      for gone in select account_id, object_key from removed where object_key is not null order by account_id, object_key loop
        insert into removed_objects (account_id, object_key) values (gone.account_id, gone.object_key) on conflict do nothing;
      end loop;
      return null;
    end
    $$;
  `.execute(db);
}

async function guardBreaks(db: Kysely<unknown>): Promise<void> {
  const changes = {
    insert: 'select account_id, time_tracking_id from added',
    update: `select before.account_id, before.time_tracking_id
            from removed before join added after on (after.account_id, after.id) = (before.account_id, before.id)
            where (after.starts_at, after.ends_at) is distinct from (before.starts_at, before.ends_at)`,
    delete: 'select account_id, time_tracking_id from removed',
  };
  for (const [event, rows] of Object.entries(changes))
    await sql`
      create or replace function ${sql.ref(`refuse_closed_breaks_${event}`)}() returns trigger language plpgsql as $$
      declare
        change record;
        work record;
      begin
        for change in select account_id, array_agg(time_tracking_id) as ids from (${sql.raw(rows)}) moved group by account_id loop
          for work in
            select user_id, min(starts_at) as starts_at from time_trackings
            where account_id = change.account_id and id = any(change.ids) group by user_id
          loop
            perform refuse_closed(change.account_id, work.user_id, work.starts_at, null);
          end loop;
        end loop;
        return null;
      end
      $$`.execute(db);
}

/** A function that reads tables is called by itself, not by a query that reads others. */
async function guardMonths(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function forget_and_compare(account bigint, member bigint, since date, moment timestamptz, day date)
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
    create or replace function refuse_closed_cycle() returns trigger language plpgsql as $$
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
    create or replace function refuse_closed_decision() returns trigger language plpgsql as $$
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
    create or replace function refuse_closed_contract_end() returns trigger language plpgsql as $$
    declare
      default_profile bigint;
      first_month date;
    begin
      -- The days after the last one of the contract change. Any text can be stored, so it is compared as a text.
      if new.value !~ '^\\d{4}-\\d\\d-\\d\\d$' or (tg_op = 'UPDATE' and new.value is not distinct from old.value) then
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
    create or replace function refuse_closed_holiday() returns trigger language plpgsql as $$
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
  `.execute(db);
}

/** Every new user has target hours: eight hours from Monday to Friday. */
async function addTargetHours(db: Kysely<unknown>): Promise<void> {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri'];
  await sql`
    create or replace function default_target_hour() returns trigger language plpgsql as $$
    begin
      insert into target_hours
        (account_id, user_id, start_date, ${sql.raw(days.map((day) => `is_${day}, ${day}_s`).join(', '))}, created_at, updated_at)
      values (new.account_id, new.id, new.start_of_accounting, ${sql.raw(days.map(() => 'true, 28800').join(', '))},
        new.created_at, new.created_at);
      return null;
    end
    $$`.execute(db);
}

/** Where rows are distributed, each server numbers the events that it has: see src/db/distribution/events.ts. */
async function numberEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_servers (
      account_id bigint primary key,
      -- The server that numbers the events of the account, and the epoch that began when the account moved there.
      server bigint not null,
      epoch integer not null
    );
    alter table event_servers enable row level security;
    create policy tenant on event_servers using (account_id = nullif(current_setting('app.account', true), '')::bigint);
    create function event_server() returns bigint language sql stable as 'select system_identifier from pg_control_system()';
  `.execute(db);
}
