import { sql, type RawBuilder } from 'kysely';
import { invalid } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import { isDay, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { list, type Selection } from '../db/list/list.ts';
import { absenceColumns, absenceRows, visibleAbsences } from './rows.ts';

/** From when to when: ISO times, or plain days, which both belong to the range. */
export interface Range {
  readonly range_start: string;
  readonly range_end: string;
}

/** The absences that overlap a range, of all users or one, in all workspaces or one. A plain day is a local day of each absence's workspace. */
export function listAbsencesInRange(
  db: Db,
  actor: Actor,
  range: Range,
  of: { userId?: number; workspaceId?: number },
  selection: Selection,
) {
  const { range_start, range_end } = range;
  if (isDay(range_start) === isDay(range_end) && startOf(range_end) < startOf(range_start)) {
    throw invalid(
      'range_end',
      `range_end must not lie before range_start, which is ${range_start}, but was ${range_end}.`,
    );
  }
  let visible = visibleAbsences(db, actor)
    .where(
      sql<boolean>`exists (
    select from workspaces workspace
    where workspace.account_id = ${actor.accountId} and workspace.id = absences.workspace_id and workspace.deleted_at is null
      and absences.ends_at > ${boundary(range_start, 0)} and absences.starts_at < ${boundary(range_end, 1)})`,
    )
    .where(mayOverlap(startOf(range_start), startOf(range_end)));
  if (of.userId !== undefined) visible = visible.where('absences.user_id', '=', of.userId);
  if (of.workspaceId !== undefined) visible = visible.where('absences.workspace_id', '=', of.workspaceId);
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

const startOf = (text: string): Date => (isDay(text) ? new Date(text) : parseTime(text));

/** A time, or the start of a local day that many days later. */
const boundary = (text: string, laterDays: number): RawBuilder<Date> =>
  isDay(text)
    ? sql`((${text}::date + ${laterDays}::integer)::timestamp at time zone workspace.time_zone)`
    : sql`${parseTime(text).toISOString()}::timestamptz`;
