import { sql } from 'kysely';
import type { Db } from '../../../platform/db/connection.ts';

/**
 * For how long the oldest transaction that has written is open: so far the change feed lags behind. Without the right to read all
 * statistics, PostgreSQL shows the transactions of the own user only.
 */
export async function feedLagSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(begun_at)), 0) as seconds
    from (
      select xact_start as begun_at from pg_stat_activity where backend_xid is not null
      union all select prepared from pg_prepared_xacts
    ) open`.execute(db);
  return Math.max(0, rows[0]!.seconds);
}
