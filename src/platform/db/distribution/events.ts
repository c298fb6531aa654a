import { sql, type Kysely } from 'kysely';
import type { DB } from '../../../../generated/db.ts';

/*
 * The order of events is that of (epoch, transaction, id). On a distributed database, the transaction is that of the worker which
 * has the account, so the worker numbers the events. Transaction ids of different servers cannot be compared. When an account has
 * moved to another worker, its first event there begins a new epoch.
 */

/** Has the workers number events. Returns whether they did not yet. */
export async function numberEventsOnWorkers(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`select from pg_trigger where tgname = 'number_event' and not tgisinternal`.execute(db);
  if (rows.length > 0) return false;
  await db.transaction().execute(async (tx) => {
    const { rows: before } = await sql<{ epoch: number }>`select current_event_epoch() as epoch`.execute(tx);
    // The events that are there were numbered by the coordinator.
    await sql`
      create or replace function current_event_epoch() returns integer language sql immutable parallel safe
      as ${sql.lit(`select ${before[0]!.epoch + 1}`)}`.execute(tx);
    await numberEvent.execute(tx);
    await sql`create trigger number_event before insert on events for each row execute function number_event()`.execute(
      tx,
    );
  });
  return true;
}

/** The function that numbers an event. The record that it is about may have earlier ones: as src/platform/events/record_order.ts does on one server. */
const numberEvent = sql`
  create or replace function number_event() returns trigger language plpgsql as $$
  declare
    numbered event_servers;
  begin
    select * into numbered from event_servers where account_id = new.account_id;
    if numbered.server is distinct from event_server() then
      insert into event_servers as known (account_id, server, epoch)
      values (new.account_id, event_server(), coalesce(numbered.epoch + 1, current_event_epoch()))
      on conflict (account_id) do update set server = excluded.server, epoch = excluded.epoch;
      select * into numbered from event_servers where account_id = new.account_id;
    end if;
    new.epoch := numbered.epoch;
    new.transaction_id := greatest(pg_current_xact_id(), (
      select earlier.transaction_id from events earlier
      where earlier.account_id = new.account_id and earlier.record_id = new.record_id and earlier.record_type = new.record_type
        and earlier.epoch = numbered.epoch
      order by earlier.transaction_id desc limit 1));
    return new;
  end
  $$`;
