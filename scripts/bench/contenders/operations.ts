import type pg from 'pg';
import { accountId } from '../data_set.ts';
import { absence, timeTracking, totals, type AbsenceRow, type TimeTrackingRow, type TotalsRow } from './documents.ts';
import * as statements from './statements.ts';

/*
 * The operations that are measured, as one would write them without Punchcard: a statement, an object, JSON.stringify. What
 * differs between the contenders is what stands around them, and where the totals come from.
 */

export interface Incoming {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
  /** Path and query as they came. */
  readonly url: string;
  readonly requestId: string;
  /** Who asks; null where nobody looked. */
  readonly userId: number | null;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export type Operation = (incoming: Incoming) => Promise<Outgoing>;

/** What the servers are told by the environment, all of them the same. */
export const settings = { gitCommit: 'bench', publicUrl: 'http://bench.local' };

const wholeSecond = (): string => new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
const isUuid = (text: string): boolean => text.length === 36;

/** The operations by operationId. */
export function operationsOf(pool: pg.Pool, totalsFrom: statements.Totals): Record<string, Operation> {
  const lists = {
    all: statements.listTimeTrackings(totalsFrom, 'all'),
    user: statements.listTimeTrackings(totalsFrom, 'user'),
    range: statements.listTimeTrackings(totalsFrom, 'range'),
  };
  const meta = ({ requestId }: Incoming) => ({ request_id: requestId, git_commit: settings.gitCommit });
  return {
    async getTimeTracking(incoming) {
      const { workspace_id: workspaceId, time_tracking_id: id } = incoming.params;
      const statement = isUuid(id!) ? statements.showPunchedTimeTracking : statements.showTimeTracking;
      const { rows } = await pool.query<TimeTrackingRow>({
        ...statement,
        values: [accountId, wholeSecond(), workspaceId, id],
      });
      return { status: 200, headers: {}, body: { data: timeTracking(rows[0]!), meta: meta(incoming) } };
    },

    async listTimeTrackings(incoming) {
      const page = Number(incoming.query['page'] ?? 1);
      const items = Number(incoming.query['items'] ?? 20);
      const user = incoming.query['filter[user_id]'];
      const range = incoming.query['filter[overlapping_with_range]'];
      const statement = user !== undefined ? lists.user : range !== undefined ? lists.range : lists.all;
      const narrowed = user !== undefined ? [user] : range !== undefined ? momentsOf(String(range), totalsFrom) : [];
      const values = [
        accountId,
        wholeSecond(),
        incoming.params['workspace_id'],
        (page - 1) * items,
        items,
        ...narrowed,
      ];
      const { rows } = await pool.query<TimeTrackingRow & TotalsRow>({ ...statement, values });
      const paging = totals(rows[0]!, page, items) as Record<string, number>;
      const headers = {
        'Current-Page': String(page),
        'Page-Items': String(items),
        'Total-Pages': String(paging['total_pages']),
        'Total-Count': String(paging['total_count']),
      };
      const data = rows.filter(({ id }) => id !== null).map(timeTracking);
      return { status: 200, headers, body: { data, meta: { ...meta(incoming), ...paging } } };
    },

    async findPublicAbsences({ query, url }) {
      const page = Number(query['page'] ?? 1);
      const { rows } = await pool.query<AbsenceRow>({
        ...statements.listAbsences,
        values: [accountId, query['range_start'], query['range_end'], (page - 1) * 25],
      });
      const pages = Math.max(1, Math.ceil((rows[0]?.total ?? 0) / 25));
      const body = {
        absences: rows.map(absence),
        page_number: page,
        total_pages: pages,
        next_page: page < pages ? nextPage(url, page + 1) : null,
      };
      return { status: 200, headers: {}, body };
    },

    async createAction(incoming) {
      const { action_type, user_id } = (
        incoming.body as { data: { attributes: { action_type: 'start' | 'end'; user_id: number } } }
      ).data.attributes;
      const workspaceId = incoming.params['workspace_id']!;
      const now = wholeSecond();
      const client = await pool.connect();
      try {
        await client.query('begin');
        // What is begun and ended in one second ends a second later.
        const at = action_type === 'start' ? now : new Date(Date.parse(now) + 1000).toISOString();
        const moved = action_type === 'start' ? statements.beginTimeTracking : statements.endTimeTracking;
        const { rows: tracking } = await client.query<{ id: string; shown_id: string | null }>({
          ...moved,
          values: [accountId, workspaceId, user_id, at, now],
        });
        const values = [accountId, workspaceId, user_id, tracking[0]!.id, action_type, now, now];
        const { rows } = await client.query<{ id: string }>({ ...statements.addAction, values });
        await client.query('commit');
        const time = now.slice(0, 19) + 'Z';
        const attributes = {
          action_type,
          working_session_id: tracking[0]!.shown_id,
          action_time: time,
          created_at: time,
          updated_at: time,
        };
        const relationships = {
          user: { data: { type: 'user', id: String(user_id) } },
          workspace: { data: { type: 'workspace', id: workspaceId } },
        };
        return {
          status: 201,
          headers: {},
          body: { data: { type: 'action', id: rows[0]!.id, attributes, relationships }, meta: meta(incoming) },
        };
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },

    async createTimeTracking(incoming) {
      const { attributes, relationships } = (incoming.body as { data: NewTimeTracking }).data;
      const [pause] = attributes.breaks_attributes;
      const notes = ['The administrator created the time tracking.', 'The administrator recorded the breaks.'];
      const values = [
        accountId, incoming.params['workspace_id'], relationships.user.data.id, relationships.area.data.id, attributes.starts_at, attributes.ends_at,
        pause!.starts_at, pause!.ends_at, relationships.tags.data[0]!.id, incoming.userId ?? 1, wholeSecond(), notes,
      ]; // prettier-ignore
      const { rows } = await pool.query<TimeTrackingRow>({ ...statements.createTimeTracking, values });
      return { status: 201, headers: {}, body: { data: timeTracking(rows[0]!), meta: meta(incoming) } };
    },
  };
}

interface NewTimeTracking {
  attributes: { starts_at: string; ends_at: string; breaks_attributes: { starts_at: string; ends_at: string }[] };
  relationships: { user: { data: { id: string } }; area: { data: { id: string } }; tags: { data: { id: string }[] } };
}

/**
 * The first and the last moment of local days in Berlin, in summer: the data set's ranges lie there. Where totals are maintained,
 * also the first day in UTC that is whole, and the one after the last.
 */
function momentsOf(range: string, totalsFrom: statements.Totals): string[] {
  const [from, to] = range.split('_') as [string, string];
  return [`${from}T00:00:00+02:00`, `${to}T23:59:59+02:00`, ...(totalsFrom === 'maintained' ? [from, to] : [])];
}

function nextPage(url: string, page: number): string {
  const [path, query] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `${settings.publicUrl}${path}?${parameters}`;
}
