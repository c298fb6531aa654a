import { sql } from 'kysely';
import type { DateRange } from '../../days/calendar/dates.ts';
import { may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { idsIn, namedFilter, number, text } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { conditionsIn } from '../../platform/db/list/read_filters.ts';
import { readableBy } from '../../platform/db/visibility.ts';
import { userFilters } from '../../organisation/users/users.ts';

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
export async function listSummarizedUsers(db: Db, actor: WorkspaceActor, range: DateRange, selection: Selection) {
  const { accountId, workspace } = actor;
  const isMember = sql<boolean>`(users.deleted_at is null and users.id = any(array(${membersOf(actor)})))`;
  const isReadable = sql<boolean>`(${isMember} and ${readableBy(actor, 'user')})`;
  const leavers = may(actor, 'see_leavers', 'workspace', workspace)
    ? await leaversOf(db, actor, range, wantedIn(selection))
    : [];
  return list(
    db,
    {
      visible: db
        .selectFrom('users')
        .where('users.account_id', '=', accountId)
        .where(sql<boolean>`(${isReadable} or users.id = any(${leavers}::bigint[]))`),
      rows: db
        .selectFrom('users')
        .where('users.account_id', '=', accountId)
        .select(['users.id', 'users.username', sql<boolean>`not ${isMember}`.as('is_leaver')]),
      id: 'users.id',
      columns: { id: number('users.id'), username: text('users.username') },
      named: { user_id: userFilter, area_id: userFilters(accountId)['areas']! },
      timeZone: workspace.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
}

const userFilter = namedFilter(idsIn, (ids) => sql`users.id = any(${ids}::bigint[])`);

/** The users that the request names; null where it names none. */
function wantedIn({ filter }: Selection): readonly number[] | null {
  const [condition] = conditionsIn(
    { columns: {}, named: { user_id: userFilter }, timeZone: 'UTC' },
    { user_id: filter['user_id'] },
  );
  return condition?.matcher === 'named' ? (condition.value as number[]) : null;
}

const membersOf = ({ accountId, workspace }: WorkspaceActor) => sql`
  select member.user_id from memberships member
  where member.account_id = ${accountId} and member.workspace_id = ${workspace.id}`;

/** The users with finished work or confirmed absences in the workspace in these days who are no members of it. */
async function leaversOf(
  db: Db,
  actor: WorkspaceActor,
  { from, to }: DateRange,
  wanted: readonly number[] | null,
): Promise<number[]> {
  const { accountId, workspace } = actor;
  const isWanted = (userId: string) =>
    wanted === null ? sql`true` : sql`${sql.ref(userId)} = any(${wanted}::bigint[])`;
  const { rows } = await sql<{ id: number }>`
    select candidate.user_id as id
    from (
      -- Users who ever worked here have totals. Few of them have left.
      (select total.user_id from time_tracking_totals total
       where total.account_id = ${accountId} and total.workspace_id = ${workspace.id} and total.user_id > 0 and ${isWanted('total.user_id')}
       union
       select absence.user_id from absences absence
       where absence.account_id = ${accountId} and absence.workspace_id = ${workspace.id} and absence.confirmation_status = 'confirmed'
         and absence.starts_at < ${to}::date + 2 and absence.ends_at >= ${from}::date - 1 and ${isWanted('absence.user_id')})
      except ${membersOf(actor)}) candidate
    where exists (
        select from time_trackings tracking
        where tracking.account_id = ${accountId} and tracking.user_id = candidate.user_id and tracking.workspace_id = ${workspace.id}
          and tracking.ends_at is not null
          and (tracking.starts_at at time zone ${workspace.time_zone})::date between ${from}::date and ${to}::date)
      or exists (
        select from absence_days day
        join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
        where day.account_id = ${accountId} and day.user_id = candidate.user_id and day.date between ${from}::date and ${to}::date
          and absence.workspace_id = ${workspace.id} and absence.confirmation_status = 'confirmed')`.execute(db);
  return rows.map(({ id }) => id);
}
