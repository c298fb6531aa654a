import { sql } from 'kysely';
import type { WorkspaceActor } from '../core/permissions.ts';
import { endOfLocalDay, isDay, startOfLocalDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, type NamedFilter } from '../db/filters.ts';
import { list, type Figures, type Selection } from '../db/list.ts';
import { absenceColumns, absenceRows, visibleAbsences } from './rows.ts';

/** The absences of the actor's workspace that they may read, with totals of all that match the filters. */
export const listAbsences = (db: Db, actor: WorkspaceActor, selection: Selection) =>
  list(
    db,
    {
      visible: visibleAbsences(db, actor),
      rows: absenceRows(db, actor.accountId),
      id: 'absences.id',
      columns: absenceColumns(actor.accountId),
      named: {
        user_id: (value) => sql`absences.user_id = any(${idsIn(value)}::bigint[])`,
        confirmation_status: statusFilter,
        overlapping_with_range: rangeFilter(actor.workspace.time_zone),
      },
      figures: (matching) => sql<AbsenceFigures>`(${matching.select(figures.as('figures'))})`,
    },
    selection,
  );

interface AbsenceFigures extends Figures {
  readonly pending: number;
  readonly confirmed: number;
  readonly rejected: number;
  readonly total_days: number;
  readonly total_hours: number;
}

const figures = sql`json_build_object(
  'count', count(*),
  'pending', count(*) filter (where absences.confirmation_status = 'pending'),
  'confirmed', count(*) filter (where absences.confirmation_status = 'confirmed'),
  'rejected', count(*) filter (where absences.confirmation_status = 'rejected'),
  'total_days', coalesce(sum(absences.days), 0),
  'total_hours', coalesce(sum(absences.hours), 0))`;

/** One or several states. Anything else is left to the column of that name. */
const statusFilter: NamedFilter = (value) => {
  const states = value.split(',').map((state) => state.trim());
  return states.every((state) => ['pending', 'confirmed', 'rejected'].includes(state))
    ? sql`absences.confirmation_status = any(${states}::text[])`
    : undefined;
};

/** `FROM_TO`: absences that touch these local days, both included. `FROM`: absences that end on that day or later. */
const rangeFilter =
  (zone: string): NamedFilter =>
  (value) => {
    const [from = '', to, ...more] = value.split('_');
    if (!isDay(from) || (to !== undefined && !isDay(to)) || more.length > 0) return undefined;
    const endsInTime = sql`absences.ends_at >= ${startOfLocalDay(from, zone)}`;
    if (to === undefined) return sql`${endsInTime}`;
    return to < from ? sql`false` : sql`(${endsInTime} and absences.starts_at <= ${endOfLocalDay(to, zone)})`;
  };
