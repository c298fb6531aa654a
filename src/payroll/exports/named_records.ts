import type { Problem } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import type { Asked, Resource } from './request.ts';
import { idsOf } from './sources.ts';

const nouns = { time_trackings: 'time tracking', absences: 'absence' } as const;

/** The records that the body names and that are not there, or that the actor may not read: a file must not miss them in silence. */
export async function namedProblems(
  db: Db,
  actor: WorkspaceActor,
  resource: Resource,
  { ids = [], user_ids = [], area_ids = [] }: Asked,
  now: Date,
): Promise<Problem[]> {
  const { accountId, workspace } = actor;
  const readable = ids.length === 0 ? [] : await idsOf(db, actor, resource, { filter: { id: `in:${ids.join(',')}` }, sort: [] }, now); // prettier-ignore
  const records = await db
    .selectFrom(resource)
    .select(['id', 'uuid'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', readable))
    .execute();
  const users = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', numericIds(user_ids).numbers))
    .execute();
  const areas = await db
    .selectFrom('areas')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where(isAnyOf('id', numericIds(area_ids).numbers))
    .execute();
  const named = new Set(records.flatMap(({ id, uuid }) => [String(id), uuid]));
  return [
    ...unknownIds(
      'ids',
      ids.filter((id) => !named.has(String(id).toLowerCase())),
      `${nouns[resource]} of this workspace that you may read`,
    ),
    ...unknownIds('user_ids', missingIn(user_ids, users), 'user of this account'),
    ...unknownIds('area_ids', missingIn(area_ids, areas), 'area of this workspace'),
  ];
}

const missingIn = (ids: readonly Id[], found: readonly { readonly id: number }[]): Id[] => {
  const known = new Set(found.map(({ id }) => String(id)));
  return ids.filter((id) => !known.has(String(id)));
};
