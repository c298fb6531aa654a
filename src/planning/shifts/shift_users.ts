import { sql } from 'kysely';
import { assignUsers, removeAssignments } from '../assignments/assignments.ts';
import { refuse } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { clashesWith, clashProblems } from './candidates.ts';
import type { ShiftRow } from './rows.ts';
import { findShift, findShiftForChange, updateShift, type ShiftChange } from './shifts.ts';

export interface UsersInput {
  readonly user_ids: readonly Id[];
  /** Whether users are assigned in spite of clashes. */
  readonly force?: boolean;
}

/** Puts exactly these users on a shift. Those who are added must be active members, and free unless it is forced. */
export async function setShiftUsers(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  { user_ids: given, force = false }: UsersInput,
  now: Date,
): Promise<ShiftRow> {
  const shift = await findShiftForChange(tx, actor, ref, 'update');
  const { numbers, impossible } = numericIds(given);
  const added = numbers.filter((id) => !shift.user_ids.includes(id));
  const removed = shift.user_ids.filter((id) => !numbers.includes(id));
  // The locks make two assignments of one user happen one after the other. All are taken at once, by id.
  await lockUsers(tx, { accountId: actor.accountId, ids: [...added, ...removed] });
  const members = await activeMembers(tx, actor, added);
  const unknown = [...impossible, ...added.filter((id) => !members.has(id))];
  const clashes = force ? new Map() : await clashesWith(tx, actor, shift, [...members], now);
  refuse([
    ...unknownIds('user_ids', unknown, 'active user of this workspace'),
    ...clashProblems(actor, clashes, { pointer: 'user_ids', subject: 'user_ids names' }),
  ]);
  if (added.length === 0 && removed.length === 0) return shift;
  if (removed.length > 0) await removeAssignments(tx, actor, shift, removed, now);
  await assignUsers(tx, actor, shift, added, { application: false }, now);
  await tx
    .updateTable('shifts')
    .set({ updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', shift.id)
    .execute();
  return findShift(tx, actor, shift.id);
}

/** Changes a shift like `updateShift`. New times must suit the users on it, unless it is forced. */
export async function rescheduleShift(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: ShiftChange,
  { force = false }: { force?: boolean },
  now: Date,
): Promise<ShiftRow> {
  const shift = await updateShift(tx, actor, ref, change, now);
  if (force || (change.starts_at === undefined && change.ends_at === undefined)) return shift;
  await lockUsers(tx, { accountId: actor.accountId, ids: shift.user_ids });
  const clashes = await clashesWith(tx, actor, shift, shift.user_ids, now);
  const pointer = change.starts_at === undefined ? 'ends_at' : 'starts_at';
  refuse(clashProblems(actor, clashes, { pointer, subject: `${pointer} does not suit user` }));
  return shift;
}

/** Those of the users who can be put on a shift of the workspace. */
export async function activeMembers(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  userIds: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select member.id from users member
    join memberships membership
      on membership.account_id = ${accountId} and membership.workspace_id = ${workspace.id} and membership.user_id = member.id
    where member.account_id = ${accountId} and member.id = any(${userIds}::bigint[]) and member.deleted_at is null and member.status = 'active'
    order by member.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
