import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { removeAllAssignments } from '../assignments/assignments.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick } from '../../platform/core/pick.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockArea, lockRoster, lockShift } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { tagProblems } from '../../organisation/tags/tags.ts';
import { recordShift, stored } from './events.ts';
import { maxShiftDays, maxShiftMs } from './range.ts';
import { shiftRows, type ShiftRow } from './rows.ts';

/** The tags that a shift is to have, and the member of the request that names them. */
interface TagsInput {
  readonly ids: readonly Id[];
  readonly pointer: string;
}

export interface NewShift {
  readonly working_area_id: Id;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly number_of_employees?: number;
  readonly note?: string | null;
  /** False for a draft. Null leaves it open, which employees see as published. */
  readonly visible: boolean | null;
  readonly tags?: TagsInput;
  /** The shift whose tags it gets as well, whether they are active or not. */
  readonly tagsOf?: number;
}

export type ShiftChange = Partial<NewShift>;

/** One shift of the actor's workspace that they may read; 404 and 403 otherwise. */
export async function findShift(db: Db, actor: WorkspaceActor, ref: Id): Promise<ShiftRow> {
  const row = await shiftWith(db, actor, ref);
  if (row?.workspace_id !== actor.workspace.id) throw notFound('shift');
  authorize(actor, 'read', 'shift', row);
  return row;
}

/** One shift of any workspace of the account, or undefined. */
export async function shiftWith(db: Db, { accountId }: Actor, ref: Id): Promise<ShiftRow | undefined> {
  const id = numericId(ref);
  return id === undefined
    ? undefined
    : shiftRows(db, accountId)
        .where('shifts.id', '=', id)
        .where(
          sql<boolean>`exists (
          select from workspaces workspace
          where workspace.account_id = ${accountId} and workspace.id = shifts.workspace_id and workspace.deleted_at is null)`,
        )
        .executeTakeFirst();
}

