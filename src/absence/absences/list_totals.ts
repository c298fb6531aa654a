import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Totals } from '../../platform/db/list/list.ts';

/** Local days from one to another, both included; without an end where `to` is missing. */
export interface OpenDateRange {
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

const countsByState = sql`
  count(*) as count,
  count(*) filter (where confirmation_status = 'pending') as pending,
  count(*) filter (where confirmation_status = 'confirmed') as confirmed,
  count(*) filter (where confirmation_status = 'rejected') as rejected`;

/**
 * The totals of the absences that match, cut to a range of dates. A date that two absences of one user and one kind cover
 * counts once, with the larger amount.
 */
export const absenceTotals = (
  matching: SelectQueryBuilder<DB, 'absences', object>,
  accountId: number,
  range: OpenDateRange | undefined,
): RawBuilder<AbsenceTotals> => sql<AbsenceTotals>`(
  ${matchingWithLarger(matching, accountId, range)}
  select to_json(totals) from (
    select ${countsByState},
      (select coalesce(round(sum(parts) / 10000.0, 2), 0) from larger) as total_days,
      (select coalesce(round(sum(seconds) / 3600.0, 2), 0) from larger) as total_hours
    from matching) totals)`;

/** The absences of one user: their numbers, and the amounts that they add to the totals. Parts are ten-thousandths of a day. */
export interface AbsenceSum {
  readonly user_id: number;
  readonly count: number;
  readonly pending: number;
  readonly confirmed: number;
  readonly rejected: number;
  readonly parts: number;
  readonly seconds: number;
}

/** The same totals for each user. */
export const absenceSums = (
  matching: SelectQueryBuilder<DB, 'absences', object>,
  accountId: number,
  range: OpenDateRange | undefined,
): RawBuilder<AbsenceSum> => sql<AbsenceSum>`
  ${matchingWithLarger(matching, accountId, range)}
  select matching.user_id, ${countsByState},
    coalesce((select sum(parts) from larger where larger.user_id = matching.user_id), 0) as parts,
    coalesce((select sum(seconds) from larger where larger.user_id = matching.user_id), 0) as seconds
  from matching group by matching.user_id`;

/** The absences that match, and the larger amount of each date, user and kind. */
const matchingWithLarger = (
  matching: SelectQueryBuilder<DB, 'absences', object>,
  accountId: number,
  range: OpenDateRange | undefined,
): RawBuilder<unknown> => sql`
  with matching as materialized (
    ${matching.select(['absences.id', 'absences.user_id', 'absences.absence_type_id', 'absences.confirmation_status'])}),
  larger as (
    select day.user_id, max(day.parts) as parts, max(day.seconds) as seconds
    from matching
    join absence_days day on day.account_id = ${accountId} and day.absence_id = matching.id ${isInside(range)}
    join absence_types type on type.account_id = ${accountId} and type.id = matching.absence_type_id
    group by day.user_id, type.kind, day.date)`;

const isInside = (range: OpenDateRange | undefined): RawBuilder<unknown> => {
  if (!range) return sql``;
  const until = range.to === undefined ? sql`` : sql`and day.date <= ${range.to}::date`;
  return sql`and day.date >= ${range.from}::date ${until}`;
};
