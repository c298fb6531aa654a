import type { DialectAdapter, Kysely } from 'kysely';
import type { DB } from '../../../../generated/db.ts';

/*
 * Statements of requests have a timeout, so that none keeps its connection for long. It is a setting of the connection. Behind
 * a pooler, connections change hands after each transaction and keep no settings: there, `begin` sets the timeout in the same
 * message, and the pooler has to set it for statements outside of transactions.
 */

/** The timeout that transactions set themselves. All handles on one database share its adapter. */
const timeouts = new WeakMap<DialectAdapter, number>();

/** Has every transaction on a database set the timeout of its statements. 0 leaves it to the server. */
export function limitTransactions(db: Kysely<DB>, timeoutMs: number): void {
  if (timeoutMs > 0) timeouts.set(db.getExecutor().adapter, timeoutMs);
}

export const timeoutSetting = (timeoutMs: number): string => `set statement_timeout = ${timeoutMs}`;

/** The statements that begin a transaction. */
export function beginningOf(db: Kysely<DB>): string[] {
  const timeoutMs = timeouts.get(db.getExecutor().adapter);
  return ['begin', ...(timeoutMs === undefined ? [] : [`set local statement_timeout = ${timeoutMs}`])];
}
