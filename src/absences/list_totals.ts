import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Totals } from '../db/list/list.ts';

/** Local days from one to another, both included; without an end where `to` is missing. */
export interface DayRange {
  readonly from: string;
  readonly to?: string | undefined;
}

export interface AbsenceTotals extends Totals {
  readonly pending: number;
  readonly confirmed: number;
  readonly rejected: number;
  readonly total_days: number;
  readonly total_hours: number;
}

/**
 * The totals of the absences that match, cut to a range of dates. A date that two absences of one user and one kind cover
 * counts once, with the larger amount.
 */
export const absenceTotals = (
  matching: SelectQueryBuilder<DB, 'absences', object>,
  accountId: number,
  range: DayRange | undefined,
): RawBuilder<AbsenceTotals> => sql<AbsenceTotals>`(
  with matching as materialized (
    ${matching.select(['absences.id', 'absences.absence_type_id', 'absences.confirmation_status'])}),
  larger as (
    select max(day.parts) as parts, max(day.seconds) as seconds
    from matching
    join absence_days day on day.account_id = ${accountId} and day.absence_id = matching.id ${isInside(range)}
    join absence_types type on type.account_id = ${accountId} and type.id = matching.absence_type_id
    group by day.user_id, type.kind, day.date)
  select json_build_object(
    'count', count(*),
    'pending', count(*) filter (where confirmation_status = 'pending'),
    'confirmed', count(*) filter (where confirmation_status = 'confirmed'),
    'rejected', count(*) filter (where confirmation_status = 'rejected'),
    'total_days', (select coalesce(round(sum(parts) / 10000.0, 2), 0) from larger),
    'total_hours', (select coalesce(round(sum(seconds) / 3600.0, 2), 0) from larger))
  from matching)`;

const isInside = (range: DayRange | undefined): RawBuilder<unknown> => {
  if (!range) return sql``;
  const until = range.to === undefined ? sql`` : sql`and day.date <= ${range.to}::date`;
  return sql`and day.date >= ${range.from}::date ${until}`;
};
