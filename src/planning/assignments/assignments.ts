import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { lockRoster, lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type Recorded } from '../../platform/events/record.ts';
import { clearLinks } from '../../working_time/time_trackings/assignment_links.ts';

/*
 * Users who are assigned to a shift or applied for it. A user is in one of the two lists of a shift or in neither. The ids of assignments
 * ascend in the order in which users came into their list.
 */

/** As much of a shift as its assignments need. */
interface Shift {
  readonly id: number;
}

export interface AssignedUser {
  readonly user_id: number;
  readonly username: string;
  /** Whether they applied for the shift. Otherwise they are on it. */
  readonly application: boolean;
}

/** The users of a shift in both lists, in the order in which they were added. Deleted users are among them. An unknown shift is 404. */
export async function findAssignments(db: Db, { accountId }: Actor, shiftId: number): Promise<AssignedUser[]> {
  const rows = await usersOfShift(db, accountId, shiftId);
  if (rows.length === 0) throw notFound('shift');
  return rows.filter((row) => row.user_id !== null);
}

/** Whether the account has the shift. */
export const isShift = async (db: Db, { accountId }: Actor, shiftId: number): Promise<boolean> =>
  (await usersOfShift(db, accountId, shiftId)).length > 0;

/** A roster asks for many shifts at once, so one statement finds the shift and its users. A shift without users is one row without a user. */
const usersOfShift = (db: Db, accountId: number, shiftId: number) =>
  db
    .selectFrom('shifts as shift')
    .innerJoin('workspaces as workspace', (join) =>
      join
        .on('workspace.account_id', '=', accountId)
        .onRef('workspace.id', '=', 'shift.workspace_id')
        .on('workspace.deleted_at', 'is', null),
    )
    .leftJoin('assignments as assignment', (join) =>
      join.on('assignment.account_id', '=', accountId).onRef('assignment.shift_id', '=', 'shift.id'),
    )
    .leftJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'assignment.user_id'),
    )
    .select(['user.id as user_id', 'user.username', 'assignment.application'])
    .where('shift.account_id', '=', accountId)
    .where('shift.id', '=', shiftId)
    .orderBy('assignment.id')
    .$castTo<AssignedUser | { user_id: null }>()
    .execute();

/** The ids of the users who are on a shift, in the order in which they were added. */
export const assignedUserIds = (accountId: number, shiftId: RawBuilder<unknown>) => sql<number[]>`array(
  select assignment.user_id from assignments assignment
  where assignment.account_id = ${accountId} and assignment.shift_id = ${shiftId} and not assignment.application
  order by assignment.id)`;

/** Puts users of the account into a list of the shift. They leave the other list; those who are in it already keep their place. */
export async function assignUsers(
  tx: OpenTransaction,
  actor: Actor,
  shift: Shift,
  userIds: readonly number[],
  { application }: { application: boolean },
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  const ids = [...new Set(userIds)];
  // Only those who leave the shift can have work that is linked to it.
  if (application) {
    await lockUsers(tx, { accountId, ids });
    await clearLinks(tx, actor, shift.id, ids, now);
  }
  // The lock keeps the times of the shift as they are until the foreign key has compared them.
  const stored = await shareShift(tx, accountId, shift.id);
  if (!stored) return;
  const { workspace_id, starts_at, ends_at } = stored;
  const { rows } = await sql<Omit<Assignment, 'workspace_id'> & { is_new: boolean }>`
    insert into assignments (account_id, shift_id, user_id, application, starts_at, ends_at, created_at)
    select ${accountId}::bigint, ${shift.id}::bigint, assigned.user_id, ${application}::boolean, ${starts_at}::timestamptz,
      ${ends_at}::timestamptz, ${now}::timestamptz
    from unnest(${ids}::bigint[]) with ordinality assigned (user_id, position)
    order by assigned.position
    on conflict (account_id, shift_id, user_id) do update
      set id = excluded.id, application = excluded.application, created_at = excluded.created_at
      where assignments.application <> excluded.application
    returning id, shift_id, user_id, application, xmax = 0 as is_new`.execute(tx);
  const events = rows.map(({ is_new, ...changed }) => {
    const row = { ...changed, workspace_id };
    return is_new
      ? assignmentEvents.eventOf('created', null, row)!
      : assignmentEvents.eventOf('updated', { ...row, application: !application }, row)!;
  });
  recordEvents(tx, actor, events, now);
}

/** The attributes of an assignment in events. */
interface Assignment extends Recorded {
  readonly shift_id: number;
  readonly application: boolean;
}

const assignmentEvents = eventsOf<Assignment>()('assignment', ['shift_id', 'user_id', 'application']);

/** Reads a shift and keeps it as it is until the transaction ends. */
const shareShift = (tx: OpenTransaction, accountId: number, id: number) =>
  tx
    .selectFrom('shifts')
    .select(['workspace_id', 'starts_at', 'ends_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();

/** Takes users off both lists of the shift and clears the links of their work. Others stay. Returns how many were in a list. */
export async function removeAssignments(
  tx: OpenTransaction,
  actor: Actor,
  shift: Shift,
  userIds: readonly number[],
  now: Date,
): Promise<number> {
  const { accountId } = actor;
  await lockUsers(tx, { accountId, ids: userIds });
  await clearLinks(tx, actor, shift.id, userIds, now);
  const stored = await shareShift(tx, accountId, shift.id);
  const { rows } = await sql<Omit<Assignment, 'workspace_id'>>`
    delete from assignments
    where account_id = ${accountId} and shift_id = ${shift.id} and user_id = any(${userIds}::bigint[])
    returning id, shift_id, user_id, application`.execute(tx);
  const events = rows.map((row) =>
    assignmentEvents.eventOf('deleted', { ...row, workspace_id: stored!.workspace_id }, null)!,
  );
  recordEvents(tx, actor, events, now);
  return rows.length;
}

/** Takes everybody off a shift that is about to be deleted. Nobody is assigned to it any more from then on. */
export async function removeAllAssignments(tx: OpenTransaction, actor: Actor, shift: Shift, now: Date): Promise<void> {
  const { accountId } = actor;
  await lockRoster(tx, { accountId, id: shift.id });
  const assigned = await tx
    .selectFrom('assignments')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('shift_id', '=', shift.id)
    .execute();
  await removeAssignments(
    tx,
    actor,
    shift,
    assigned.map(({ user_id }) => user_id),
    now,
  );
}
