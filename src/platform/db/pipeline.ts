import type { Compilable, CompiledQuery, DatabaseConnection } from 'kysely';
import type { OpenTransaction } from './open_transaction.ts';

/*
 * Pipelining: queries that do not depend on each other's rows go out in one message. A message and its answer cost both
 * processes about as much time as a small statement.
 */

/** A query as data. It is sent when it is handed to `pipeline`, never earlier. Undefined means that no query is needed. */
export type PipelinedQuery<Row = unknown> = CompiledQuery<Row> | Compilable<Row> | undefined;

type RowsOf<Query> =
  Query extends CompiledQuery<infer Row> ? Row[] : Query extends Compilable<infer Row> ? Row[] : never[];

/** The rows of each of several queries. */
export type RowsOfEach<Queries extends readonly PipelinedQuery[]> = {
  -readonly [Index in keyof Queries]: RowsOf<Exclude<Queries[Index], undefined>>;
};

/**
 * Sends the queries in one message and returns the rows of each, in the same order. The database executes them one after the
 * other, and each sees what the ones before it wrote. An undefined query has no rows. If a query fails, the transaction is
 * aborted, the queries after it fail too, and the error is that of the first.
 */
export function pipeline<const Queries extends readonly PipelinedQuery[]>(
  tx: OpenTransaction,
  queries: Queries,
): Promise<RowsOfEach<Queries>> {
  return tx.getExecutor().provideConnection((connection) => sendTogether(connection, queries));
}

/** The same on the connection itself. */
export async function sendTogether<const Queries extends readonly PipelinedQuery[]>(
  connection: DatabaseConnection,
  queries: Queries,
): Promise<RowsOfEach<Queries>> {
  const compiled = queries.map((query) => (query !== undefined && 'compile' in query ? query.compile() : query));
  // All queries are handed to the connection in one synchronous step, so the driver writes them in order and in one message.
  const results = await Promise.allSettled(
    compiled.map((query) => (query ? connection.executeQuery<unknown>(query) : noRows)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
  return results.map((result) => (result as PromiseFulfilledResult<{ rows: unknown[] }>).value.rows) as never;
}

const noRows = { rows: [] };
