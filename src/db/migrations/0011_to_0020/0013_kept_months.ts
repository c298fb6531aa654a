import { sql, type Kysely } from 'kysely';

/*
 * Months of time accounts: see src/time_account/kept_months.ts. A trigger on everything that a time account depends on forgets
 * the months that it may change, in the transaction that writes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_months (
      account_id bigint not null,
      user_id bigint not null,
      -- The balance is that at the beginning of this day. The sums are those of the month before it.
      date date not null,
      all_s bigint not null,
      confirmed_s bigint not null,
      sums jsonb not null,
      -- The rules that they were computed with.
      rules text not null,
      -- Without a foreign key to users: to check it would wait for a deletion of the user, which in turn waits for the lock below.
      primary key (account_id, user_id, date)
    );
    alter table kept_months enable row level security;
    create policy tenant on kept_months using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    -- The work of a user in all workspaces. It also serves lists by user, in place of the index that it replaces.
    create index time_trackings_of_user on time_trackings (account_id, user_id, starts_at, id) include (workspace_id);
    drop index time_trackings_by_user;

    -- Who forgets shares the lock of a user, or of a whole account. Who keeps needs it alone, so nothing is kept that has
    -- been read before a change and is stored after it.
    -- Users share 1,024 locks, so that no statement needs more of them, however many users it changes. The number before it
    -- keeps them apart from other advisory locks.
    create function month_lock(account bigint, member bigint) returns bigint language sql immutable as $$
      select 731800000000 + case member when 0 then 1024 else 0 end + (hashtextextended(account || ' ' || member, 0) & 1023)
    $$;
    create function forget_months(account bigint, member bigint, since date) returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(month_lock(account, member));
      delete from kept_months where account_id = account and user_id = member and date > since;
    end
    $$;
    create function forget_months_of_account(account bigint) returns void language plpgsql as $$
    begin
      -- No user has the id 0.
      perform pg_advisory_xact_lock_shared(month_lock(account, 0));
      delete from kept_months where account_id = account;
    end
    $$;
  `.execute(db);
  // A local day is at most one day before that of UTC.
  await forgetRows(db, 'time_trackings', sql`(starts_at at time zone 'UTC')::date - 1`, sql`ends_at is not null`);
  await forgetRows(db, 'absence_days', sql`date - 1`);
  await forgetRows(db, 'time_account_entries', sql`date - 1`);
  const ofUser = (userId: string, since: string) =>
    sql.raw(`forget_months(coalesce(new.account_id, old.account_id), ${userId}, ${since})`);
  await forgetEachRow(db, 'absence', ofUser('new.user_id', `(new.starts_at at time zone 'UTC')::date - 2`), {
    absences: 'update of confirmation_status, absence_type_id',
  });
  await forgetEachRow(db, 'user', ofUser('coalesce(new.user_id, old.user_id)', `'-infinity'`), {
    target_hours: 'insert or update or delete',
    memberships: 'insert or delete',
    custom_field_values: 'insert or update or delete',
  });
  await forgetEachRow(db, 'self', ofUser('new.id', `'-infinity'`), {
    users: `update of start_of_accounting, initial_time_account, time_zone, holiday_region, holiday_region_from,
      calc_holiday_options, custom_holiday_hours, calc_vacation_options, hours_on_vacation_day`,
  });
  await forgetEachRow(db, 'everybody', sql`forget_months_of_account(coalesce(new.account_id, old.account_id))`, {
    target_working_days: 'insert or update or delete',
    public_holidays: 'insert or update or delete',
    workspaces: 'insert or update of time_zone, holiday_region, locale or delete',
    absence_types: 'update of kind',
    custom_fields: 'insert or update or delete',
    data_profiles: 'insert or delete',
  });
}

/** Forgets the months after the first date of the rows that a statement writes, for each of their users. */
async function forgetRows(
  db: Kysely<unknown>,
  table: string,
  since: ReturnType<typeof sql>,
  condition = sql`true`,
): Promise<void> {
  const changes = {
    insert: { tables: 'new table as added', rows: 'select * from added' },
    update: {
      tables: 'old table as removed new table as added',
      rows: 'select * from added union all select * from removed',
    },
    delete: { tables: 'old table as removed', rows: 'select * from removed' },
  };
  for (const [event, { tables, rows }] of Object.entries(changes)) {
    const name = sql.ref(`forget_months_${table}_${event}`);
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        perform forget_months(account_id, user_id, min(${since}))
        from (${sql.raw(rows)}) as change where ${condition} group by account_id, user_id;
        return null;
      end
      $$;
      create trigger forget_months_${sql.raw(event)} after ${sql.raw(event)} on ${sql.table(table)}
        referencing ${sql.raw(tables)} for each statement execute function ${name}();
    `.execute(db);
  }
}

/** Forgets months with every row of these tables that is written. */
async function forgetEachRow(
  db: Kysely<unknown>,
  whose: string,
  forget: ReturnType<typeof sql>,
  eventsOf: Readonly<Record<string, string>>,
): Promise<void> {
  const name = sql.ref(`forget_months_of_${whose}`);
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      perform ${forget};
      return null;
    end
    $$;
  `.execute(db);
  for (const [table, events] of Object.entries(eventsOf))
    await sql`
      create trigger forget_months after ${sql.raw(events)} on ${sql.table(table)}
        for each row execute function ${name}();
    `.execute(db);
}
