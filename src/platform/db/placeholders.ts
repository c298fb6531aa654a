import { ValueNode, type CompiledQuery, type Expression } from 'kysely';

/** A value that a builder places in SQL: itself, or its placeholder. */
export type Value<T> = T | Expression<T>;

/** Values, or their placeholders, under the same names. */
export type ValuesOrPlaceholders<Values> = { readonly [Name in keyof Values]: Value<Values[Name]> };

/**
 * Stands in SQL for a value that is sent with the query. Builders place it; its type keeps them from looking at it: it cannot
 * be compared, added or branched on, not even with another placeholder of the same kind.
 */
export type Placeholder<T, Name extends PropertyKey = PropertyKey> = Expression<T> &
  Unreadable & { readonly placeholderName: Name };

/** A function is never false, so the compiler refuses it as a condition. The members of functions are hidden. */
type Unreadable = ((uncallable: never) => never) & { readonly length: void; readonly name: void };

/** One placeholder for each value, under the same name. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: Placeholder<Values[Name], Name> };

/** Marks the position of a named value among the parameters of a compiled query. */
class ValueName {
  constructor(readonly name: string) {}
}

/** Makes the placeholder of any name. */
export const namedPlaceholders = <Values extends object>(): Placeholders<Values> =>
  new Proxy({}, { get: (_target, name) => placeholderOf(String(name)) }) as Placeholders<Values>;

const placeholderOf = (name: string): object => ({
  expressionType: undefined,
  toOperationNode: () => ValueNode.create(new ValueName(name)),
  // The compiler lets `-x` and a text with `x` in it pass.
  [Symbol.toPrimitive]: () => {
    throw new TypeError('A placeholder has no value while SQL is built.');
  },
});

/** The query with the values of one call in the positions of their names. */
export const withValues = <Row>(built: CompiledQuery<Row>, values: object): CompiledQuery<Row> => ({
  query: built.query,
  queryId: built.queryId,
  sql: built.sql,
  parameters: built.parameters.map((parameter) =>
    parameter instanceof ValueName ? (values as Record<string, unknown>)[parameter.name] : parameter,
  ),
});
