import { sql } from 'kysely';
import { tooManyRequests } from '../../platform/core/errors.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';

/*
 * Counts attempts in the database, for all processes together. Counters are written outside the request's transaction, so that
 * an attempt counts although the request fails. Keys are hashed: no network address or e-mail address is stored.
 */

const keyOf = (parts: readonly string[]): string => tokenHash(parts.join('\n'));

/** Counts an attempt, and returns the number of attempts in the current window. */
export async function countAttempt(
  db: Db,
  parts: readonly string[],
  windowSeconds: number,
  now: Date,
): Promise<number> {
  const windowEnd = new Date(now.getTime() + windowSeconds * 1000);
  const { count } = await db
    .insertInto('attempts')
    .values({ key: keyOf(parts), count: 1, expires_at: windowEnd })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when attempts.expires_at <= ${now} then 1 else attempts.count + 1 end`,
        expires_at: sql<Date>`case when attempts.expires_at <= ${now} then ${windowEnd}::timestamptz else attempts.expires_at end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}

/** Throws 429 once the limit is reached. 0 turns the limit off. */
export async function requireAttemptsLeft(db: Db, parts: readonly string[], limit: number, now: Date): Promise<void> {
  if (limit === 0) return;
  const row = await db
    .selectFrom('attempts')
    .selectAll()
    .where('key', '=', keyOf(parts))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row && row.count >= limit) throw tooManyAttempts(row.expires_at, now);
}

const tooManyAttempts = (until: Date, now: Date) =>
  tooManyRequests(Math.ceil((until.getTime() - now.getTime()) / 1000), 'Too many attempts.');

/** Sets a mark that lasts for some seconds. One that lasts longer already stays as it is. */
export async function setMark(db: Db, parts: readonly string[], seconds: number, now: Date): Promise<void> {
  await db
    .insertInto('attempts')
    .values({ key: keyOf(parts), count: 1, expires_at: new Date(now.getTime() + seconds * 1000) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        expires_at: sql<Date>`greatest(attempts.expires_at, excluded.expires_at)`,
      }),
    )
    .execute();
}

/** Sets a mark that is not set yet, and returns whether it did. Of several at the same time, one does. */
export async function claim(db: Db, parts: readonly string[], seconds: number, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('attempts')
    .values({ key: keyOf(parts), count: 1, expires_at: new Date(now.getTime() + seconds * 1000) })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ expires_at: sql<Date>`excluded.expires_at` })
        .where('attempts.expires_at', '<=', now),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** When a mark ends, or undefined where there is none. */
export async function markUntil(db: Db, parts: readonly string[], now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('attempts')
    .select('expires_at')
    .where('key', '=', keyOf(parts))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.expires_at;
}

/** Throws 429 while a mark lasts. */
export async function requireNoMark(db: Db, parts: readonly string[], now: Date): Promise<void> {
  const until = await markUntil(db, parts, now);
  if (until) throw tooManyAttempts(until, now);
}

/** Resets a counter. */
export const clearAttempts = async (db: Db, parts: readonly string[]): Promise<void> => {
  await db.deleteFrom('attempts').where('key', '=', keyOf(parts)).execute();
};

/** Deletes the counters whose window has ended. */
export const deleteExpiredAttempts = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('attempts').where('expires_at', '<', now).execute();
};
