import type { CompiledQuery } from 'kysely';
import type { Db } from './connection.ts';

/*
 * To put a large query together takes about as long as to carry it out. Where only its values differ from one call to the
 * next, it is put together once, with the names of the values in their places.
 */
class Place {
  constructor(readonly name: string) {}
}

/** A query or a piece of SQL that is built at its first use, and carried out with the values of each call. It must not look at them. */
export function statement<Values extends object, Row>(
  build: (db: Db, values: Values) => { compile(db: Db): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  const places = new Proxy({}, { get: (_target, name) => new Place(String(name)) }) as Values;
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= build(db, places).compile(db);
    const parameters = built.parameters.map((parameter) => (parameter instanceof Place ? (values as Record<string, unknown>)[parameter.name] : parameter));
    const { query, queryId, sql } = built;
    return (await db.executeQuery<Row>({ query, queryId, sql, parameters })).rows;
  };
}
