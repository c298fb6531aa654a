import { sql } from 'kysely';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { bareIdsIn, namedFilter, parser, type NamedFilter } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { dayRangeIn } from '../../working_time/time_trackings/list/day_ranges.ts';
import { shiftsOf } from './list_in_range.ts';
import { overlapsRange } from './range.ts';
import { shiftRows } from './rows.ts';

const columns = listColumns('listShifts', 'shifts');

/** The shifts of the actor's workspace that they may read, by start. */
export function listShifts(db: Db, actor: WorkspaceActor, selection: Selection) {
  const { accountId, workspace } = actor;
  return list(
    db,
    {
      visible: shiftsOf(db, actor),
      rows: shiftRows(db, accountId),
      id: 'shifts.id',
      columns,
      named: namedFilters(actor),
      timeZone: workspace.time_zone,
      defaultSort: ['starts_at'],
    },
    selection,
  );
}

const namedFilters = ({ accountId, workspace }: WorkspaceActor): Record<string, NamedFilter> => ({
  overlapping_with_range: namedFilter(
    parser({ allowed: 'a day, or two days with an underscore between them' }, (value) =>
      dayRangeIn(value, workspace.time_zone),
    ),
    ({ begin, end }) => overlapsRange({ from: begin, to: end && new Date(end.getTime() + 1000) }),
  ),
  working_area_id: namedFilter(bareIdsIn, (ids) => sql`shifts.area_id = any(${ids}::bigint[])`),
  user_id: namedFilter(
    bareIdsIn,
    (ids) => sql`exists (
      select from assignments assignment
      where assignment.account_id = ${accountId} and assignment.shift_id = shifts.id and not assignment.application
        and assignment.user_id = any(${ids}::bigint[]))`,
  ),
  tags: namedFilter(
    bareIdsIn,
    (ids) => sql`exists (
      select from shift_tags tagging
      where tagging.account_id = ${accountId} and tagging.shift_id = shifts.id and tagging.tag_id = any(${ids}::bigint[]))`,
  ),
});
