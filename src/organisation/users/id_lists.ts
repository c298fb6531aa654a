import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Problem } from '../../platform/core/errors.ts';
import { unknownIds } from '../../platform/core/ids.ts';
import type { Db } from '../../platform/db/connection.ts';

/** Records named by ids, by external ids, or by both together. */
export interface IdLists {
  readonly ids?: readonly number[];
  readonly externalIds?: readonly string[];
}

export const isGiven = ({ ids, externalIds }: IdLists): boolean => ids !== undefined || externalIds !== undefined;

/** The condition that a row has one of the names. */
export const hasName = (table: string, { ids = [], externalIds = [] }: IdLists): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${table}.id`)} = any(${ids}::bigint[])
    or ${sql.ref(`${table}.external_id`)} = any(${externalIds.filter((name) => !name.includes('\0'))}::text[]))`;

/** The rows that were found, and one problem for each member with unknown names. */
interface Found<Row> {
  readonly rows: Row[];
  readonly problems: Problem[];
}

interface NamedRow {
  readonly id: number;
  readonly external_id: string | null;
}

function found<Row extends NamedRow>(
  rows: Row[],
  { ids = [], externalIds = [] }: IdLists,
  members: { ids: string; externalIds: string },
  what: string,
): Found<Row> {
  const known = { ids: new Set(rows.map((row) => row.id)), externalIds: new Set(rows.map((row) => row.external_id)) };
  const unknown = {
    ids: ids.filter((id) => !known.ids.has(id)),
    externalIds: externalIds.filter((name) => !known.externalIds.has(name)),
  };
  return {
    rows,
    problems: [
      ...unknownIds(members.ids, unknown.ids, what),
      ...unknownIds(members.externalIds, unknown.externalIds, what),
    ],
  };
}

/** The locations of a new user, in the order of their ids. */
export async function locationsNamed(
  db: Db,
  accountId: number,
  names: IdLists,
): Promise<Found<NamedRow & { time_zone: string }>> {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'external_id', 'time_zone'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(hasName('workspaces', names))
    .orderBy('id')
    .execute();
  const { ids = [], externalIds = [] } = names;
  if (ids.length + externalIds.length === 0)
    return {
      rows,
      problems: [
        {
          code: 'required',
          pointer: 'location_ids',
          title: 'location_ids or location_external_ids must name a location.',
        },
      ],
    };
  return found(
    rows,
    names,
    { ids: 'location_ids', externalIds: 'location_external_ids' },
    'location of this enterprise',
  );
}

/** The active working areas with these names, in some locations. */
export async function areasNamed(
  db: Db,
  accountId: number,
  locationIds: readonly number[],
  names: IdLists,
): Promise<Found<NamedRow>> {
  const rows = await db
    .selectFrom('areas')
    .select(['id', 'external_id'])
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('workspace_id', '=', sql<number>`any(${locationIds}::bigint[])`)
    .where(hasName('areas', names))
    .execute();
  return found(
    rows,
    names,
    { ids: 'working_area_ids', externalIds: 'working_area_external_ids' },
    "active working area of the user's locations",
  );
}

/** One problem that lists every id that is no tag of the locations. */
export async function locationTagProblems(
  db: Db,
  accountId: number,
  locationIds: readonly number[],
  ids: readonly number[],
): Promise<Problem[]> {
  const rows = await db
    .selectFrom('tags')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', sql<number>`any(${locationIds}::bigint[])`)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  return unknownIds(
    'tags',
    ids.filter((id) => !known.has(id)),
    "tag of the user's locations",
  );
}
