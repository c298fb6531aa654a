import pg from 'pg';
import { typeParsers } from './types.ts';

/*
 * The driver learns the columns of an answer anew with every answer, which takes longer than to read a row or two. Those of a
 * statement with a name stay what they were, and are remembered with it.
 */

/** A statement that comes back. */
export interface Named {
  readonly name: string;
  shape?: Shape;
}

/** What rows of an answer look like. */
interface Shape {
  readonly columns: readonly Column[];
  readonly parsers: readonly ((text: string) => unknown)[];
  /** Copied for each row: the engine then knows all of them for objects of one kind. */
  readonly empty: Record<string, unknown>;
}

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
  readonly format: 'text' | 'binary';
}

/** The driver's own, which its types do not know. */
const { Result } = pg as unknown as { Result: new () => { fields: readonly Column[] } };

class KnownResult extends Result {
  readonly #named: Named;
  #shape: Shape | undefined;

  constructor(named: Named) {
    super();
    this.#named = named;
  }

  addFields(columns: readonly Column[]): void {
    this.fields = columns;
    // Another release may have changed a table since; a connection that was made after that has it otherwise.
    const known = this.#named.shape;
    this.#shape = this.#named.shape = known && isOf(known, columns) ? known : shapeOf(columns);
  }

  parseRow(values: readonly (string | null)[]): Record<string, unknown> {
    const { columns, parsers, empty } = this.#shape!;
    const row = { ...empty };
    for (let index = 0; index < columns.length; index++) {
      const value = values[index]!;
      if (value !== null) row[columns[index]!.name] = parsers[index]!(value);
    }
    return row;
  }
}

const isOf = (shape: Shape, columns: readonly Column[]): boolean =>
  shape.columns.length === columns.length &&
  shape.columns.every(
    ({ name, dataTypeID }, index) => name === columns[index]!.name && dataTypeID === columns[index]!.dataTypeID,
  );

function shapeOf(columns: readonly Column[]): Shape {
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const parsers = columns.map(
    ({ dataTypeID, format }) => typeParsers.getTypeParser(dataTypeID, format as 'text') as (text: string) => unknown,
  );
  return { columns, parsers, empty };
}

/** The statement with its values, to be handed to a client. */
export function namedQuery(named: Named, text: string, values: readonly unknown[]): pg.Query {
  const query = new pg.Query(text, values as unknown[]);
  if (!('_result' in query))
    throw new Error('pg keeps the answer to a query elsewhere now; see where and adapt src/db/driver/named_query.ts.');
  const result = new KnownResult(named);
  return Object.assign(query, { name: named.name, _result: result, _results: result });
}
