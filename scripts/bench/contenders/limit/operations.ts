import type pg from 'pg';
import { accountId } from '../../data_set.ts';
import {
  absencePageOf,
  isUuid,
  listRequestOf,
  localTimesOf,
  metaOf,
  pageOf,
  wholeSecond,
  type ListFilter,
  type Operation,
  type TotalsRow,
} from '../operation.ts';
import { storePunch, valuesOfNewTimeTracking } from '../writes.ts';
import { absence, action, timeTracking, type AbsenceRow, type TimeTrackingRow } from './documents.ts';
import * as statements from './statements.ts';

/** The measured operations by operationId: one hand-written statement, one object. */
export function operationsOf(pool: pg.Pool): Record<string, Operation> {
  return {
    async getTimeTracking(incoming) {
      const { workspace_id: workspaceId, time_tracking_id: id } = incoming.params;
      const statement = isUuid(id!) ? statements.showPunchedTimeTracking : statements.showTimeTracking;
      const { rows } = await pool.query<TimeTrackingRow>({
        ...statement,
        values: [accountId, wholeSecond(), workspaceId, id],
      });
      return { status: 200, headers: {}, body: { data: timeTracking(rows[0]!), meta: metaOf(incoming) } };
    },

    async listTimeTrackings(incoming) {
      const { page, items, filter } = listRequestOf(incoming);
      const scope = [accountId, wholeSecond(), incoming.params['workspace_id'], (page - 1) * items, items];
      const { rows } = await pool.query<TimeTrackingRow & TotalsRow>({
        ...statements.listTimeTrackings[filter.kind],
        values: [...scope, ...valuesOf(filter)],
      });
      const data = rows.filter(({ id }) => id !== null).map(timeTracking);
      return pageOf(data, rows[0]!, page, items, metaOf(incoming));
    },

    async findPublicAbsences({ query, url }) {
      const page = Number(query['page'] ?? 1);
      const { rows } = await pool.query<AbsenceRow>({
        ...statements.listAbsences,
        values: [accountId, query['range_start'], query['range_end'], (page - 1) * 25],
      });
      return absencePageOf(rows.map(absence), rows[0]?.total ?? 0, page, url);
    },

    async createAction(incoming) {
      const data = action(await storePunch(pool, incoming));
      return { status: 201, headers: {}, body: { data, meta: metaOf(incoming) } };
    },

    async createTimeTracking(incoming) {
      const { rows } = await pool.query<TimeTrackingRow>({
        ...statements.createTimeTracking,
        values: valuesOfNewTimeTracking(incoming),
      });
      return { status: 201, headers: {}, body: { data: timeTracking(rows[0]!), meta: metaOf(incoming) } };
    },
  };
}

/** A range has two more values for the kept totals: its first whole day in UTC, and the day after its last one. */
const valuesOf = (filter: ListFilter): readonly unknown[] =>
  filter.kind === 'range' ? [...localTimesOf(filter.values), ...filter.values] : filter.values;
