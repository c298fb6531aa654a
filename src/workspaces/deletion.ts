import { sql } from 'kysely';
import { invalid, notFound } from '../core/errors.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { lockWorkspaces } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { enqueueRemeasurement } from '../time_account/jobs.ts';
import { findWorkspace, type WorkspaceRow } from './workspaces.ts';

/** Deletes the workspace and its memberships. The last workspace of an account stays. */
export async function deleteWorkspace(tx: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<WorkspaceRow> {
  const { accountId, workspace } = actor;
  const existing = await lockWorkspaces(tx, { accountId });
  if (!existing.some(({ id }) => id === workspace.id)) throw notFound('workspace');
  if (existing.length === 1) throw invalid('base', 'The last workspace of an account cannot be deleted.');
  const row = await findWorkspace(tx, actor);
  await tx
    .updateTable('workspaces')
    .set({ deleted_at: now, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', workspace.id)
    .execute();
  await clearWorkspace(tx, actor, now);
  // The members who stay in the account now have the zone and the holidays of another workspace.
  await enqueueRemeasurement(tx, accountId, null, { from: null, resetsConfirmed: false });
  return row;
}

/** Removes all members of the workspace and of its records, and releases the external ids of the records. */
async function clearWorkspace(db: Db, { accountId, workspace }: WorkspaceActor, now: Date): Promise<void> {
  const inside = <Table extends 'areas' | 'tags' | 'absence_types'>(table: Table) =>
    sql<number>`(select id from ${sql.table(table)} where account_id = ${accountId} and workspace_id = ${workspace.id})`;
  await db
    .deleteFrom('memberships')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .execute();
  await db
    .deleteFrom('area_members')
    .where('account_id', '=', accountId)
    .where('area_id', 'in', inside('areas'))
    .execute();
  await db.deleteFrom('user_tags').where('account_id', '=', accountId).where('tag_id', 'in', inside('tags')).execute();
  await db
    .deleteFrom('user_absence_types')
    .where('account_id', '=', accountId)
    .where('absence_type_id', 'in', inside('absence_types'))
    .execute();
  await db
    .updateTable('areas')
    .set({ status: 'inactive', updated_at: now })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('status', '=', 'active')
    .execute();
  for (const table of ['tags', 'absence_types'] as const) {
    await db
      .updateTable(table)
      .set({ active: false, external_id: null, updated_at: now })
      .where('account_id', '=', accountId)
      .where('workspace_id', '=', workspace.id)
      .execute();
  }
}
