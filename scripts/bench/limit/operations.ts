import type pg from 'pg';
import type { Caller } from '../credentials.ts';
import { listRequestOf, localTimesOf, metaOf, pageOf, wholeSecond, type ListFilter, type Page, type Query, type TotalsRow } from '../pages.ts'; // prettier-ignore
import { action, timeTracking, type TimeTrackingRow } from './documents.ts';
import * as statements from './statements.ts';

interface Incoming extends Caller {
  readonly workspaceId: number;
  /** The last segment of the path. */
  readonly id: string;
  readonly query: Query;
  readonly body: unknown;
  readonly requestId: string;
}

type Operation = (incoming: Incoming) => Promise<Page & { readonly status: number }>;

/** The measured operations: one hand-written statement, one object. */
export const operationsOf = (pool: pg.Pool) =>
  ({
    async getTimeTracking({ accountId, workspaceId, id, requestId }) {
      const { rows } = await pool.query<TimeTrackingRow>({
        ...(id.length === 36 ? statements.showPunchedTimeTracking : statements.showTimeTracking),
        values: [accountId, wholeSecond(), workspaceId, id],
      });
      return { status: 200, headers: {}, body: { data: timeTracking(rows[0]!), meta: metaOf(requestId) } };
    },

    async listTimeTrackings({ accountId, workspaceId, query, requestId }) {
      const list = listRequestOf(query);
      const { page, items, filter } = list;
      const { rows } = await pool.query<TimeTrackingRow & TotalsRow>({
        ...statements.listTimeTrackings[filter.kind],
        values: [accountId, wholeSecond(), workspaceId, (page - 1) * items, items, ...valuesOf(filter)],
      });
      const data = rows.filter(({ id }) => id !== null).map(timeTracking);
      return { status: 200, ...pageOf(data, rows[0]!, list, requestId) };
    },

    async createAction({ accountId, workspaceId, body, requestId }) {
      const { attributes } = (body as { data: { attributes: Pick<Punch, 'action_type' | 'user_id'> } }).data;
      const data = action(await storePunch(pool, { accountId, workspace_id: workspaceId, ...attributes }));
      return { status: 201, headers: {}, body: { data, meta: metaOf(requestId) } };
    },

    async createTimeTracking({ accountId, userId, workspaceId, body, requestId }) {
      const { attributes, relationships } = (body as { data: NewTimeTracking }).data;
      const [pause] = attributes.breaks_attributes;
      const notes = ['The administrator created the time tracking.', 'The administrator recorded the breaks.'];
      const { rows } = await pool.query<TimeTrackingRow>({
        ...statements.createTimeTracking,
        values: [
          ...[accountId, workspaceId, relationships.user.data.id, relationships.area.data.id],
          ...[attributes.starts_at, attributes.ends_at, pause!.starts_at, pause!.ends_at],
          ...[relationships.tags.data[0]!.id, userId, wholeSecond(), notes],
        ],
      });
      return { status: 201, headers: {}, body: { data: timeTracking(rows[0]!), meta: metaOf(requestId) } };
    },
  }) satisfies Record<string, Operation>;

/** A range has two more values for the kept totals: its first whole day in UTC, and the day after its last one. */
const valuesOf = (filter: ListFilter): readonly unknown[] =>
  filter.kind === 'range' ? [...localTimesOf(filter.values), ...filter.values] : filter.values;

/** The body of a new time tracking, as far as the benchmark fills it in. */
interface NewTimeTracking {
  attributes: { starts_at: string; ends_at: string; breaks_attributes: { starts_at: string; ends_at: string }[] };
  relationships: { user: { data: { id: string } }; area: { data: { id: string } }; tags: { data: { id: string }[] } };
}

interface Punch {
  readonly action_type: 'start' | 'end';
  readonly user_id: number;
  readonly workspace_id: number;
}

export interface StoredPunch extends Punch {
  readonly id: string;
  readonly working_session_id: string | null;
  readonly time: string;
}

/** Stores a punch: begins or ends a time tracking, and adds the action, in a transaction. */
async function storePunch(pool: pg.Pool, { accountId, ...punch }: Punch & { accountId: number }): Promise<StoredPunch> {
  const { action_type, user_id, workspace_id } = punch;
  const now = wholeSecond();
  // A tracking must be at least a second long.
  const at = action_type === 'start' ? now : new Date(Date.parse(now) + 1000).toISOString();
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows: trackings } = await client.query<{ id: string; shown_id: string | null }>({
      ...(action_type === 'start' ? statements.beginTimeTracking : statements.endTimeTracking),
      values: [accountId, workspace_id, user_id, at, now],
    });
    const { id, shown_id } = trackings[0]!;
    const { rows } = await client.query<{ id: string }>({
      ...statements.addAction,
      values: [accountId, workspace_id, user_id, id, action_type, now],
    });
    await client.query('commit');
    return { ...punch, id: rows[0]!.id, working_session_id: shown_id, time: now };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
