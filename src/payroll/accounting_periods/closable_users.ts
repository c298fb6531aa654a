import { sql } from 'kysely';
import type { DateRange } from '../../days/calendar/dates.ts';
import { refuse } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';

/** The users that a request names, by ascending id: members of the workspace, or users who left it and have records in it. */
export async function namedUsers(db: Db, actor: WorkspaceActor, ids: readonly Id[]): Promise<number[]> {
  const { accountId, workspace } = actor;
  const { numbers, impossible } = numericIds(ids);
  const { rows } = await sql<{ id: number }>`
    select users.id from users
    where users.account_id = ${accountId} and users.id = any(${numbers}::bigint[]) and (${isMember(actor)}
      or exists (
        select from time_trackings tracking
        where tracking.account_id = ${accountId} and tracking.user_id = users.id and tracking.workspace_id = ${workspace.id})
      or exists (
        select from absences absence
        where absence.account_id = ${accountId} and absence.user_id = users.id and absence.workspace_id = ${workspace.id}))
    order by users.id`.execute(db);
  const known = rows.map(({ id }) => id);
  const unknown = numbers.filter((id) => !known.includes(id));
  const what = 'user with time trackings or absences in this workspace';
  refuse(
    [...impossible, ...unknown].flatMap((id) =>
      unknownIds('user_ids', [id], what).map((problem) => ({ ...problem, meta: { user_id: String(id) } })),
    ),
  );
  return known;
}

/**
 * Everybody whose month is open, by ascending id: the members of the workspace whose accounting has begun, and those who left it
 * and have records in it in the month.
 */
export async function openUsers(db: Db, actor: WorkspaceActor, { from, to }: DateRange): Promise<number[]> {
  const { accountId, workspace } = actor;
  const { rows } = await sql<{ id: number }>`
    select users.id from users
    where users.account_id = ${accountId} and users.start_of_accounting <= ${to}::date
      and not exists (
        select from accounting_periods closed
        where closed.account_id = ${accountId} and closed.user_id = users.id and closed.reopened_at is null
          and closed.month >= ${from}::date)
      and (${isMember(actor)}
        or exists (
          select from time_trackings tracking
          where tracking.account_id = ${accountId} and tracking.user_id = users.id and tracking.workspace_id = ${workspace.id}
            and (tracking.starts_at at time zone ${workspace.time_zone})::date between ${from}::date and ${to}::date)
        or exists (
          select from absence_days day
          join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
          where day.account_id = ${accountId} and day.user_id = users.id and day.date between ${from}::date and ${to}::date
            and absence.workspace_id = ${workspace.id}))
    order by users.id`.execute(db);
  return rows.map(({ id }) => id);
}

const isMember = ({ accountId, workspace }: WorkspaceActor) => sql`(users.deleted_at is null and exists (
  select from memberships member
  where member.account_id = ${accountId} and member.workspace_id = ${workspace.id} and member.user_id = users.id))`;
