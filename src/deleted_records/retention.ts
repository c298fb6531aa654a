import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** The end of the time for which a deleted record is kept. */
export function keptUntil(deletedAt: Date, retentionMonths: number): Date {
  const until = new Date(deletedAt);
  until.setUTCMonth(until.getUTCMonth() + retentionMonths);
  return until;
}

const chunkSize = 500;

/** Removes deleted records, and their files, whose time is over. */
export async function removeExpiredRecords(db: Db, retentionMonths: number, now: Date): Promise<void> {
  const before = keptUntil(now, -retentionMonths);
  let removed: number;
  do {
    const { rows } = await sql`
      delete from deleted_records where (account_id, id) in (
        select account_id, id from deleted_records where deleted_at < ${before} limit ${chunkSize})
      returning id`.execute(db);
    removed = rows.length;
  } while (removed === chunkSize);
}
