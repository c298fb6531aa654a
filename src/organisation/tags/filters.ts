import { notFound } from '../../platform/core/errors.ts';
import { refuseOtherExternalId } from '../../platform/core/external_ids.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowNamed } from '../../platform/db/names.ts';
import { inWorkspace, workspaceNamed } from '../workspaces/workspaces.ts';
import { updateTag, type TagRow } from './tags.ts';

/* The public API calls a tag a filter, and names it without its location. */

const filterRows = (db: Db, { accountId }: Actor) =>
  db
    .selectFrom('tags')
    .innerJoin('workspaces', (join) =>
      join.on('workspaces.account_id', '=', accountId).onRef('workspaces.id', '=', 'tags.workspace_id'),
    )
    .where('tags.account_id', '=', accountId)
    .where('workspaces.deleted_at', 'is', null)
    .selectAll('tags')
    .orderBy('tags.id');

export type FilterRow = Omit<TagRow, 'user_ids'>;

/** Every filter of the enterprise, or of one location. */
export const allFilters = (db: Db, actor: Actor, workspaceId: number | null): Promise<FilterRow[]> =>
  filterRows(db, actor)
    .$if(workspaceId !== null, (rows) => rows.where('tags.workspace_id', '=', workspaceId!))
    .execute();

/** One filter of the enterprise; 404 otherwise. */
export async function findFilter(db: Db, actor: Actor, names: Names): Promise<FilterRow> {
  const row = await rowNamed('tags', names, (condition) => filterRows(db, actor).where(condition).execute());
  if (!row) throw notFound('filter');
  return row;
}

interface FilterChange {
  readonly title?: string;
  readonly active?: boolean;
}

/** Changes a filter. One that is named by its id and has no external id yet gets the one that is sent. */
export async function updateFilter(
  db: OpenTransaction,
  actor: Actor,
  names: Names,
  location: Names | undefined,
  change: FilterChange,
  now: Date,
): Promise<FilterRow> {
  const { id, external_id: externalId } = names;
  const row = await findFilter(db, actor, id === undefined ? names : { id, prefix: names.prefix });
  const workspace = (await workspaceNamed(db, actor, location ?? row.workspace_id))!;
  if (workspace?.id !== row.workspace_id) throw notFound('filter');
  refuseOtherExternalId(names, row, 'filter');
  return updateTag(db, inWorkspace(actor, workspace), row.id, { ...change, external_id: externalId }, now);
}
