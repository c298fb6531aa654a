import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import pg from 'pg';
import type { DB } from '../../../../generated/db.ts';
import { presentPublicAbsence } from '../../../../src/absences/public_resource.ts';
import { absenceRows, type AbsenceRow } from '../../../../src/absences/rows.ts';
import { presentAction } from '../../../../src/actions/resource.ts';
import { typeParsers } from '../../../../src/db/driver/types.ts';
import type { Showing } from '../../../../src/http/answers/jsonapi.ts';
import { presentTimeTracking } from '../../../../src/time_trackings/resource.ts';
import { bind } from '../../../../src/db/placeholders.ts';
import { timeTrackingRows, type TimeTrackingRow } from '../../../../src/time_trackings/rows.ts';
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
import { insertTimeTracking, storePunch, valuesOfNewTimeTracking } from '../writes.ts';

/*
 * The measured operations as one would write them with Punchcard's rows and presenters, so that a new attribute needs no change
 * here. Totals are counted and summed over the filtered rows.
 */

export const openPool = (): pg.Pool =>
  new pg.Pool({
    connectionString: process.env['DATABASE_URL'],
    max: Number(process.env['DATABASE_POOL'] ?? 10),
    types: typeParsers,
  });

/** Stands for a value that each call fills in. */
interface Slot {
  readonly slot: string;
}
const slot = (name: string) => ({ slot: name }) as Slot as never;

/** Compiles a query once, as a named statement, because compiling takes longer than the rest of a short request. */
function prepare<Row extends pg.QueryResultRow>(name: string, { sql: text, parameters }: CompiledQuery) {
  return async (pool: pg.Pool, values: Readonly<Record<string, unknown>>): Promise<Row[]> => {
    const isSlot = (value: unknown): value is Slot => typeof value === 'object' && value !== null && 'slot' in value;
    const filled = parameters.map((value) => (isSlot(value) ? values[value.slot] : value));
    return (await pool.query<Row>({ name, text, values: filled })).rows;
  };
}

const touchesRange = sql`
  starts_at <= ${slot('to')}::timestamptz and coalesce(ends_at, ${slot('now')}::timestamptz) > ${slot('from')}::timestamptz`;

const conditions: Record<ListFilter['kind'], ReturnType<typeof sql>> = {
  all: sql`true`,
  user: sql`user_id = ${slot('user')}`,
  // A tracking of at most a day begins at most a day before the range. Only longer ones begin earlier.
  range: sql`${touchesRange} and starts_at >= least(${slot('from')}::timestamptz - interval '1 day', (
    select min(starts_at) from time_trackings
    where account_id = ${accountId} and workspace_id = ${slot('workspace')} and (ends_at is null or gross_s > 86400) and ${touchesRange}))`,
};

const seconds = sql`greatest(0, extract(epoch from ${slot('now')}::timestamptz - starts_at)::integer)`;

