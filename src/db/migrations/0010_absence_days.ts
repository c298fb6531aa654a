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

    -- Absences keep the amounts that they have. They are spread evenly over their working days, or lie on the first day where
    -- they have none. The last day takes the remainder.
    insert into absence_days (account_id, absence_id, user_id, date, seconds, parts)
    select account_id, id, user_id, date,
      case when place = places then total_seconds - (places - 1) * (total_seconds / greatest(places, 1)) when place is null then 0 else total_seconds / places end,
      case when place = places then total_parts - (places - 1) * (total_parts / greatest(places, 1)) when place is null then 0 else total_parts / places end
    from (
      select dated.*,
        case when is_counted then row_number() over (partition by account_id, id, is_counted order by date) end as place,
        count(*) filter (where is_counted) over (partition by account_id, id) as places
      from (
        select spanned.*,
          case when has_working_day then is_working_day else date = first_date end as is_counted
        from (
          select absence.account_id, absence.id, absence.user_id, day::date as date,
            (absence.starts_at at time zone workspace.time_zone)::date as first_date,
            round(absence.hours * 3600)::integer as total_seconds, round(absence.days * 10000)::integer as total_parts,
            extract(isodow from day) < 6 as is_working_day,
            bool_or(extract(isodow from day) < 6) over (partition by absence.account_id, absence.id) as has_working_day
          from absences absence
          join workspaces workspace on workspace.account_id = absence.account_id and workspace.id = absence.workspace_id
          cross join generate_series(
            (absence.starts_at at time zone workspace.time_zone)::date,
            ((absence.ends_at - interval '1 second') at time zone workspace.time_zone)::date,
            interval '1 day') day) spanned) dated) placed;
  `.execute(db);
}
