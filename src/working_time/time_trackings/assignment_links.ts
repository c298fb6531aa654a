import { sql } from 'kysely';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import type { EventActor } from '../../platform/events/record.ts';
import { changeAndRecord } from '../../platform/events/record_rows.ts';

/*
 * A time tracking that begins near a shift of its user carries the id of the assignment. Every change to the work of a user
 * locks the user first, and so does a removal from a shift, so no link to a removed assignment is left.
 */

/** The user, the place and the start of a piece of work: values, or columns of the statement. */
export interface WorkToLink {
  readonly accountId: unknown;
  readonly workspaceId: unknown;
  readonly userId: unknown;
  readonly startsAt: unknown;
}

/** Work that begins later than this after the start of a shift is not linked to it. The limit keeps punches from reading many earlier shifts. */
const longestLink = sql.lit('7 days');

/**
 * The id of the assignment that a piece of work belongs to; null where there is none. Work belongs to a published shift of its user
 * if it begins
 * - at most 2 hours before the shift starts,
 * - at most 7 days after the shift starts,
 * - before the shift ends, or within 2 hours of its start if that is later.
 * Of several shifts, the one whose start is nearest counts.
 */
export const nearestAssignment = ({ accountId, workspaceId, userId, startsAt }: WorkToLink) => {
  const moment = sql`${startsAt}::timestamptz`;
  return sql<string | null>`(
    select assignment.id::text from assignments assignment
    join shifts shift on shift.account_id = ${accountId} and shift.id = assignment.shift_id
    where assignment.account_id = ${accountId} and assignment.user_id = ${userId} and not assignment.application
      and assignment.starts_at between ${moment} - interval ${longestLink} and ${moment} + interval '2 hours'
      and greatest(assignment.ends_at, assignment.starts_at + interval '2 hours') >= ${moment}
      and shift.workspace_id = ${workspaceId} and shift.visible is distinct from false
    order by abs(extract(epoch from assignment.starts_at - ${moment})), assignment.starts_at, assignment.id
    limit 1)`;
};

/** The query for the assignment that a piece of work belongs to. */
export const nearestAssignmentQuery = (tx: OpenTransaction, work: WorkToLink) =>
  sql<{ id: string | null }>`select ${nearestAssignment(work)} as id`.compile(tx);

/** The assignment of a time tracking whose start or user changes. An id that names no assignment of its user was given by a client, and stays. */
export const assignmentAfter = (work: WorkToLink) => sql<string | null>`case
  when assignment_id is null or exists (
    select from assignments linked
    where linked.account_id = ${work.accountId} and linked.user_id = time_trackings.user_id
      and linked.id = case when assignment_id ~ '^[0-9]{1,18}$' then assignment_id::bigint end)
  then ${nearestAssignment(work)} else assignment_id end`;

/** Clears the links between a shift and the work of these users, also in deleted work. The caller has locked the users. */
export async function clearLinks(
  tx: OpenTransaction,
  actor: EventActor,
  shiftId: number,
  userIds: readonly number[],
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  const linked = sql`
    select id::text as id, user_id from assignments
    where account_id = ${accountId} and shift_id = ${shiftId} and user_id = any(${userIds}::bigint[]) and not application`;
  await changeAndRecord(
    tx,
    actor,
    'time_tracking.updated',
    {
      change: sql`
        update time_trackings tracking set assignment_id = null, updated_at = ${now}
        from (${linked}) linked
        where tracking.account_id = ${accountId} and tracking.assignment_id = linked.id and tracking.user_id = linked.user_id
        returning tracking.workspace_id, tracking.id, tracking.uuid, tracking.external_id, tracking.user_id, linked.id as former_id`,
      columns: sql`workspace_id bigint, id bigint, uuid uuid, external_id text, user_id bigint, former_id text`,
      rows: sql`
        select workspace_id, id, uuid, external_id, user_id,
          jsonb_build_object('assignment_id', jsonb_build_array(former_id, null)) as changes
        from changed`,
    },
    now,
  );
  await sql`
    update deleted_records deleted set stored_rows = jsonb_set(stored_rows, '{time_trackings,0,assignment_id}', 'null')
    from (${linked}) linked
    where deleted.account_id = ${accountId} and deleted.user_id = linked.user_id and deleted.record_type = 'time_tracking'
      and deleted.stored_rows #>> '{time_trackings,0,assignment_id}' = linked.id`.execute(tx);
}
