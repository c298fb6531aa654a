import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';

const oldestOpenTransaction = sql<string>`pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * The epoch of the events that an account writes now: see src/platform/db/event_epoch.ts. Where rows are distributed, an account that has
 * moved to another server begins a new one: see src/platform/db/distribution/events.ts.
 */
export const currentEpoch = (accountId: unknown): RawBuilder<number> => sql<number>`coalesce((
  select numbered.epoch + case when numbered.server = event_server() then 0 else 1 end
  from event_servers numbered where numbered.account_id = ${accountId}), current_event_epoch())`;

/**
 * The place in the order of an account's events behind which nothing is settled: a transaction that is still open can write there.
 * Transaction ids of earlier epochs belong to another cluster, where nothing is open any more.
 */
export const frontier = (accountId: unknown) => sql`(${currentEpoch(accountId)}, ${oldestOpenTransaction}, 0)`;

/** Whether an event is settled: no open transaction can write an event that comes before it. Only then may a reader pass it. */
export const isSettled = (accountId: unknown): RawBuilder<boolean> =>
  sql<boolean>`(events.epoch, events.transaction_id, events.id) < ${frontier(accountId)}`;

/** The place behind every event that is settled now: a reader that begins here misses nothing that happens from now on. */
export async function currentPosition(
  db: Db,
  accountId: number,
): Promise<{ epoch: number; transaction_id: string; event_id: number }> {
  const { rows } = await sql<{ epoch: number; transaction_id: string }>`
    select ${currentEpoch(accountId)} as epoch, ${oldestOpenTransaction} as transaction_id
    from accounts where id = ${accountId}`.execute(db);
  return { ...rows[0]!, event_id: 0 };
}
