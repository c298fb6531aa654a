import { sql } from 'kysely';
import type { DateRange } from '../calendar/dates.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import { isWorkspaceAdmin } from '../core/ranks.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, namedFilter, number, text } from '../db/list/filters.ts';
import { list, type Selection } from '../db/list/list.ts';
import { readableBy } from '../db/visibility.ts';
import { userFilters } from '../users/users.ts';

/** A user of whom there is a summary. */
export interface SummarizedUser {
  readonly id: number;
  readonly username: string;
  /** Whether they are no longer a member of the workspace. */
  readonly is_leaver: boolean;
}

/**
 * One page of the users of the workspace whom the actor may read in full. Workspace admins also get those who have left, if they
 * have finished work or confirmed absences in the workspace in these days.
 */
export function listSummarizedUsers(db: Db, actor: WorkspaceActor, range: DateRange, selection: Selection) {
  const { accountId, workspace } = actor;
  const members = sql`select member.user_id from memberships member
    where member.account_id = ${accountId} and member.workspace_id = ${workspace.id}`;
  const isMember = sql<boolean>`(users.deleted_at is null and users.id = any(array(${members})))`;
  const isReadable = sql<boolean>`(${isMember} and ${readableBy(actor, 'user')})`;
  const hasLeft = sql<boolean>`(users.id = any(array(${usersWithRecords(actor, range)} except ${members})) and ${wasActive(actor, range)})`;
  return list(
    db,
    {
      visible: db
        .selectFrom('users')
        .where('users.account_id', '=', accountId)
        .where(isWorkspaceAdmin(actor) ? sql<boolean>`(${isReadable} or ${hasLeft})` : isReadable),
      rows: db
        .selectFrom('users')
        .where('users.account_id', '=', accountId)
        .select(['users.id', 'users.username', sql<boolean>`not ${isMember}`.as('is_leaver')]),
      id: 'users.id',
      columns: { id: number('users.id'), username: text('users.username') },
      named: {
        user_id: namedFilter(idsIn, (ids) => sql`users.id = any(${ids}::bigint[])`),
        area_id: userFilters(accountId)['areas']!,
      },
      timeZone: workspace.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
}

/** The users who ever worked in the workspace, and those who were absent in these days. Few of them are no members. */
const usersWithRecords = ({ accountId, workspace }: WorkspaceActor, { from, to }: DateRange) => sql`
  select total.user_id from time_tracking_totals total
  where total.account_id = ${accountId} and total.workspace_id = ${workspace.id} and total.user_id > 0
  union
  select absence.user_id from absences absence
  where absence.account_id = ${accountId} and absence.workspace_id = ${workspace.id}
    and absence.starts_at < ${to}::date + 2 and absence.ends_at >= ${from}::date - 1`;

/** Whether a user has finished work or a confirmed absence in the workspace in these days, or on those beside them. */
const wasActive = ({ accountId, workspace }: WorkspaceActor, { from, to }: DateRange) => sql<boolean>`(
  exists (
    select from time_trackings tracking
    where tracking.account_id = ${accountId} and tracking.workspace_id = ${workspace.id} and tracking.user_id = users.id
      and tracking.ends_at is not null
      and (tracking.starts_at at time zone ${workspace.time_zone})::date between ${from}::date and ${to}::date)
  or exists (
    select from absence_days day
    join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
    where day.account_id = ${accountId} and day.user_id = users.id and day.date between ${from}::date and ${to}::date
      and absence.workspace_id = ${workspace.id} and absence.confirmation_status = 'confirmed'))`;