/** Creates a shift in an area of the actor's workspace. */
export async function createShift(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  input: NewShift,
  now: Date,
): Promise<ShiftRow> {
  refuse([...spanProblems(input), ...(await referenceProblems(tx, actor, input))]);
  const areaId = numericId(input.working_area_id)!;
  authorize(actor, 'update', 'shift', { area_id: areaId, visible: input.visible });
  const { id } = await tx
    .insertInto('shifts')
    .values({
      account_id: actor.accountId,
      uuid: randomUUID(),
      workspace_id: actor.workspace.id,
      ...pick(input, stored),
      area_id: areaId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (input.tags) await storeTags(tx, actor, id, input.tags.ids);
  if (input.tagsOf !== undefined) await copyTags(tx, actor, { from: input.tagsOf, to: id });
  const after = await findShift(tx, actor, id);
  recordShift(tx, actor, 'created', { before: null, after }, now);
  return after;
}

/** Changes what is given. The users stay on the shift when its times change. */
export async function updateShift(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: ShiftChange,
  now: Date,
): Promise<ShiftRow> {
  const shift = await findShiftForChange(tx, actor, ref, 'update');
  const columns = columnsOf(change);
  refuse([...spanProblems({ ...shift, ...columns }), ...(await referenceProblems(tx, actor, change, shift.tag_ids))]);
  authorize(actor, 'update', 'shift', { ...shift, area_id: columns.area_id ?? shift.area_id });
  const { visible: _, ...content } = columns;
  const isEdit = Object.keys(content).length > 0 || change.tags !== undefined;
  if (columns.starts_at !== undefined || columns.ends_at !== undefined)
    await moveShift(tx, actor, shift.id, { ...shift, ...columns });
  await tx
    .updateTable('shifts')
    .set({ ...columns, edited: shift.edited || (isEdit && shift.visible !== false), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', shift.id)
    .execute();
  if (change.tags) await storeTags(tx, actor, shift.id, change.tags.ids);
  const after = (await shiftWith(tx, actor, shift.id))!;
  recordShift(tx, actor, 'updated', { before: shift, after }, now);
  return after;
}

/** Changes the times of a shift and of its assignments. A foreign key compares them after the statement, so it changes both. */
async function moveShift(
  tx: OpenTransaction,
  { accountId }: WorkspaceActor,
  id: number,
  { starts_at, ends_at }: Pick<NewShift, 'starts_at' | 'ends_at'>,
): Promise<void> {
  await lockRoster(tx, { accountId, id });
  await sql`
    with moved as (
      update assignments set starts_at = ${starts_at}, ends_at = ${ends_at}
      where account_id = ${accountId} and shift_id = ${id}
    )
    update shifts set starts_at = ${starts_at}, ends_at = ${ends_at}
    where account_id = ${accountId} and id = ${id}`.execute(tx);
}

/** Deletes a shift with its assignments, and returns it as it was. */
export async function deleteShift(tx: OpenTransaction, actor: WorkspaceActor, ref: Id, now: Date): Promise<ShiftRow> {
  const shift = await findShiftForChange(tx, actor, ref, 'destroy');
  await removeAllAssignments(tx, actor, shift, now);
  await tx.deleteFrom('shifts').where('account_id', '=', actor.accountId).where('id', '=', shift.id).execute();
  recordShift(tx, actor, 'deleted', { before: shift, after: null }, now);
  return shift;
}

/** Locks a shift that the actor may change, and returns it as it is under the lock. */
export async function findShiftForChange(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  act: 'update' | 'destroy',
): Promise<ShiftRow> {
  const { id } = await findShift(tx, actor, ref);
  await lockShift(tx, { accountId: actor.accountId, workspaceId: actor.workspace.id, id });
  const shift = await findShift(tx, actor, id);
  authorize(actor, act, 'shift', shift);
  return shift;
}

/** The columns of what is given. */
const columnsOf = (change: ShiftChange) => ({
  ...pick(change, stored),
  ...(change.working_area_id !== undefined && { area_id: numericId(change.working_area_id)! }),
});

const spanProblems = ({ starts_at, ends_at }: Pick<NewShift, 'starts_at' | 'ends_at'>): Problem[] => {
  const [first, last] = [utcForm(starts_at), utcForm(ends_at)];
  const problem = (allowed: string): Problem[] => [
    {
      code: 'out_of_range',
      pointer: 'ends_at',
      title: `ends_at must be ${allowed} starts_at, ${first}, but was ${last}.`,
    },
  ];
  if (ends_at <= starts_at) return problem('after');
  return ends_at.getTime() - starts_at.getTime() > maxShiftMs ? problem(`at most ${maxShiftDays} days after`) : [];
};

/** The problems of the area and the tags that a shift refers to. Locks the area, so that it is not deleted meanwhile. */
async function referenceProblems(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  { working_area_id: areaRef, tags }: ShiftChange,
  carriedTagIds: readonly number[] = [],
): Promise<Problem[]> {
  const { accountId, workspace } = actor;
  const areaId = areaRef === undefined ? undefined : numericId(areaRef);
  const found = areaId === undefined ? [] : await lockArea(tx, { accountId, workspaceId: workspace.id, id: areaId });
  return [
    ...(areaRef === undefined || found.length > 0
      ? []
      : unknownIds('working_area_id', [areaRef], 'active area of this workspace')),
    ...(tags ? await tagProblems(tx, actor, tags.pointer, tags.ids, carriedTagIds) : []),
  ];
}

async function copyTags(
  tx: OpenTransaction,
  { accountId }: WorkspaceActor,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`
    insert into shift_tags (account_id, shift_id, tag_id)
    select ${accountId}::bigint, ${to}::bigint, tag_id from shift_tags
    where account_id = ${accountId} and shift_id = ${from}
    returning account_id`.execute(tx);
}

async function storeTags(
  tx: OpenTransaction,
  { accountId }: WorkspaceActor,
  shiftId: number,
  ids: readonly Id[],
): Promise<void> {
  const tagIds = numericIds(ids).numbers;
  await tx
    .deleteFrom('shift_tags')
    .where('account_id', '=', accountId)
    .where('shift_id', '=', shiftId)
    .where(sql<boolean>`tag_id <> all(${tagIds}::bigint[])`)
    .execute();
  const rows = tagIds.map((tagId) => ({ account_id: accountId, shift_id: shiftId, tag_id: tagId }));
  if (rows.length > 0)
    await tx
      .insertInto('shift_tags')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
