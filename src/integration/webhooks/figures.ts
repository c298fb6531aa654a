import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';

/*
 * The figures of webhooks for operators. Each scrape computes all of them, so each counts rows of a small index or table.
 */

const countOf = async (db: Db, rows: RawBuilder<unknown>): Promise<number> => {
  const found = await sql<{ count: number }>`select count(*) as count from ${rows}`.execute(db);
  return found.rows[0]!.count;
};

/** How many deliveries wait for their first attempt, or for another one. */
export const waitingDeliveries = (db: Db): Promise<number> =>
  countOf(db, sql`webhook_deliveries where status = 'waiting'`);

/** How many deliveries have failed and wait for another attempt. */
export const retryingDeliveries = (db: Db): Promise<number> =>
  countOf(db, sql`webhook_deliveries where status = 'waiting' and failures > 0`);

/** At how many webhooks nothing has arrived since the last failure. */
export const failingWebhooks = (db: Db): Promise<number> => countOf(db, sql`webhooks where failing_since is not null`);
