import { sql, type RawBuilder } from 'kysely';
import type { WorkspaceActor } from '../core/permissions.ts';
import { endOfLocalDay, isDay, startOfLocalDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, namedFilter, type Condition } from '../db/list/filters.ts';
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
        absence_type_id: namedFilter(idsIn, (ids) => sql`absences.absence_type_id = any(${ids}::bigint[])`),
        kind: namedFilter(
          kindsIn,
          (kinds) => sql`exists (
          select from absence_types type
          where type.account_id = ${actor.accountId} and type.id = absences.absence_type_id and type.kind = any(${kinds}::text[]))`,
        ),
        area_id: namedFilter(
          idsIn,
          (ids) => sql`exists (
          select from area_members member
          where member.account_id = ${actor.accountId} and member.user_id = absences.user_id and member.area_id = any(${ids}::bigint[]))`,
        ),
        confirmation_status: statusFilter,
        overlapping_with_range: rangeFilter(actor.workspace.time_zone),
      },
      totals: (matching, conditions) => {
        const range = rangeIn(conditions);
        const amount = range ? amountInside(actor.accountId, range) : wholeAmount;
        return sql<AbsenceTotals>`(${matching.select(totals(amount).as('totals'))})`;
      },
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

const totals = (amount: { days: RawBuilder<unknown>; hours: RawBuilder<unknown> }) => sql`json_build_object(
  'count', count(*),
  'pending', count(*) filter (where absences.confirmation_status = 'pending'),
  'confirmed', count(*) filter (where absences.confirmation_status = 'confirmed'),
  'rejected', count(*) filter (where absences.confirmation_status = 'rejected'),
  'total_days', coalesce(${amount.days}, 0),
  'total_hours', coalesce(${amount.hours}, 0))`;

const wholeAmount = { days: sql`sum(absences.days)`, hours: sql`sum(absences.hours)` };

/** The amount inside a range. A date that two absences of one kind cover counts once, with the larger amount. */
function amountInside(accountId: number, { from, to }: DayRange) {
  const until = to === undefined ? sql`` : sql`and day.date <= ${to}::date`;
  const sumOf = (column: 'seconds' | 'parts', unit: number) => sql`(
    select round(sum(larger.amount) / ${sql.lit(unit)}.0, 2)
    from (
      select max(${sql.ref(`day.${column}`)}) as amount
      from absence_days day
      join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
      join absence_types type on type.account_id = ${accountId} and type.id = absence.absence_type_id
      where day.account_id = ${accountId} and day.absence_id = any(array_agg(absences.id)) and day.date >= ${from}::date ${until}
      group by day.user_id, type.kind, day.date) larger)`;
  return { days: sumOf('parts', 10_000), hours: sumOf('seconds', 3600) };
}

interface DayRange {
  readonly from: string;
  readonly to?: string | undefined;
}

const rangeIn = (conditions: readonly Condition[]): DayRange | undefined => {
  const condition = conditions.find(({ field, matcher }) => field === 'overlapping_with_range' && matcher === 'named');
  return condition && 'value' in condition ? (condition.value as DayRange) : undefined;
};

const kindsIn = (text: string): string[] => text.split(',').map((kind) => kind.trim());

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
