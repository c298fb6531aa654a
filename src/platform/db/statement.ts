import type { CompiledQuery } from 'kysely';
import type { Db } from './connection.ts';
import { namedPlaceholders, withValues, type Placeholders } from './placeholders.ts';

/** A statement to be executed with its values, or compiled with them into a query. */
export interface Statement<Values, Row> {
  (db: Db, values: Values): Promise<Row[]>;
  readonly query: (db: Db, values: Values) => CompiledQuery<Row>;
}

/**
 * A query or a piece of SQL that is built and compiled at its first use, because that takes about as long as to execute it.
 * Every call sends its own values in place of the placeholders.
 */
export function statement<Values extends object, Row>(
  build: (db: Db, values: Placeholders<Values>) => { compile(db: Db): CompiledQuery<Row> },
): Statement<Values, Row> {
  let built: CompiledQuery<Row> | undefined;
  const query = (db: Db, values: Values): CompiledQuery<Row> => {
    built ??= build(db, namedPlaceholders<Values>()).compile(db);
    return withValues(built, values);
  };
  return Object.assign(async (db: Db, values: Values) => (await db.executeQuery<Row>(query(db, values))).rows, {
    query,
  });
}
