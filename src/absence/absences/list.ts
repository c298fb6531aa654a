import { sql, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { AbsenceKind } from '../../days/calendar/absence_days.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { endOfLocalDay, isDay, startOfLocalDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import {
  idsIn,
  namedFilter,
  onlyIdsIn,
  onlyOneOf,
  parser,
  type Condition,
  type NamedFilter,
} from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { after, before, beginsByDay, reachesDay } from './list_in_range.ts';
import { absenceTotals, type OpenDateRange } from './list_totals.ts';
import { absenceColumns, absenceRows, visibleAbsences } from './rows.ts';

/** The absences of the actor's workspace that they may read, with totals of all that match the filters. */
export const listAbsences = (db: Db, actor: WorkspaceActor, selection: Selection) =>
  list(db, absenceCollection(db, actor), selection);

/** The list of absences as the actor sees it. */
export const absenceCollection = (db: Db, actor: WorkspaceActor) => ({
  visible: visibleAbsences(db, actor),
  rows: absenceRows(db, actor.accountId),
  id: 'absences.id',
  columns: absenceColumns(actor.accountId),
  timeZone: actor.workspace.time_zone,
  named: absenceFilters(actor),
  totals: (matching: SelectQueryBuilder<DB, 'absences', object>, conditions: readonly Condition[]) =>
    absenceTotals(matching, actor.accountId, rangeIn(conditions)),
});

/** The filters of absences that have a meaning of their own. */
export const absenceFilters = ({ accountId, workspace }: WorkspaceActor): Record<string, NamedFilter> => ({
  user_id: namedFilter(idsIn, (ids) => sql`absences.user_id = any(${ids}::bigint[])`),
  absence_type_id: namedFilter(
    onlyIdsIn('absence_type_id'),
    (ids) => sql`absences.absence_type_id = any(${ids}::bigint[])`,
  ),
  kind: namedFilter(
    onlyOneOf('kind', kinds),
    (wanted) => sql`exists (
      select from absence_types type
      where type.account_id = ${accountId} and type.id = absences.absence_type_id and type.kind = any(${wanted}::text[]))`,
  ),
  area_id: namedFilter(
    onlyIdsIn('area_id'),
    (ids) => sql`exists (
      select from area_members member
      where member.account_id = ${accountId} and member.user_id = absences.user_id and member.area_id = any(${ids}::bigint[]))`,
  ),
  confirmation_status: statusFilter,
  overlapping_with_range: rangeFilter(accountId, workspace.time_zone),
});

/** The range that the totals are cut to. */
export const rangeIn = (conditions: readonly Condition[]): OpenDateRange | undefined => {
  const condition = conditions.find(({ field, matcher }) => field === 'overlapping_with_range' && matcher === 'named');
  return condition && 'value' in condition ? (condition.value as OpenDateRange) : undefined;
};

const kinds: readonly AbsenceKind[] = ['vacation', 'sickness', 'special', 'unpaid', 'overtime', 'other'];

/** One or several states. Anything else is left to the column of that name. */
const statusFilter = namedFilter(
  parser({ allowed: 'one or several of pending, confirmed, rejected' }, (value) => {
    const states = value.split(',').map((state) => state.trim());
    return states.every((state) => ['pending', 'confirmed', 'rejected'].includes(state)) ? states : undefined;
  }),
  (states) => sql`absences.confirmation_status = any(${states}::text[])`,
);

/** `FROM_TO`: absences that touch these days, both included. `FROM`: absences that end on that day or later. */
const rangeFilter = (accountId: number, zone: string) =>
  namedFilter(
    parser({ allowed: 'a day, or two days with an underscore between them' }, (value) => {
      const [from = '', to, ...more] = value.split('_');
      return !isDay(from) || (to !== undefined && !isDay(to)) || more.length > 0 ? undefined : { from, to };
    }),
    ({ from, to }) => {
      if (to !== undefined && to < from) return sql`false`;
      const start = startOfLocalDay(from, zone);
      const ends = sql<boolean>`${reachesDay(accountId, from, sql`absences.ends_at >= ${start}`)} and absences.ends_at >= ${before(start)}`;
      if (to === undefined) return sql`(${ends})`;
      const end = endOfLocalDay(to, zone);
      return sql`(${ends} and ${beginsByDay(accountId, to, sql`absences.starts_at <= ${end}`)} and absences.starts_at <= ${after(end)})`;
    },
  );
