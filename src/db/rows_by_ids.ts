import { sql, type SelectQueryBuilder } from 'kysely';

/** The rows with these ids, in the order of the ids. No ids, no statement. */
export async function rowsByIds<Source, Joined extends keyof Source, Row>(
  rows: SelectQueryBuilder<Source, Joined, Row>,
  idColumn: string,
  ids: readonly (number | string)[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const id = sql.ref(idColumn);
  return (await rows
    .where(sql<boolean>`${id} = any(${ids})`)
    .orderBy(id)
    .execute()) as Row[];
}
