import { sql } from 'kysely';
import { notFound, refuse, type Problem } from '../core/errors.ts';
import { numericIds, type Id } from '../core/ids.ts';
import type { Ref } from '../core/names.ts';
import { authorize, type Actor, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { number, text, time, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import { rowNamed } from '../db/names.ts';
import { memberProblems } from '../users/references.ts';

export interface AreaInput {
  name?: string;
  color?: string;
  external_id?: string | null;
}

const columns: Columns = {
  id: number('areas.id'),
  name: text('areas.name'),
  status: text('areas.status'),
  color: text('areas.color'),
  external_id: text('areas.external_id'),
  created_at: time('areas.created_at'),
  updated_at: time('areas.updated_at'),
};

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

/** One active area of the actor's workspace; a miss is 404. */
export async function findArea(db: Db, actor: WorkspaceActor, ref: Ref): Promise<AreaRow> {
  const active = areaRows(db, actor.accountId)
    .where('areas.workspace_id', '=', actor.workspace.id)
    .where('areas.status', '=', 'active');
  const row = await rowNamed('areas', ref, (condition) => active.where(condition).execute());
  if (!row) throw notFound('area');
  return row;
}

/** One area of the account, inactive ones too; an external id that was used again names the active one. A miss is 404. */
export async function findAnyArea(db: Db, { accountId }: Actor, ref: Ref): Promise<AreaRow> {
  const row = await rowNamed('areas', ref, (condition) =>
    areasOfLiveWorkspaces(db, accountId).where(condition).orderBy('areas.status').orderBy('areas.id', 'desc').execute(),
  );
  if (!row) throw notFound('working area');
  return row;
}

/** All areas of the account, inactive ones too, or those of one workspace. */
export const allAreas = (db: Db, { accountId }: Actor, workspaceId: number | null): Promise<AreaRow[]> => {
  const rows = areasOfLiveWorkspaces(db, accountId).orderBy('areas.id');
  return (workspaceId === null ? rows : rows.where('areas.workspace_id', '=', workspaceId)).execute();
};

const areasOfLiveWorkspaces = (db: Db, accountId: number) =>
  areaRows(db, accountId).where(sql<boolean>`exists (
    select from workspaces workspace
    where workspace.account_id = ${accountId} and workspace.id = areas.workspace_id and workspace.deleted_at is null)`);

export const areasByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AreaRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : areaRows(db, accountId)
        .where('areas.id', 'in', [...new Set(ids)])
        .orderBy('areas.id')
        .execute();

/** The active areas of the actor's workspace. */
export function listAreas(db: Db, { accountId, workspace }: WorkspaceActor, selection: Selection) {
  const visible = db
    .selectFrom('areas')
    .where('areas.account_id', '=', accountId)
    .where('areas.workspace_id', '=', workspace.id)
    .where('areas.status', '=', 'active');
  const rows = areaRows(db, accountId);
  return list(db, { visible, rows, id: 'areas.id', columns }, selection);
}

/** A new active area of the actor's workspace. */
export async function createArea(
  db: Db,
  actor: WorkspaceActor,
  input: AreaInput & { name: string },
  now: Date,
): Promise<AreaRow> {
  refuse(await problemsWith(db, actor, input, null));
  const { id } = await db
    .insertInto('areas')
    .values({
      ...input,
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return findArea(db, actor, id);
}

/** Changes what is given; `user_ids` replaces the members. */
export async function updateArea(
  db: Db,
  actor: WorkspaceActor,
  ref: Ref,
  change: AreaInput & { user_ids?: readonly Id[] },
  now: Date,
): Promise<AreaRow> {
  const area = await findArea(db, actor, ref);
  authorize(actor, 'update', 'area', area);
  const { user_ids, ...input } = change;
  refuse([
    ...(await problemsWith(db, actor, input, area.id)),
    ...(await memberProblems(db, actor, 'user_ids', user_ids ?? [])),
  ]);
  await db
    .updateTable('areas')
    .set({ ...input, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', area.id)
    .execute();
  if (user_ids) await setMembers(db, actor.accountId, area.id, numericIds(user_ids).numbers);
  return findArea(db, actor, area.id);
}

/** Makes the area inactive and empties it: users leave it, and time trackings are in no area any more. Returns it as it is afterwards. */
export async function deleteArea(db: Db, actor: WorkspaceActor, ref: Ref, now: Date): Promise<AreaRow> {
  const area = await findArea(db, actor, ref);
  authorize(actor, 'destroy', 'area', area);
  // Of two at the same moment, the second finds the area no longer active.
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
  await db
    .updateTable('time_trackings')
    .set({ area_id: null })
    .where('account_id', '=', actor.accountId)
    .where('area_id', '=', area.id)
    .execute();
  return areaRows(db, actor.accountId).where('areas.id', '=', area.id).executeTakeFirstOrThrow();
}

async function setMembers(db: Db, accountId: number, areaId: number, userIds: readonly number[]): Promise<void> {
  // Only what changes is written, so that those who write the same at the same moment do not wait for each other.
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

/** What the data says against an input. Constraints hold these too, but one at a time. */
async function problemsWith(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  input: AreaInput,
  exceptId: number | null,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const others = db
    .selectFrom('areas')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .where('id', 'is distinct from', exceptId);
  if (
    input.name !== undefined &&
    (await others.where('workspace_id', '=', workspace.id).where('name', '=', input.name).executeTakeFirst())
  ) {
    problems.push({
      pointer: 'name',
      title: `name "${input.name}" is already used by another active area of this workspace.`,
    });
  }
  if (input.external_id && (await others.where('external_id', '=', input.external_id).executeTakeFirst())) {
    problems.push({
      pointer: 'external_id',
      title: `external_id "${input.external_id}" is already used by another area of this account.`,
    });
  }
  return problems;
}
