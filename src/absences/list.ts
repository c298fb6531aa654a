import { sql } from 'kysely';
import type { WorkspaceActor } from '../core/permissions.ts';
import { endOfLocalDay, isDay, startOfLocalDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, namedFilter } from '../db/list/filters.ts';
import { list, type Totals, type Selection } from '../db/list/list.ts';
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
      timeZone: actor.workspace.time_zone,
      named: {
        user_id: namedFilter(idsIn, (ids) => sql`absences.user_id = any(${ids}::bigint[])`),
        confirmation_status: statusFilter,
        overlapping_with_range: rangeFilter(actor.workspace.time_zone),
      },
      totals: (matching) => sql<AbsenceTotals>`(${matching.select(totals.as('totals'))})`,
    },
    selection,
  );

interface AbsenceTotals extends Totals {
  readonly pending: number;
  readonly confirmed: number;
  readonly rejected: number;
  readonly total_days: number;
  readonly total_hours: number;
}

const totals = sql`json_build_object(
  'count', count(*),
  'pending', count(*) filter (where absences.confirmation_status = 'pending'),
  'confirmed', count(*) filter (where absences.confirmation_status = 'confirmed'),
  'rejected', count(*) filter (where absences.confirmation_status = 'rejected'),
  'total_days', coalesce(sum(absences.days), 0),
  'total_hours', coalesce(sum(absences.hours), 0))`;

/** One or several states. Anything else is left to the column of that name. */
const statusFilter = namedFilter(
  (value) => {
    const states = value.split(',').map((state) => state.trim());
    return states.every((state) => ['pending', 'confirmed', 'rejected'].includes(state)) ? states : undefined;
  },
  (states) => sql`absences.confirmation_status = any(${states}::text[])`,
);

/** `FROM_TO`: absences that touch these local days, both included. `FROM`: absences that end on that day or later. */
const rangeFilter = (zone: string) =>
  namedFilter(
    (value) => {
      const [from = '', to, ...more] = value.split('_');
      return !isDay(from) || (to !== undefined && !isDay(to)) || more.length > 0 ? undefined : { from, to };
    },
    ({ from, to }) => {
      const endsInTime = sql<boolean>`absences.ends_at >= ${startOfLocalDay(from, zone)}`;
      if (to === undefined) return endsInTime;
      return to < from ? sql`false` : sql`(${endsInTime} and absences.starts_at <= ${endOfLocalDay(to, zone)})`;
    },
  );
