import { sql } from 'kysely';
import type { WorkspaceActor } from '../core/permissions.ts';
import { endOfLocalDay, isDay, startOfLocalDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { filtered, idsIn, list, type Collection, type NamedFilter, type Selection } from '../db/list.ts';
import { absenceColumns, absenceRows, visibleAbsences, type AbsenceRow } from './rows.ts';

/** The absences of the actor's workspace that he may see, and figures about all of those that the filters leave. */
export async function listAbsences(db: Db, actor: WorkspaceActor, selection: Selection) {
  const rows = absenceRows(db, actor.accountId);
  const collection: Collection<'absences', AbsenceRow> = {
    visible: visibleAbsences(db, actor),
    rows: ({ condition, order }) => rows.where(condition).orderBy(order).execute(),
    id: 'absences.id',
    columns: absenceColumns(actor.accountId),
    named: {
      user_id: (value) => sql`absences.user_id = any(${idsIn(value)}::bigint[])`,
      confirmation_status: statusFilter,
      overlapping_with_range: rangeFilter(actor.workspace.time_zone),
    },
  };
  const figures = filtered(collection, selection)
    .select([
      sql<number>`count(*) filter (where absences.confirmation_status = 'pending')`.as('pending'),
      sql<number>`count(*) filter (where absences.confirmation_status = 'confirmed')`.as('confirmed'),
      sql<number>`count(*) filter (where absences.confirmation_status = 'rejected')`.as('rejected'),
      sql<number>`coalesce(sum(absences.days), 0)`.as('total_days'),
      sql<number>`coalesce(sum(absences.hours), 0)`.as('total_hours'),
    ])
    .executeTakeFirstOrThrow();
  const [page, totals] = await Promise.all([list(collection, selection), figures]);
  return { ...page, totals };
}

/** One or several states; anything else may still be a matcher and a value. */
const statusFilter: NamedFilter = (value) => {
  const states = value.split(',').map((state) => state.trim());
  return states.every((state) => ['pending', 'confirmed', 'rejected'].includes(state)) ? sql`absences.confirmation_status = any(${states}::text[])` : undefined;
};

/** `FROM_TO`: what touches these local days, both included. `FROM` alone: what ends on that day or later. */
const rangeFilter =
  (zone: string): NamedFilter =>
  (value) => {
    const [from = '', to, ...more] = value.split('_');
    if (!isDay(from) || (to !== undefined && !isDay(to)) || more.length > 0) return undefined;
    const endsInTime = sql`absences.ends_at >= ${startOfLocalDay(from, zone)}`;
    if (to === undefined) return sql`${endsInTime}`;
    return to < from ? sql`false` : sql`(${endsInTime} and absences.starts_at <= ${endOfLocalDay(to, zone)})`;
  };
