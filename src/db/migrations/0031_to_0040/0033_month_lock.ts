import { sql, type Kysely } from 'kysely';

/*
 * Lets PostgreSQL inline the lock of a user's months. It inlines an immutable function only if everything in it is immutable, and
 * `bigint || text` is not. Every write of a time tracking takes this lock: 0.011 instead of 0.112 ms. The keys stay the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function month_lock(account bigint, member bigint) returns bigint language sql immutable as $$
      select 731800000000 + case member when 0 then 1024 else 0 end
        + (hashtextextended(account::text || ' ' || member::text, 0) & 1023)
    $$
  `.execute(db);
}
