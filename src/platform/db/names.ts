import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { AppError, type Problem } from '../core/errors.ts';
import { numericId } from '../core/ids.ts';
import { namesInWords, namesDiffer, pointerOf, type Names, type Ref } from '../core/names.ts';

interface NamedRow {
  readonly id: number;
  readonly external_id: string | null;
}

/** Whether a column has this external id. The indexes leave out empty ones, and a plan for any value has to know that this is none. */
export const isExternalId = (column: string, value: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} = ${value} and ${sql.ref(column)} <> '')`;

/**
 * The row that a reference names, or undefined. Where it gives an id and an external id, one row must have both. `rows` returns
 * the row that an external id means first, where several rows have had it.
 */
export async function rowNamed<Row extends NamedRow>(
  table: string,
  ref: Ref,
  rows: (condition: RawBuilder<SqlBool>) => Promise<Row[]>,
): Promise<Row | undefined> {
  const id = sql.ref(`${table}.id`);
  if (typeof ref !== 'object') {
    const number = numericId(ref);
    return number === undefined ? undefined : (await rows(sql`${id} = ${number}`))[0];
  }
  // No column holds NUL, so an external id with one in it names no row.
  const externalId = ref.external_id?.includes('\0') ? undefined : ref.external_id;
  const conditions = [
    ...(ref.id === undefined ? [] : [sql<SqlBool>`${id} = ${ref.id}`]),
    ...(externalId === undefined ? [] : [isExternalId(`${table}.external_id`, externalId)]),
  ];
  if (conditions.length === 0) return undefined;
  const found = await rows(sql`(${sql.join(conditions, sql` or `)})`);
  if (ref.id === undefined || ref.external_id === undefined) return found[0];
  const both = found.find((row) => row.id === ref.id && row.external_id === ref.external_id);
  if (!both && found.length > 0) throw namesDiffer(ref);
  return both;
}

/** The record that a body refers to. Where there is none, that is a problem of the body, reported with its others. */
export async function referred<Row>(
  names: Names,
  what: string,
  find: () => Promise<Row | undefined>,
): Promise<{ row?: Row; problems: Problem[] }> {
  try {
    const row = await find();
    return row
      ? { row, problems: [] }
      : {
          problems: [
            { code: 'unknown_reference', pointer: pointerOf(names), title: `${namesInWords(names)} is no ${what}.` },
          ],
        };
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return { problems: [...error.problems] };
    throw error;
  }
}
