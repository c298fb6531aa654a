import { sql } from 'kysely';
import type { TestContext } from 'vitest';
import type { Db } from '../../../src/platform/db/connection.ts';
import { serverUrl } from './server_databases.ts';

/** Whether the tests run on a Citus coordinator, where the rows of accounts are on several servers. */
export const isDistributed = process.env['TEST_IS_DISTRIBUTED'] === 'yes';

/** Leaves out a test that looks inside a single server, and says why it cannot do so on several. */
export const needsOneServer = ({ skip }: TestContext, reason: string): void => skip(isDistributed, reason);

/** The answers of all servers to a query for one value, as texts, in the same order each time. */
export async function onAllServers(db: Db, query: string): Promise<string[]> {
  const { rows } = isDistributed
    ? await sql<{
        result: string;
      }>`select result from run_command_on_all_nodes(${sql.lit(query)}) order by nodeid`.execute(db)
    : await sql<{ result: string }>`select (${sql.raw(query)})::text as result`.execute(db);
  return rows.map(({ result }) => result);
}

const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** A query that has rows if a transaction waits for a lock, on any server. */
export const lockWaits = isDistributed
  ? `select from run_command_on_all_nodes($$select count(*) from (${waiting}) waiting$$) where success and result <> '0'`
  : waiting;

export const isSomebodyWaiting = async (db: Db): Promise<boolean> =>
  (await sql.raw(lockWaits).execute(db)).rows.length > 0;

/** On PostgreSQL, waits until another transaction waits for a lock. On the embedded database, it waits for the one connection. */
export async function somebodyWaits(db: Db): Promise<void> {
  if (serverUrl === undefined) return;
  for (let tries = 0; tries < 600; tries++) {
    if (await isSomebodyWaiting(db)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Nobody waits for a lock.');
}
