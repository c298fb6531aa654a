import { sql, type Kysely } from 'kysely';

/*
 * How far events have been removed, for each account. A cursor of the change feed before this place has missed events, and the
 * feed says so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_removals (
      account_id bigint primary key,
      epoch integer not null,
      transaction_id xid8 not null,
      id bigint not null
    );
    alter table event_removals enable row level security;
    create policy tenant on event_removals for select using (account_id = nullif(current_setting('app.account', true), '')::bigint);

    -- The history of a record that is shown by its UUID.
    create index events_by_uuid on events (account_id, record_uuid) where record_uuid is not null;

    drop function remove_events(timestamptz);
    -- Removes events in pieces, so that no transaction is long, and returns how many it removed. The place is stored in the same
    -- transaction.
    create function remove_events(before timestamptz, at_most integer) returns bigint language sql security definer
      set search_path = public as $$
      with removed as (
        delete from events
        where ctid = any(array(select ctid from events where at < before limit at_most))
        returning account_id, epoch, transaction_id, id
      ), places as (
        insert into event_removals as place (account_id, epoch, transaction_id, id)
        select distinct on (account_id) account_id, epoch, transaction_id, id from removed
        order by account_id, epoch desc, transaction_id desc, id desc
        on conflict (account_id) do update
          set epoch = excluded.epoch, transaction_id = excluded.transaction_id, id = excluded.id
          where (excluded.epoch, excluded.transaction_id, excluded.id) > (place.epoch, place.transaction_id, place.id)
      )
      select count(*) from removed
    $$;
    revoke execute on function remove_events from public;
  `.execute(db);
}
