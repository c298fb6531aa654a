import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { Names, Ref } from '../../platform/core/names.ts';
import { authorize, may, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Db } from '../../platform/db/connection.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { referred, rowNamed } from '../../platform/db/names.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { clearArea } from '../../platform/events/lost_references.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { memberProblems } from '../users/memberships.ts';
import { factsOfUser } from '../users/rows.ts';
import { usersByIds } from '../users/users.ts';

type Schemas = components['schemas'];

export type NewArea = Schemas['AreaCreation']['data']['attributes'];
export type AreaChange = Schemas['AreaUpdate']['data']['attributes'];

const stored = storedAttributes({ table: 'areas', schemas: ['AreaCreation', 'AreaUpdate'], handled: ['user_ids'] });

const columns = listColumns('listAreas', 'areas');

const areaRows = (db: Db, accountId: number) =>
  db
    .selectFrom('areas')
    .where('areas.account_id', '=', accountId)
    .selectAll('areas')
    .select(
      sql<number[]>`array(
        select member.user_id from area_members member
        where member.account_id = ${accountId} and member.area_id = areas.id
        order by member.user_id)`.as('user_ids'),
    );

export type AreaRow = Awaited<ReturnType<ReturnType<typeof areaRows>['executeTakeFirstOrThrow']>>;

export const areaEvents = eventsOf<AreaRow>()('area', [...stored, 'status', 'user_ids']);

/** One active area of the actor's workspace, or undefined. */
export function areaNamed(db: Db, actor: WorkspaceActor, ref: Ref): Promise<AreaRow | undefined> {
  const active = areaRows(db, actor.accountId)
    .where('areas.workspace_id', '=', actor.workspace.id)
    .where('areas.status', '=', 'active');
  return rowNamed('areas', ref, (condition) => active.where(condition).execute());
}

/** The active area that a request of the public API refers to, or what is wrong with the reference. */
export const areaReferred = (db: Db, actor: WorkspaceActor, names: Names) =>
  referred(names, 'active working area of this location', () => areaNamed(db, actor, names));

/** One active area of the actor's workspace; a miss is 404. */
export async function findArea(db: Db, actor: WorkspaceActor, ref: Ref): Promise<AreaRow> {
  const row = await areaNamed(db, actor, ref);
  if (!row) throw notFound('area');
  return row;
}

/** One active or inactive area of the account; a miss is 404. An external id that was reused names the active area. */
export async function findAnyArea(db: Db, { accountId }: Actor, ref: Ref): Promise<AreaRow> {
  const row = await rowNamed('areas', ref, (condition) =>
    areasOfWorkspaces(db, accountId).where(condition).orderBy('areas.status').orderBy('areas.id', 'desc').execute(),
  );
  if (!row) throw notFound('working area');
  return row;
}

/** All active and inactive areas of the account, or of one workspace. */
export const allAreas = (db: Db, { accountId }: Actor, workspaceId: number | null): Promise<AreaRow[]> => {
  const rows = areasOfWorkspaces(db, accountId).orderBy('areas.id');
  return (workspaceId === null ? rows : rows.where('areas.workspace_id', '=', workspaceId)).execute();
};

const areasOfWorkspaces = (db: Db, accountId: number) =>
  areaRows(db, accountId).where(sql<boolean>`exists (
    select from workspaces workspace
    where workspace.account_id = ${accountId} and workspace.id = areas.workspace_id and workspace.deleted_at is null)`);

export const areasByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AreaRow[]> =>
  rowsByIds(areaRows(db, accountId), 'areas.id', ids);

/** The active areas of the actor's workspace. */
export function listAreas(db: Db, { accountId, workspace }: WorkspaceActor, selection: Selection) {
  const visible = db
    .selectFrom('areas')
    .where('areas.account_id', '=', accountId)
    .where('areas.workspace_id', '=', workspace.id)
    .where('areas.status', '=', 'active');
  const rows = areaRows(db, accountId);
  return list(db, { visible, rows, id: 'areas.id', columns, timeZone: workspace.time_zone }, selection);
}

