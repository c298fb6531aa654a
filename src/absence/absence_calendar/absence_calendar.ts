import { sql } from 'kysely';
import { wholeDay } from '../../days/calendar/amounts.ts';
import type { DateRange, LocalDate } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { requireRange } from '../../days/balance/ranges.ts';

/** A user who is away, and on which days. */
export interface AbsentUser {
  readonly id: number;
  readonly username: string;
  readonly dates: readonly LocalDate[];
  /** How many half days they are away on each date. 0 means some hours. */
  readonly halves: readonly number[];
}

/** The members of the actor's workspace with a confirmed absence there, by name. */
export async function findAbsentUsers(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  range: DateRange,
): Promise<AbsentUser[]> {
  requireRange(range);
  // Half a day is the first or the last date that counts. If none counts, it is the first or the last of all.
  const { rows } = await sql<AbsentUser>`
    select "user".id, "user".username, array_agg(away.date order by away.date) as dates,
      array_agg(away.halves order by away.date) as halves
    from (
      select absence.user_id, day.date, sum(case
        when not absence.full_day then case when day.parts >= ${sql.lit(wholeDay)} then 2 else 0 end
        when absence.half_start and day.date = edges.first_date or absence.half_end and day.date = edges.last_date then 1
        else 2 end)::integer as halves
      from memberships member
      join absence_days day
        on day.account_id = ${accountId} and day.user_id = member.user_id and day.date between ${range.from} and ${range.to}
      join absences absence
        on absence.account_id = ${accountId} and absence.id = day.absence_id and absence.workspace_id = ${workspace.id}
          and absence.confirmation_status = 'confirmed'
      cross join lateral (
        select coalesce(min(edge.date) filter (where edge.parts > 0), min(edge.date)) as first_date,
          coalesce(max(edge.date) filter (where edge.parts > 0), max(edge.date)) as last_date
        from absence_days edge
        where edge.account_id = ${accountId} and edge.absence_id = absence.id) edges
      where member.account_id = ${accountId} and member.workspace_id = ${workspace.id}
      group by absence.user_id, day.date) away
    join users "user" on "user".account_id = ${accountId} and "user".id = away.user_id and "user".deleted_at is null
    group by "user".id, "user".username
    order by "user".username collate "C", "user".id`.execute(db);
  return rows;
}
