import { sql, type RawBuilder } from 'kysely';

/**
 * The place in the order of events behind which nothing is settled: a transaction that is still open can write there. Transaction
 * ids of earlier epochs belong to another cluster, where nothing is open any more.
 */
export const frontier = sql`(current_event_epoch(), pg_snapshot_xmin(pg_current_snapshot()), 0)`;

/** Whether an event is settled: no open transaction can write an event that comes before it. Only then may a reader pass it. */
export const isSettled = (): RawBuilder<boolean> =>
  sql<boolean>`(events.epoch, events.transaction_id, events.id) < ${frontier}`;

/** The place behind every event that is settled now: a reader that begins here misses nothing that happens from now on. */
export const currentPosition = {
  epoch: sql<number>`current_event_epoch()`,
  transaction_id: sql<string>`pg_snapshot_xmin(pg_current_snapshot())`,
  event_id: 0,
};
