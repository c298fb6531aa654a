import { sql, type RawBuilder } from 'kysely';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { firstMoment, requireOrder, startOf } from '../../platform/core/requested_range.ts';
import type { LocalDate } from '../../days/calendar/dates.ts';
import { endOfLocalDay, isDay, parseTime } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { absenceColumns, absenceRows, visibleAbsences } from './rows.ts';

/** From when to when: ISO times, or plain days, which both belong to the range. */
export interface Range {
  readonly range_start: string;
  readonly range_end: string;
}

/** The absences that overlap a range, of all users who are not deleted or of one, in all workspaces or one. A plain day is a date of an absence of full days, and a local day of the workspace of any other. */
export async function listAbsencesInRange(
  db: Db,
  actor: Actor,
  range: Range,
  of: { userId?: number; workspaceId?: number },
  selection: Selection,
) {
  const { range_start, range_end } = range;
  requireOrder(range_start, range_end);
  const workspaces = await workspacesWith(db, actor.accountId, of.workspaceId);
  let visible = visibleAbsences(db, actor)
    .where(overlaps(actor.accountId, workspaces, range))
    .where(mayOverlap(startOf(range_start), startOf(range_end)))
    .where(isOfExistingUser(actor.accountId));
  if (of.userId !== undefined) visible = visible.where('absences.user_id', '=', of.userId);
  return list(
    db,
    {
      visible,
      rows: absenceRows(db, actor.accountId),
      id: 'absences.id',
      columns: absenceColumns(actor.accountId),
      timeZone: 'UTC',
    },
    selection,
  );
}

/** Whether the user of an absence is not deleted. Clients look up every user of the list among those that the API lists. */
const isOfExistingUser = (accountId: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from users where users.account_id = ${accountId} and users.id = absences.user_id and users.deleted_at is null)`;

interface Zoned {
  readonly id: number;
  readonly time_zone: string;
}

/** The workspaces of the account, or the one that is named, with their zones. */
function workspacesWith(db: Db, accountId: number, id: number | undefined): Promise<Zoned[]> {
  const all = db
    .selectFrom('workspaces')
    .select(['id', 'time_zone'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null);
  return (id === undefined ? all : all.where('id', '=', id)).execute();
}

/** PostgreSQL takes the second midnight of a day that has two, so the bounds are computed here, once for each zone. */
const overlaps = (
  accountId: number,
  workspaces: readonly Zoned[],
  { range_start, range_end }: Range,
): RawBuilder<boolean> => {
  const zones = [...groupBy(workspaces, ({ time_zone }) => time_zone)].map(
    ([zone, members]) => sql<boolean>`(absences.workspace_id = any(${members.map(({ id }) => id)}::bigint[])
      and ${endsAfter(accountId, range_start, zone)} and ${startsBefore(accountId, range_end, zone)})`,
  );
  return zones.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(zones, sql` or `)})`;
};

function endsAfter(accountId: number, text: string, zone: string): RawBuilder<boolean> {
  const others = sql<boolean>`absences.ends_at > ${firstMoment(text, zone)}`;
  return isDay(text) ? reachesDay(accountId, text, others) : others;
}

function startsBefore(accountId: number, text: string, zone: string): RawBuilder<boolean> {
  const others = sql<boolean>`absences.starts_at < ${momentAfter(text, zone)}`;
  return isDay(text) ? beginsByDay(accountId, text, others) : others;
}

/** The end of a range: a time itself, or the first moment after a day. */
const momentAfter = (text: string, zone: string): Date =>
  isDay(text) ? new Date(endOfLocalDay(text, zone).getTime() + 1000) : parseTime(text);

const daysMs = (count: number): number => count * 86_400_000;

/**
 * A wider condition that every absence in the range meets, whatever its zone. The indexes can answer it: an absence started
 * shortly before the range, unless it is one of the few that last longer than a month.
 */
function mayOverlap(start: Date, end: Date): RawBuilder<boolean> {
  const [first, last] = [new Date(start.getTime() - daysMs(33)), new Date(end.getTime() + daysMs(2))];
  return sql<boolean>`(absences.starts_at < ${last}
    and (absences.starts_at > ${first} or (absences.ends_at - absences.starts_at > interval '31 days' and absences.ends_at > ${new Date(start.getTime() - daysMs(1))})))`;
}

/*
 * An absence of full days is a range of dates, wherever its user is: those of its days. Any other absence lasts from one moment to
 * another, and a day is one of the zone of the reader. No zone is two days away from another, so an index on the moments finds
 * both.
 */

/** Absences that end on a day or later. The condition is for those that are not of full days. */
export const reachesDay = (accountId: number, day: LocalDate, others: RawBuilder<unknown>): RawBuilder<boolean> =>
  onDates(accountId, sql`day.date >= ${dateOf(day)}`, others);

/** Absences that begin on a day or earlier. */
export const beginsByDay = (accountId: number, day: LocalDate, others: RawBuilder<unknown>): RawBuilder<boolean> =>
  onDates(accountId, sql`day.date <= ${dateOf(day)}`, others);

/** PostgreSQL has no year 0. */
const dateOf = (day: LocalDate) => sql`${day < '0001' ? '-infinity' : day}::date`;

const onDates = (accountId: number, isMeant: RawBuilder<unknown>, others: RawBuilder<unknown>) => sql<boolean>`(
  case when absences.full_day then exists (
    select from absence_days day
    where day.account_id = ${accountId} and day.absence_id = absences.id and ${isMeant})
  else ${others} end)`;

const twoDaysMs = 2 * 86_400_000;

export const before = (time: Date): Date => new Date(time.getTime() - twoDaysMs);
export const after = (time: Date): Date => new Date(time.getTime() + twoDaysMs);
