import { sql } from 'kysely';
import { tooManyRequests } from '../core/errors.ts';
import { tokenHash } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';

/*
 * Counters of attempts, shared by all processes. They are written outside the request's transaction, so that an attempt
 * counts also when the request fails. Keys are hashed: no address or e-mail is kept for counting.
 */

const keyOf = (parts: readonly string[]): string => tokenHash(parts.join('\n'));

/** Counts one more attempt and returns how many there were within the window. */
export async function countAttempt(
  db: Db,
  parts: readonly string[],
  windowSeconds: number,
  now: Date,
): Promise<number> {
  const fresh = new Date(now.getTime() + windowSeconds * 1000);
  const { count } = await db
    .insertInto('attempts')
    .values({ key: keyOf(parts), count: 1, expires_at: fresh })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when attempts.expires_at <= ${now} then 1 else attempts.count + 1 end`,
        expires_at: sql<Date>`case when attempts.expires_at <= ${now} then ${fresh}::timestamptz else attempts.expires_at end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}

/** Refuses with 429 once the limit is reached; 0 turns the limit off. */
export async function requireAttemptsLeft(db: Db, parts: readonly string[], limit: number, now: Date): Promise<void> {
  if (limit === 0) return;
  const row = await db
    .selectFrom('attempts')
    .selectAll()
    .where('key', '=', keyOf(parts))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row && row.count >= limit)
    throw tooManyRequests(Math.ceil((row.expires_at.getTime() - now.getTime()) / 1000), 'Too many attempts.');
}

export const clearAttempts = async (db: Db, parts: readonly string[]): Promise<void> => {
  await db.deleteFrom('attempts').where('key', '=', keyOf(parts)).execute();
};

/** Forgets counters that no longer count. */
export const forgetOldAttempts = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('attempts').where('expires_at', '<', now).execute();
};
