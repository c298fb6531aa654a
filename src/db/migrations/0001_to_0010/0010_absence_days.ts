import { sql, type Kysely } from 'kysely';

/*
 * What an absence takes of each of its dates: seconds, and ten-thousandths of days. The time account, totals and vacation read
 * only these rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table absence_days (
      account_id bigint not null,
      absence_id bigint not null,
      user_id bigint not null,
      date date not null,
      seconds integer not null,
      parts integer not null,
      primary key (account_id, absence_id, date),
      foreign key (account_id, absence_id) references absences on delete cascade,
      foreign key (account_id, user_id) references users
    );
    create index absence_days_of_user on absence_days (account_id, user_id, date);
    alter table absence_days enable row level security;
    create policy tenant on absence_days using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    alter table absences
      add column half_start boolean not null default false,
      add column half_end boolean not null default false;

    -- Absences keep the amounts that they have.
    ${sql.raw(spreading('true'))};

    -- A process of the previous release stores absences without their days. They are added when its transaction ends. A connection
    -- keeps the plans of a function, and one from a time with few absences would read all of them for each new one.
    create function default_absence_days() returns trigger language plpgsql set enable_seqscan = off as $$
    begin
      if not exists (
        select from absence_days day
        where day.account_id = new.account_id and day.absence_id = new.id
        having round(sum(day.seconds) / 3600.0, 2) = new.hours and round(sum(day.parts) / 10000.0, 2) = new.days
          and abs(min(day.date) - (new.starts_at at time zone 'UTC')::date) <= 1
          and abs(max(day.date) - (new.ends_at at time zone 'UTC')::date) <= 1
      ) then
        delete from absence_days day where day.account_id = new.account_id and day.absence_id = new.id;
        ${sql.raw(spreading('absence.account_id = new.account_id and absence.id = new.id'))};
      end if;
      return null;
    end
    $$;
    create constraint trigger default_absence_days
      after insert or update of starts_at, ends_at, hours, days on absences
      deferrable initially deferred for each row execute function default_absence_days();
  `.execute(db);
}

/**
 * Spreads the amounts of absences evenly over their working days, from Monday to Friday. The last one takes the remainder.
 * An absence without a working day lies on its first day.
 */
const spreading = (condition: string): string => `
  insert into absence_days (account_id, absence_id, user_id, date, seconds, parts)
  select account_id, id, user_id, date,
    case when place is null then 0 when place = places then seconds - (places - 1) * (seconds / places) else seconds / places end,
    case when place is null then 0 when place = places then parts - (places - 1) * (parts / places) else parts / places end
  from (
    select dated.*,
      case when is_counted then row_number() over (partition by account_id, id, is_counted order by date) end as place,
      count(*) filter (where is_counted) over (partition by account_id, id) as places
    from (
      select spanned.*, case when bool_or(is_working_day) over (partition by account_id, id) then is_working_day else date = first_date end as is_counted
      from (
        select absence.account_id, absence.id, absence.user_id, day::date as date, local.first_date,
          round(absence.hours * 3600)::integer as seconds, round(absence.days * 10000)::integer as parts,
          extract(isodow from day) < 6 as is_working_day
        from absences absence
        join workspaces workspace on workspace.account_id = absence.account_id and workspace.id = absence.workspace_id
        cross join lateral (
          select (absence.starts_at at time zone workspace.time_zone)::date as first_date,
            (greatest(absence.starts_at, absence.ends_at - interval '1 second') at time zone workspace.time_zone)::date as last_date) local
        cross join generate_series(local.first_date, local.last_date, interval '1 day') day
        where ${condition}) spanned) dated) placed`;
