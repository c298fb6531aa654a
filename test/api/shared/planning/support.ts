import { randomUUID } from 'node:crypto';
import { assignUsers, removeAssignments } from '../../../../src/planning/assignments/assignments.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { insertArea } from '../../../support/records.ts';
import { employeeIn } from '../../../support/punches.ts';
import type { World } from '../../../support/world.ts';

/** A time of day on a fixed day in the past. */
export const at = (time: string, day = '2026-03-02'): Date => new Date(`${day}T${time}:00+01:00`);

interface ShiftTimes {
  readonly from?: Date;
  readonly to?: Date;
  readonly visible?: boolean | null;
  readonly workspaceId?: number;
}

/** A shift from 8 to 16 o'clock in an area of its own, straight into the database. */
export async function insertShift(world: World, times: ShiftTimes = {}): Promise<{ id: number }> {
  const { from = at('08:00'), to = at('16:00'), visible = true, workspaceId = world.workspaceId } = times;
  const { db, accountId } = world;
  const [shift] = await db
    .insertInto('shifts')
    .values({
      account_id: accountId,
      uuid: randomUUID(),
      workspace_id: workspaceId,
      area_id: await insertArea({ ...world, workspaceId }, randomUUID(), []),
      starts_at: from,
      ends_at: to,
      visible,
      created_at: from,
      updated_at: from,
    })
    .returning('id')
    .execute();
  return shift!;
}

/** Puts users on a shift, or among those who applied for it. */
export const assign = (
  world: World,
  shift: { id: number },
  userIds: readonly number[],
  list = { application: false },
) =>
  forAccount(world.db, world.accountId, (tx) =>
    assignUsers(tx, employeeIn(world, world.employee.id), shift, userIds, list, new Date()),
  );

/** The id of the assignment of a user to a shift, as a time tracking carries it. */
export async function assignmentId({ db, accountId }: World, shift: { id: number }, userId: number): Promise<string> {
  const { id } = await db
    .selectFrom('assignments')
    .select('id')
    .where('account_id', '=', accountId)
    .where('shift_id', '=', shift.id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return String(id);
}

/** Takes users off a shift. */
export const unassign = (world: World, shift: { id: number }, userIds: readonly number[]) =>
  forAccount(world.db, world.accountId, (tx) =>
    removeAssignments(tx, employeeIn(world, world.employee.id), shift, userIds, new Date()),
  );

/**
 * Shifts around Tuesday, 31 March 2026, in Berlin: 8 and 2.5 hours begin on it. One begins before midnight, one after the next.
 * A draft, an application, and the shift of somebody else do not count.
 */
export async function planTuesday(world: World, otherWorkspaceId: number): Promise<void> {
  const { employee, admin } = world;
  const shift = async (from: string, to: string, more: ShiftTimes = {}) =>
    insertShift(world, { from: new Date(from), to: new Date(to), ...more });
  const own = [
    await shift('2026-03-30T23:59:59+02:00', '2026-03-31T03:59:59+02:00'),
    await shift('2026-03-31T00:00:00+02:00', '2026-03-31T08:00:00+02:00', { visible: null }),
    await shift('2026-03-31T23:00:00+02:00', '2026-04-01T01:30:00+02:00', { workspaceId: otherWorkspaceId }),
    await shift('2026-04-01T00:00:00+02:00', '2026-04-01T03:00:00+02:00'),
    await shift('2026-03-31T09:00:00+02:00', '2026-03-31T10:00:00+02:00', { visible: false }),
  ];
  for (const one of own) await assign(world, one, [employee.id]);
  const others = await shift('2026-03-31T09:00:00+02:00', '2026-03-31T10:00:00+02:00');
  await assign(world, others, [admin.id]);
  await assign(world, others, [employee.id], { application: true });
}
