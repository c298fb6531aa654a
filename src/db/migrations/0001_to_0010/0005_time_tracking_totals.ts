import { sql, type Kysely } from 'kysely';

/*
 * Totals of the time trackings of a workspace, of each of its users, and of each of its days (in UTC), kept by the database
 * with every statement that writes a tracking: see src/time_trackings/totals.ts. They are about trackings that have ended: the
 * time of a running one depends on the present.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table time_tracking_totals (
      account_id bigint not null,
      workspace_id bigint not null,
      -- 0 stands for everybody.
      user_id bigint not null,
      -- -infinity stands for all days.
      day date not null,
      -- Which of several rows that add up; so that those who write at once seldom wait for each other.
      slot smallint not null,
      trackings bigint not null,
      confirmed bigint not null,
      gross_s bigint not null,
      break_s bigint not null,
      confirmed_gross_s bigint not null,
      confirmed_break_s bigint not null,
      primary key (account_id, workspace_id, user_id, day, slot)
    ) with (fillfactor = 50);
    alter table time_tracking_totals enable row level security;
    create policy tenant on time_tracking_totals using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    -- What lasts longer than a day, or nobody knows how long: few, and found by themselves where a range of time is asked for.
    create index time_trackings_long on time_trackings (account_id, workspace_id, starts_at) include (ends_at) where ends_at is null or gross_s > 86400;
    create index absences_by_start on absences (account_id, starts_at);
    create index absences_long on absences (account_id, ends_at) where ends_at - starts_at > interval '31 days';
  `.execute(db);

  // A statement that adds rows, removes some or changes some has them in these tables, under these names.
  const changes = {
    insert: { tables: 'new table as added', rows: 'select *, 1 as sign from added' },
    update: {
      tables: 'old table as removed new table as added',
      rows: 'select *, 1 as sign from added union all select *, -1 from removed',
    },
    delete: { tables: 'old table as removed', rows: 'select *, -1 as sign from removed' },
  };
  for (const [event, { tables, rows }] of Object.entries(changes)) {
    await sql`
      create function time_tracking_totals_after_${sql.raw(event)}() returns trigger language plpgsql as $$
      begin
        ${totalsOf(sql.raw(rows), sql`(pg_backend_pid() % 16)::smallint`)};
        return null;
      end
      $$;
      create trigger time_tracking_totals_after_${sql.raw(event)} after ${sql.raw(event)} on time_trackings
        referencing ${sql.raw(tables)} for each statement execute function time_tracking_totals_after_${sql.raw(event)}();
    `.execute(db);
  }
  await totalsOf(sql`select *, 1 as sign from time_trackings`, sql`0`).execute(db);
}

const figures = ['trackings', 'confirmed', 'gross_s', 'break_s', 'confirmed_gross_s', 'confirmed_break_s'];

/** Adds rows, or takes them away where their sign says so. In order of the key, so that writers wait rather than lock each other out. */
const totalsOf = (rows: ReturnType<typeof sql.raw>, slot: ReturnType<typeof sql.raw>) => sql`
  insert into time_tracking_totals as kept (account_id, workspace_id, user_id, day, slot, ${sql.raw(figures.join(', '))})
  select account_id, workspace_id, coalesce(user_id, 0), coalesce(day, '-infinity'), ${slot}, ${sql.raw(figures.map((name) => `sum(sign * ${name})`).join(', '))}
  from (
    select account_id, workspace_id, user_id, (starts_at at time zone 'UTC')::date as day, sign, 1 as trackings, confirmed::integer as confirmed,
      gross_s, least(gross_s, break_s) as break_s,
      case when confirmed then gross_s else 0 end as confirmed_gross_s,
      case when confirmed then least(gross_s, break_s) else 0 end as confirmed_break_s
    from (${rows}) as tracking
    where ends_at is not null
  ) as change
  group by grouping sets ((account_id, workspace_id), (account_id, workspace_id, user_id), (account_id, workspace_id, day))
  having ${sql.raw(figures.map((name) => `sum(sign * ${name}) <> 0`).join(' or '))}
  order by 1, 2, 3, 4
  on conflict (account_id, workspace_id, user_id, day, slot) do update set ${sql.raw(figures.map((name) => `${name} = kept.${name} + excluded.${name}`).join(', '))}`;