export function operationsOf(pool: pg.Pool): Record<string, Operation> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const inWorkspace = bind({ accountId, workspaceId: slot('workspace') as number });
  const trackings = () => timeTrackingRows(db, inWorkspace, { withRights: false });
  const matching = (filter: ListFilter['kind']) =>
    sql`from time_trackings where account_id = ${accountId} and workspace_id = ${slot('workspace')} and ${conditions[filter]}`;

  const show = prepare<TimeTrackingRow>('show', trackings().where('time_trackings.id', '=', slot('id')).compile());
  const showPunched = prepare<TimeTrackingRow>(
    'show_punched',
    trackings().where('time_trackings.uuid', '=', slot('id')).compile(),
  );
  const listBy = (filter: ListFilter['kind']) => ({
    rows: prepare<TimeTrackingRow>(
      `list_${filter}`,
      trackings()
        .where(
          sql<boolean>`time_trackings.id = any(array(
            select id ${matching(filter)} order by starts_at, id offset ${slot('skipped')} limit ${slot('items')}))`,
        )
        .orderBy('time_trackings.starts_at')
        .orderBy('time_trackings.id')
        .compile(),
    ),
    totals: prepare<TotalsRow>(
      `totals_${filter}`,
      sql`
        select count(*)::integer as total, count(*) filter (where confirmed)::integer as total_confirmed,
          count(*) filter (where ends_at is null)::integer as total_running,
          coalesce(sum(gross), 0)::float8 as total_gross, coalesce(sum(least(gross, coalesce(pause, 0))), 0)::float8 as total_pause
        from (
          select confirmed, ends_at, case when ends_at is null then ${seconds} else gross_s end as gross,
            case when force_custom_break_duration and custom_break_s is not null then custom_break_s else breaks_s + coalesce((
              select ${seconds} from breaks pause
              where pause.account_id = ${accountId} and pause.time_tracking_id = time_trackings.id and pause.ends_at is null), 0) end as pause
          ${matching(filter)}) as tracking`.compile(db),
    ),
  });
  const lists = { all: listBy('all'), user: listBy('user'), range: listBy('range') };

  const overlapping = sql`
    from absences absence join workspaces place on place.account_id = ${accountId} and place.id = absence.workspace_id and place.deleted_at is null
    where absence.account_id = ${accountId} and absence.ends_at > ${slot('from')}::date::timestamp at time zone place.time_zone
      and absence.starts_at < (${slot('to')}::date + 1)::timestamp at time zone place.time_zone`;
  const absences = {
    rows: prepare<AbsenceRow>(
      'absences',
      absenceRows(db, accountId)
        .where(
          sql<boolean>`absences.id = any(array(
            select absence.id ${overlapping} order by absence.id offset ${slot('skipped')} limit 25))`,
        )
        .orderBy('absences.id')
        .compile(),
    ),
    count: prepare<{ total: number }>(
      'count_absences',
      sql`select count(*)::integer as total ${overlapping}`.compile(db),
    ),
  };

  /** Permissions are not asked for, so the presenter needs no actor. */
  const showing = (now: string) => ({ view: { permissions: 'none' }, now: new Date(now) }) as unknown as Showing;

  return {
    async getTimeTracking(incoming) {
      const { workspace_id: workspace, time_tracking_id: id } = incoming.params;
      const [row] = await (isUuid(id!) ? showPunched : show)(pool, { workspace, id });
      const data = presentTimeTracking(row!, showing(wholeSecond()));
      return { status: 200, headers: {}, body: { data, meta: metaOf(incoming) } };
    },

    async listTimeTrackings(incoming) {
      const { page, items, filter } = listRequestOf(incoming);
      const now = wholeSecond();
      const [from, to] = filter.kind === 'range' ? localTimesOf(filter.values) : [];
      const values = {
        ...{ workspace: incoming.params['workspace_id'], now, skipped: (page - 1) * items, items },
        ...{ user: filter.values[0], from, to },
      };
      const { rows, totals } = lists[filter.kind];
      const [found, [total]] = await Promise.all([rows(pool, values), totals(pool, values)]);
      const data = found.map((row) => presentTimeTracking(row, showing(now)));
      return pageOf(data, total!, page, items, metaOf(incoming));
    },

    async findPublicAbsences({ query, url }) {
      const page = Number(query['page'] ?? 1);
      const values = { from: query['range_start'], to: query['range_end'], skipped: (page - 1) * 25 };
      const [rows, [count]] = await Promise.all([absences.rows(pool, values), absences.count(pool, values)]);
      return absencePageOf(rows.map(presentPublicAbsence), count!.total, page, url);
    },

    async createAction(incoming) {
      const { time, ...punch } = await storePunch(pool, incoming);
      const at = new Date(time);
      const data = presentAction({ ...punch, action_time: at, created_at: at, updated_at: at } as never);
      return { status: 201, headers: {}, body: { data, meta: metaOf(incoming) } };
    },

    async createTimeTracking(incoming) {
      const text = `${insertTimeTracking} select id from tracking`;
      const { rows } = await pool.query<{ id: number }>({
        name: 'create',
        text,
        values: valuesOfNewTimeTracking(incoming),
      });
      const [row] = await show(pool, { workspace: incoming.params['workspace_id'], id: rows[0]!.id });
      const data = presentTimeTracking(row!, showing(wholeSecond()));
      return { status: 201, headers: {}, body: { data, meta: metaOf(incoming) } };
    },
  };
}
