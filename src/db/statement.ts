import type { CompiledQuery } from 'kysely';
import type { Db } from './connection.ts';

/*
 * To put a large query together takes about as long as to carry it out. Where only its values differ from one call to the
 * next, it is put together once, with the names of the values in their places.
 */
class Place {
  constructor(readonly name: string) {}
}

/** A statement to be called with its values, or to be asked for the query that it is with them. */
export interface Statement<Values, Row> {
  (db: Db, values: Values): Promise<Row[]>;
  readonly query: (db: Db, values: Values) => CompiledQuery<Row>;
}

/** A query or a piece of SQL that is built at its first use, and carried out with the values of each call. It must not look at them. */
export function statement<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile(db: Db): CompiledQuery<Row> },
): Statement<Values, Row> {
  const places = new Proxy({}, { get: (_target, name) => new Place(String(name)) }) as Values;
  let built: CompiledQuery<Row> | undefined;
  const query = (db: Db, values: Values): CompiledQuery<Row> => {
    built ??= build(db, places).compile(db);
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Place ? written((values as Record<string, unknown>)[parameter.name]) : parameter,
    );
    return { query: built.query, queryId: built.queryId, sql: built.sql, parameters };
  };
  return Object.assign(async (db: Db, values: Values) => (await db.executeQuery<Row>(query(db, values))).rows, {
    query,
  });
}

/** Numbers need no quotes, for which the driver looks at each: a batch sends thousands, again and again. */
const written = (value: unknown): unknown =>
  Array.isArray(value) && value.length > 100 && value.every(Number.isFinite) ? `{${value.join()}}` : value;
