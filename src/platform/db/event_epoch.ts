import { sql } from 'kysely';
import type { Db } from './connection.ts';
import { forNoAccount } from './transactions.ts';

/*
 * Transaction ids of different clusters cannot be compared. When the database was restored into another cluster, the events that
 * it has belong to an earlier epoch, and all of them are settled. New events begin a new epoch, which sorts after them.
 */

const settingName = 'event_cluster';

/** The embedded database is a copy of a template, and all copies have the same system identifier. Each has an id of its own. */
const clusterId = sql<string>`coalesce(
  nullif(current_setting('punchcard.cluster_id', true), ''),
  (select system_identifier::text from pg_control_system()))`;

/** Begins a new epoch of events if the database is in another cluster than before. Returns whether it did. */
export async function raiseEventEpoch(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regprocedure('current_event_epoch()') is not null as is_there`.execute(db);
  if (!rows[0]!.is_there || (await isSameCluster(db))) return false;
  return forNoAccount(db, async (tx) => {
    // No event is being written while the epoch changes, so none of the old epoch appears once the new one has begun.
    await sql`lock table events in share row exclusive mode`.execute(tx);
    if (await isSameCluster(tx)) return false;
    const { rows: before } = await sql<{ cluster: string | null; epoch: number }>`
      select (select value from service_settings where name = ${settingName}) as cluster, current_event_epoch() as epoch`.execute(
      tx,
    );
    await sql`
      insert into service_settings (name, value)
      values (${settingName}, ${clusterId})
      on conflict (name) do update set value = excluded.value`.execute(tx);
    const { cluster, epoch } = before[0]!;
    // The first start stores where the database is.
    if (cluster === null) return false;
    await sql`
      create or replace function current_event_epoch() returns integer language sql immutable parallel safe
      as ${sql.lit(`select ${epoch + 1}`)}`.execute(tx);
    return true;
  });
}

async function isSameCluster(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean }>`
    select exists (
      select from service_settings where name = ${settingName} and value = ${clusterId}) as is_same`.execute(db);
  return rows[0]!.is_same;
}
