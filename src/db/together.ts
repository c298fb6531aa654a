import type { CompiledQuery } from 'kysely';
import type { Db } from './connection.ts';

/*
 * A message to the database and its answer cost as much time of both processes as a small statement. Statements that do not
 * need each other's answers go out in one message; they are carried out one after the other, and each sees what was done before.
 */

/** Sends statements at once, and returns the rows of each. */
export const together = <Rows extends readonly unknown[]>(
  db: Db,
  ...queries: { readonly [Index in keyof Rows]: CompiledQuery<Rows[Index]> }
): Promise<{ [Index in keyof Rows]: Rows[Index][] }> =>
  db.getExecutor().provideConnection(async (connection) => {
    const answers = await Promise.all(queries.map((query) => connection.executeQuery(query)));
    return answers.map(({ rows }) => rows) as { [Index in keyof Rows]: Rows[Index][] };
  });
