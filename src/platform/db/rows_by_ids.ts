import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';

/** The column is one of the values. They travel as one array, so that the text of the statement is the same for any number. */
export const isAnyOf = (column: string, values: readonly (number | string)[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any(${values})`;

/** The rows with these ids, in the order of the ids. No ids, no statement. */
export async function rowsByIds<Source, Joined extends keyof Source, Row>(
  rows: SelectQueryBuilder<Source, Joined, Row>,
  idColumn: string,
  ids: readonly (number | string)[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  return (await rows.where(isAnyOf(idColumn, ids)).orderBy(sql.ref(idColumn)).execute()) as Row[];
}