/** Creates an active area in the actor's workspace. */
export async function createArea(
  db: OpenTransaction,
  actor: WorkspaceActor,
  input: NewArea,
  now: Date,
): Promise<AreaRow> {
  refuse(await attributeProblems(db, actor, input, null));
  const { id } = await db
    .insertInto('areas')
    .values({
      ...pick(input, stored),
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = await findArea(db, actor, id);
  areaEvents.record(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** Changes what is given. `user_ids` replaces the members. */
export async function updateArea(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Ref,
  change: AreaChange,
  now: Date,
): Promise<AreaRow> {
  const area = await findToChange(db, actor, 'areas', ref, (found) => findArea(db, actor, found));
  authorize(actor, 'update', 'area', area);
  refuse([
    ...(await attributeProblems(db, actor, change, area.id)),
    ...(await memberProblems(db, actor, 'user_ids', change.user_ids ?? [])),
    ...(await authorityProblems(db, actor, area, change.user_ids ?? [])),
  ]);
  await db
    .updateTable('areas')
    .set({ ...pick(change, stored), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', area.id)
    .execute();
  if (change.user_ids) await setMembers(db, actor.accountId, area.id, numericIds(change.user_ids).numbers);
  const after = await findArea(db, actor, area.id);
  areaEvents.record(db, actor, 'updated', { before: area, after }, now);
  return after;
}

/** Makes the area inactive, and removes its users, time trackings and shifts from it. Returns the area as it is afterwards. */
export async function deleteArea(db: OpenTransaction, actor: WorkspaceActor, ref: Ref, now: Date): Promise<AreaRow> {
  const area = await findToChange(db, actor, 'areas', ref, (found) => findArea(db, actor, found));
  authorize(actor, 'destroy', 'area', area);
  // Of two deletions at the same time, the second finds no active area.
  const deleted = await db
    .updateTable('areas')
    .set({ status: 'inactive', updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', area.id)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw notFound('area');
  await setMembers(db, actor.accountId, area.id, []);
  await clearArea(db, actor, area.id, now);
  areaEvents.record(db, actor, 'deleted', { before: area, after: null }, now);
  return areaRows(db, actor.accountId).where('areas.id', '=', area.id).executeTakeFirstOrThrow();
}

async function setMembers(db: Db, accountId: number, areaId: number, userIds: readonly number[]): Promise<void> {
  // Only differences are written, so that equal requests at the same time do not wait for each other.
  await db
    .deleteFrom('area_members')
    .where('account_id', '=', accountId)
    .where('area_id', '=', areaId)
    .where(sql<boolean>`user_id <> all(${userIds}::bigint[])`)
    .execute();
  const rows = userIds.map((userId) => ({ account_id: accountId, area_id: areaId, user_id: userId }));
  if (rows.length > 0)
    await db
      .insertInto('area_members')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** The problem of new members whom the actor does not administer. Members of the area may stay. */
async function authorityProblems(db: Db, actor: WorkspaceActor, area: AreaRow, ids: readonly Id[]): Promise<Problem[]> {
  const added = numericIds(ids).numbers.filter((id) => !area.user_ids.includes(id));
  const refused = (await usersByIds(db, actor, added)).filter(
    (user) => user.role !== null && !may(actor, 'add_to_area', 'user', factsOfUser(user)),
  );
  return unknownIds(
    'user_ids',
    refused.map(({ id }) => id),
    'user whom you administer',
  );
}

/** The problems of an input that the contract cannot know. `areaId` is null for a new area. */
async function attributeProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  input: AreaChange,
  areaId: number | null,
): Promise<Problem[]> {
  const others = db
    .selectFrom('areas')
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('id', 'is distinct from', areaId);
  const neighbours = others.where('workspace_id', '=', workspace.id);
  return [
    ...(await takenProblems(neighbours, 'name', input.name, 'active area of this workspace')),
    ...(await takenProblems(others, 'external_id', input.external_id, 'area of this account')),
  ];
}
