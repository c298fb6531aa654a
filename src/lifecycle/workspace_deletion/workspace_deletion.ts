import { sql } from 'kysely';
import { allAbsenceTypes } from '../../absence/absence_types/absence_types.ts';
import { absenceTypeEvents } from '../../organisation/workspaces/default_absence_types.ts';
import { allAreas, areaEvents } from '../../organisation/areas/areas.ts';
import { invalid, notFound } from '../../platform/core/errors.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockWorkspaces } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordEvents, type NewEvent } from '../../platform/events/record.ts';
import { allTags, tagEvents } from '../../organisation/tags/tags.ts';
import { enqueueRemeasurement } from '../../days/balance/jobs.ts';
import { userEvent } from '../../organisation/users/events/user_events.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import { findWorkspace, workspaceEvents, type WorkspaceRow } from '../../organisation/workspaces/workspaces.ts';

/** Deletes the workspace and its memberships. The last workspace of an account stays. */
export async function deleteWorkspace(tx: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<WorkspaceRow> {
  const { accountId, workspace } = actor;
  const existing = await lockWorkspaces(tx, { accountId });
  if (!existing.some(({ id }) => id === workspace.id)) throw notFound('workspace');
  if (existing.length === 1) throw invalid('protected', 'base', 'The last workspace of an account cannot be deleted.');
  const row = await findWorkspace(tx, actor);
  const eventsOfContents = await contentsOf(tx, actor);
  await tx
    .updateTable('workspaces')
    .set({ deleted_at: now, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', workspace.id)
    .execute();
  await clearWorkspace(tx, actor, now);
  workspaceEvents.record(tx, actor, 'deleted', { before: row, after: null }, now);
  recordEvents(tx, actor, await eventsOfContents(), now);
  // The members who stay in the account now have the zone and the holidays of another workspace.
  await enqueueRemeasurement(tx, accountId, null, { from: null, resetsConfirmed: false });
  return row;
}

/** Locks and reads what the workspace contains. The result returns the events about it, once the workspace is empty. */
async function contentsOf(tx: OpenTransaction, actor: WorkspaceActor): Promise<() => Promise<NewEvent[]>> {
  const { accountId, workspace } = actor;
  for (const table of ['areas', 'absence_types', 'tags'] as const)
    await sql`
      select from ${sql.table(table)} where account_id = ${accountId} and workspace_id = ${workspace.id}
      order by id for no key update`.execute(tx);
  const areas = (await allAreas(tx, actor, workspace.id)).filter(({ status }) => status === 'active');
  const types = await allAbsenceTypes(tx, actor, workspace.id);
  const tags = await allTags(tx, actor);
  const members = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .execute();
  const memberIds = members.map(({ user_id }) => user_id);
  const users = await usersByIds(tx, actor, memberIds);
  return async () => {
    const usersAfter = new Map((await usersByIds(tx, actor, memberIds)).map((user) => [user.id, user]));
    return [
      ...areas.map((before) => areaEvents.eventOf('deleted', before, null)),
      ...types.map((before) => absenceTypeEvents.eventOf('deleted', before, null)),
      ...tags.map((tag) =>
        tagEvents.eventOf('updated', tag, { ...tag, active: false, external_id: null, user_ids: [] }),
      ),
      ...users.map((before) => userEvent(actor, 'updated', { before, after: usersAfter.get(before.id)! })),
    ].filter((event) => event !== undefined);
  };
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
