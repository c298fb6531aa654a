import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** How many events one transaction removes. */
const pieceSize = 10_000;
const dayMs = 86_400_000;

/** Removes events that are older than their retention, in pieces. The database lets only its owner do this. */
export async function removeExpiredEvents(db: Db, retentionDays: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * dayMs);
  let removed: number;
  do {
    const { rows } = await sql<{ removed: number }>`select remove_events(${before}, ${pieceSize}) as removed`.execute(
      db,
    );
    removed = rows[0]!.removed;
  } while (removed === pieceSize);
}
