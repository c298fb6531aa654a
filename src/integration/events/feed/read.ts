import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connection.ts';
import { forAccount } from '../../../platform/db/transactions.ts';
import type { EventRow } from '../events.ts';
import { currentEpoch, frontier } from '../settled.ts';
import { isAfter, origin, positionIn, type Position } from './position.ts';

/*
 * The change feed shows the events before the frontier: those of transactions that are older than every transaction that is open
 * and has written. Nothing can appear before the frontier any more, because an event never has a lower number than its own
 * transaction. The frontier, the events and the place of the removed ones come from one statement, that is, from one snapshot. The
 * rows stay in place meanwhile: the frontier must not be of a later moment than a place that the events have left.
 */

/** How many events an answer has at most. */
const pageLength = 1000;

/** How many events are looked at for an answer with some types only, so that rare types do not make a request slow. */
const maxScanned = 10_000;

/** The next part of the feed. */
export interface Page {
  readonly rows: readonly EventRow[];
  readonly next: Position;
  readonly hasMore: boolean;
}

/** Where to begin: after a position, at the frontier, or before the oldest event. */
export type Start = Position | 'now' | 'beginning';

/** Reads the next events. Returns undefined if events after the position were removed, or the position is after the frontier. */
export async function readChanges(
  db: Db,
  accountId: number,
  start: Start,
  names: readonly string[] | null,
): Promise<Page | undefined> {
  const after = typeof start === 'string' ? origin : start;
  const scanLimit = start === 'now' ? 0 : names === null ? pageLength + 1 : maxScanned;
  const next = nextEvents(accountId, after, names, scanLimit);
  const { rows: found } = await forAccount(db, accountId, (tx) => next.execute(tx));
  const { present_epoch, frontier, removed_to, scanned_count, scanned_to } = found[0]!;
  const present = { epoch: present_epoch, transactionId: frontier, id: 0 };
  if (start === after && isAfter(after, present)) return undefined;
  if (start === after && removed_to !== null && isAfter(positionIn(removed_to), after)) return undefined;
  // Without events there is one row, whose event is missing.
  const rows = found.filter((row): row is Found & EventRow => row.id !== null);
  if (rows.length > pageLength) {
    const shown = rows.slice(0, pageLength);
    return { rows: shown, next: positionOf(shown.at(-1)!), hasMore: true };
  }
  if (scanned_to !== null && scanned_count === scanLimit) return { rows, next: positionIn(scanned_to), hasMore: true };
  return { rows, next: present, hasMore: false };
}

const positionOf = ({ epoch, transaction_id, id }: EventRow): Position => ({
  epoch,
  transactionId: transaction_id,
  id,
});

interface Found extends Omit<EventRow, 'id'> {
  readonly present_epoch: number;
  readonly frontier: string;
  readonly removed_to: string | null;
  readonly scanned_count: number;
  readonly scanned_to: string | null;
  readonly id: number | null;
}

const inOrder = sql`epoch, transaction_id, id`;
const positionColumn = sql`epoch || '.' || transaction_id || '.' || id`;

const nextEvents = (
  accountId: number,
  { epoch, transactionId, id }: Position,
  names: readonly string[] | null,
  scanLimit: number,
) => sql<Found>`
  with scanned as materialized (
    select * from events
    where account_id = ${accountId}
      and (${inOrder}) > (${epoch}::integer, ${transactionId}::text::xid8, ${id}::bigint) and (${inOrder}) < ${frontier(accountId)}
    order by ${inOrder} limit ${scanLimit}::integer
  )
  select ${currentEpoch(accountId)} as present_epoch, pg_snapshot_xmin(pg_current_snapshot()) as frontier,
    (select ${positionColumn} from event_removals where account_id = ${accountId}) as removed_to,
    (select count(*) from scanned) as scanned_count,
    (select ${positionColumn} from scanned order by epoch desc, transaction_id desc, id desc limit 1) as scanned_to,
    event.*
  from accounts
  left join lateral (
    select * from scanned where ${names}::text[] is null or name = any(${names}::text[]) order by ${inOrder} limit ${pageLength + 1}::integer
  ) event on true
  where accounts.id = ${accountId}
  order by event.epoch, event.transaction_id, event.id`;

/** The position of the last event that the feed shows. Undefined if there is none. */
export async function lastPosition(db: Db, accountId: number): Promise<Position | undefined> {
  const last = sql<{ position: string }>`
    select ${positionColumn} as position from events
    where account_id = ${accountId} and (${inOrder}) < ${frontier(accountId)}
    order by epoch desc, transaction_id desc, id desc limit 1`;
  const { rows } = await forAccount(db, accountId, (tx) => last.execute(tx));
  return rows[0] && positionIn(rows[0].position);
}
