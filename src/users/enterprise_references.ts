import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Problem } from '../core/errors.ts';
import { unknownIds } from '../core/ids.ts';
import type { Db } from '../db/connection.ts';

/** Records named by their ids, by the caller's own names for them, or by both, which add up. */
export interface NameLists {
  readonly ids?: readonly number[];
  readonly externalIds?: readonly string[];
}

export const isGiven = ({ ids, externalIds }: NameLists): boolean => ids !== undefined || externalIds !== undefined;

/** The condition that leaves only rows with one of these names. */
export const hasName = (table: string, { ids = [], externalIds = [] }: NameLists): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(`${table}.id`)} = any(${ids}::bigint[])
    or ${sql.ref(`${table}.external_id`)} = any(${externalIds.filter((name) => !name.includes('\0'))}::text[]))`;

interface Found<Row> {
  readonly rows: Row[];
  readonly problems: Problem[];
}

interface NamedRow {
  readonly id: number;
  readonly external_id: string | null;
}

/** Every name that leads nowhere, under the member that holds it. */
function found<Row extends NamedRow>(
  rows: Row[],
  { ids = [], externalIds = [] }: NameLists,
  members: { ids: string; externalIds: string },
  what: string,
) {
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

/** The locations that a user is to belong to, in the order of their ids. */
export async function locationsNamed(
  db: Db,
  accountId: number,
  names: NameLists,
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
      problems: [{ pointer: 'location_ids', title: 'location_ids or location_external_ids must name a location.' }],
    };
  return found(
    rows,
    names,
    { ids: 'location_ids', externalIds: 'location_external_ids' },
    'location of this enterprise',
  );
}

/** The working areas that a user of these locations is to belong to. */
export async function areasNamed(
  db: Db,
  accountId: number,
  locationIds: readonly number[],
  names: NameLists,
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

/** The tags that a user of these locations is to have. */
export async function unknownTags(
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
