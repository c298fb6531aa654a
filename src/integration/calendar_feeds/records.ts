import { sql, type RawBuilder } from 'kysely';
import { groupBy } from '../../platform/core/group_by.ts';
import { rankIn, type Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { readableBy, readableShift } from '../../platform/db/visibility.ts';
import { overlapsRange } from '../../planning/shifts/range.ts';
import type { Reader } from './reader.ts';

/* The records that a feed shows, as far as its reader may see them, from one year ago to two years ahead. */

const dayMs = 86_400_000;

/** Beyond these the earliest are left out, so that no feed takes much memory. */
const maxRecords = 5_000;

/** The days that feeds cover. They change at midnight, so that a feed stays the same for a day. */
function windowAt(now: Date): { from: Date; to: Date } {
  const midnight = now.getTime() - (now.getTime() % dayMs);
  return { from: new Date(midnight - 366 * dayMs), to: new Date(midnight + 731 * dayMs) };
}

/** Absences that are not rejected, the latest first. */
export const feedAbsences = (db: Db, reader: Reader, now: Date) => {
  const { accountId } = reader.actor;
  const { from, to } = windowAt(now);
  return db
    .selectFrom('absences')
    .innerJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'absences.user_id'),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('absence_days as day')
          .select(({ fn }) => [fn.min('day.date').as('first_date'), fn.max('day.date').as('last_date')])
          .where('day.account_id', '=', accountId)
          .whereRef('day.absence_id', '=', 'absences.id')
          .as('days'),
      (join) => join.onTrue(),
    )
    .where('absences.account_id', '=', accountId)
    .where('absences.confirmation_status', '<>', 'rejected')
    .where('absences.ends_at', '>', from)
    .where('absences.starts_at', '<', to)
    .where(coveredAbsence(reader))
    .select([
      'absences.uuid',
      'absences.title',
      'absences.starts_at',
      'absences.ends_at',
      'absences.full_day',
      'absences.half_start',
      'absences.half_end',
      'absences.confirmation_status',
      'absences.created_at',
      'absences.updated_at',
      'user.username',
      'days.first_date',
      'days.last_date',
    ])
    .orderBy('absences.starts_at', 'desc')
    .orderBy('absences.id', 'desc')
    .limit(maxRecords)
    .execute();
};

export type FeedAbsence = Awaited<ReturnType<typeof feedAbsences>>[number];

/**
 * In a workspace everybody may know who is away, so the confirmed absences of all members belong to a feed. Those that nobody has
 * decided about belong to it only if the reader may read them.
 */
function coveredAbsence(reader: Reader): RawBuilder<boolean> {
  const { accountId } = reader.actor;
  if (reader.scope === 'own')
    return sql<boolean>`(absences.user_id = ${reader.actor.userId} and absences.workspace_id in (
      select workspace.id from workspaces workspace
      where workspace.account_id = ${accountId} and workspace.deleted_at is null
        and workspace.id = any(${workspaceIdsOf(reader.actor)}::bigint[])))`;
  const { actor, areaId } = reader;
  const inArea = sql<boolean>`exists (
    select from area_members inside
    where inside.account_id = ${accountId} and inside.area_id = ${areaId} and inside.user_id = absences.user_id)`;
  return sql<boolean>`(absences.workspace_id = ${actor.workspace.id} and "user".deleted_at is null and exists (
      select from memberships member
      where member.account_id = ${accountId} and member.workspace_id = ${actor.workspace.id} and member.user_id = absences.user_id)
    and (absences.confirmation_status = 'confirmed' or ${readableBy(actor, 'absence')})
    and ${areaId === null ? sql`true` : inArea})`;
}

/** Shifts, the latest first, each with the names of the users who are on it. */
export const feedShifts = (db: Db, reader: Reader, now: Date) => {
  const { accountId } = reader.actor;
  return db
    .selectFrom('shifts')
    .leftJoin('areas as area', (join) =>
      join.on('area.account_id', '=', accountId).onRef('area.id', '=', 'shifts.area_id'),
    )
    .where('shifts.account_id', '=', accountId)
    .where(overlapsRange(windowAt(now)))
    .where(coveredShift(reader))
    .select([
      'shifts.uuid',
      'shifts.starts_at',
      'shifts.ends_at',
      'shifts.visible',
      'shifts.note',
      'shifts.number_of_employees',
      'shifts.created_at',
      'shifts.updated_at',
      'area.name as area_name',
      sql<string[]>`array(
        select assigned.username from assignments assignment
        join users assigned
          on assigned.account_id = ${accountId} and assigned.id = assignment.user_id and assigned.deleted_at is null
        where assignment.account_id = ${accountId} and assignment.shift_id = shifts.id and not assignment.application
        order by assignment.id)`.as('usernames'),
    ])
    .orderBy('shifts.starts_at', 'desc')
    .orderBy('shifts.id', 'desc')
    .limit(maxRecords)
    .execute();
};

export type FeedShift = Awaited<ReturnType<typeof feedShifts>>[number];

function coveredShift(reader: Reader): RawBuilder<boolean> {
  const { accountId } = reader.actor;
  if (reader.scope === 'own')
    return sql<boolean>`(${readableAnywhere(reader.actor)} and exists (
      select from workspaces workspace
      where workspace.account_id = ${accountId} and workspace.id = shifts.workspace_id and workspace.deleted_at is null)
      and exists (
      select from assignments mine
      where mine.account_id = ${accountId} and mine.shift_id = shifts.id and not mine.application
        and mine.user_id = ${reader.actor.userId}))`;
  const { actor, areaId } = reader;
  return sql<boolean>`(shifts.workspace_id = ${actor.workspace.id} and ${readableShift(actor)}
    and ${areaId === null ? sql`true` : sql`shifts.area_id = ${areaId}`})`;
}

/** The shifts that the actor may read in their workspaces, in each with the rank that they have there. */
function readableAnywhere(actor: Actor): RawBuilder<boolean> {
  const byRank = [...groupBy(workspaceIdsOf(actor), (id) => rankIn(actor, id))].map(
    ([rank, ids]) =>
      sql<boolean>`(shifts.workspace_id = any(${ids}::bigint[]) and ${readableShift({ rank, areaIds: actor.areaIds })})`,
  );
  return byRank.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(byRank, sql` or `)})`;
}

const workspaceIdsOf = ({ roles = {} }: Actor): number[] => Object.keys(roles).map(Number);
