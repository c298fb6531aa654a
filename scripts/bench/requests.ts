import { callersPerTenant, firstAreaOf, firstTagOf, tokenOf, type DataSet, type Tenant, type Workspace } from './data_set.ts'; // prettier-ignore
import type { Sent } from './loading.ts';

/* The requests that are measured. A row of the table is one kind of request, sent by many users, each with their own token. */

export interface Row {
  readonly name: string;
  readonly about: string;
  /** The servers that do not take part. */
  readonly without?: readonly string[];
  /** How many requests belong together. */
  readonly group: number;
  /** What one connection sends to one server, over and over. */
  readonly lane: (share: Share) => Sent[];
}

/** The share of one connection to one server, so that no two write for the same user. */
export interface Share {
  readonly server: number;
  readonly servers: number;
  readonly lane: number;
  readonly lanes: number;
  readonly round: number;
}

/** Ids of time trackings as v3 shows them, by workspace. */
export type ShownIds = Readonly<Record<number, readonly string[]>>;

/** The cursor of page 1,000 by workspace. */
export type Cursors = Readonly<Record<number, string>>;

const number = (value: number): string => value.toLocaleString('en-US');

/** With several tenants, each connection belongs to one of them. */
const tenantOf = ({ tenants }: DataSet, { lane }: Share): Tenant => tenants[lane % tenants.length]!;

/** Each connection has callers of its own, and each request another one of them. */
const callerOf = ({ firstCaller }: Tenant, { lane, lanes }: Share, request: number): number =>
  firstCaller + ((lane + request * lanes) % callersPerTenant);

/** Reads of some paths of a workspace, so many that every caller of the connection has a turn. */
function reads(tenant: Tenant, { id }: Workspace, share: Share, paths: readonly string[]): Sent[] {
  const count = Math.max(paths.length, Math.ceil(callersPerTenant / share.lanes));
  return Array.from({ length: count }, (_, request) => ({
    method: 'GET',
    path: `/api/v3/workspaces/${id}/${paths[(request + share.lane) % paths.length]}`,
    headers: { authorization: `Bearer ${tokenOf(callerOf(tenant, share, request))}` },
  }));
}

/** Windows of 30 days in which all workspaces have trackings. */
const ranges = ['2026-04-01_2026-04-30', '2026-04-16_2026-05-15', '2026-05-01_2026-05-30', '2026-05-16_2026-06-14'];

const someUsersOf = ({ users, firstUser }: Workspace): number[] =>
  Array.from({ length: Math.min(50, users) }, (_, index) => firstUser + index);

type Place = 'large' | 'small';
const placeIn = ({ workspaces }: Tenant, place: Place): Workspace => workspaces[place === 'large' ? 0 : 1]!;

/** Time trackings: one of them, pages of lists, and pages with a filter. */
export function readRows(dataSet: DataSet, shownIds: ShownIds, cursors: Cursors = {}): Row[] {
  const row = (
    name: string,
    about: string,
    place: Place,
    pathsOf: (workspace: Workspace) => readonly string[],
    without: readonly string[] = [],
  ): Row => ({
    ...{ name, about: about.replace('SIZE', number(placeIn(dataSet.tenants[0]!, place).trackings)), without, group: 1 },
    lane: (share) => {
      const tenant = tenantOf(dataSet, share);
      const workspace = placeIn(tenant, place);
      return reads(tenant, workspace, share, pathsOf(workspace));
    },
  });
  const list = 'time_trackings';
  const byUser = (workspace: Workspace) => someUsersOf(workspace).map((user) => `${list}?filter%5Buser_id%5D=${user}`);
  const byRange = () => ranges.map((range) => `${list}?filter%5Boverlapping_with_range%5D=${range}`);
  return [
    row('show', 'show one time tracking', 'large', ({ id }) => shownIds[id]!.map((shown) => `${list}/${shown}`), ['fastify']), // prettier-ignore
    row('list_small', 'list 20 with totals, workspace of SIZE', 'small', () => [list]),
    row('list_large', 'list 20 with totals, workspace of SIZE', 'large', () => [list]),
    row('list_user_small', 'list by user, workspace of SIZE', 'small', byUser),
    row('list_user_large', 'list by user, workspace of SIZE', 'large', byUser),
    row('list_range_small', 'list by date range of 30 days, workspace of SIZE', 'small', byRange),
    row('list_range_large', 'list by date range of 30 days, workspace of SIZE', 'large', byRange),
    row('list_page_1000', 'page 1,000 of a list, workspace of SIZE', 'large', () => [`${list}?page=1000`]),
    row('list_cursor_1000', 'page 1,000 of a list by cursor, workspace of SIZE', 'large', ({ id }) => [`${list}?after=${cursors[id]}`], ['limit', 'fastify']), // prettier-ignore
  ];
}

/** Time accounts, which only Punchcard has. */
export function timeAccountRows(dataSet: DataSet): Row[] {
  const tenant = dataSet.tenants[0]!;
  const [large, small] = [placeIn(tenant, 'large'), placeIn(tenant, 'small')];
  const month = 'from=2026-05-01&to=2026-05-31';
  const summaries = (workspace: Workspace) =>
    someUsersOf(workspace).map((user) => `summaries/users?${month}&filter%5Buser_id%5D=${user}`);
  const row = (name: string, about: string, workspace: Workspace, paths: readonly string[]): Row => ({
    ...{ name, about, without: ['limit', 'fastify'], group: 1 },
    lane: (share) => reads(tenant, workspace, share, paths),
  });
  return [
    row('account_days', 'days of one user and a year', large, someUsersOf(large).map((user) => `users/${user}/days?from=2025-07-01&to=2026-06-30`)), // prettier-ignore
    row('account_small', 'summary of one user and a month, little history', small, summaries(small)),
    row('account_large', 'summary of one user and a month, much history', large, summaries(large)),
    row('account_many', `summaries of ${Math.min(500, large.users)} users and a month`, large, [`summaries/users?${month}&items=500`]), // prettier-ignore
  ];
}

interface Person {
  readonly workspace: Workspace;
  readonly userId: number;
}

/** Users without a running tracking, in workspaces that no list is measured in. With several tenants, each connection has its own. */
function usersOf(dataSet: DataSet, share: Share): Person[] {
  const { server, servers, lane, lanes } = share;
  const [part, parts] = dataSet.tenants.length > 1 ? [server, servers] : [server * lanes + lane, servers * lanes];
  return tenantOf(dataSet, share)
    .workspaces.slice(2)
    .flatMap((workspace) =>
      Array.from({ length: workspace.users }, (_, user) => ({ workspace, userId: workspace.firstUser + user })),
    )
    .filter(({ userId }) => userId % 20 !== 7)
    .filter((_, index) => index % parts === part);
}

const post = (userId: number, path: string, data: object): Sent => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${tokenOf(userId)}`, 'content-type': 'application/json' },
  body: JSON.stringify({ data }),
});

/** Punches, which users send themselves, and new time trackings, which admins enter for users. */
export const writeRows = (dataSet: DataSet): Row[] => [
  {
    name: 'punch',
    about: 'punch, start and end',
    without: ['fastify'],
    // There are enough users for a run without repetition. A second shift within 11 hours would raise a warning.
    group: 2,
    lane: (share) =>
      usersOf(dataSet, share).flatMap(({ workspace, userId }) =>
        ['start', 'end'].map((action_type) =>
          post(userId, `/api/v3/workspaces/${workspace.id}/time_trackings/actions`, {
            type: 'action',
            attributes: { action_type, user_id: userId },
          }),
        ),
      ),
  },
  {
    name: 'create',
    about: 'create a time tracking with break, tag and area',
    without: ['fastify'],
    group: 1,
    lane: (share) =>
      [0, 1, 2, 3].flatMap((day) =>
        usersOf(dataSet, share).map(({ workspace, userId }, index) =>
          post(
            callerOf(tenantOf(dataSet, share), share, index),
            `/api/v3/workspaces/${workspace.id}/time_trackings`,
            newTimeTracking(workspace, userId, share.round * 4 + day),
          ),
        ),
      ),
  },
];

/** Everything that is measured on a data set. */
export const allRows = (dataSet: DataSet, shownIds: ShownIds = {}, cursors: Cursors = {}) => ({
  reads: readRows(dataSet, shownIds, cursors),
  accounts: timeAccountRows(dataSet),
  writes: writeRows(dataSet),
});

/** A day of work before those of the data set, a different one for every round. */
function newTimeTracking(workspace: Workspace, userId: number, day: number): object {
  const midnight = Date.parse('2024-01-01T00:00:00Z') + day * 86_400_000;
  const at = (hours: number): string => new Date(midnight + hours * 3_600_000).toISOString().replace('.000', '');
  return {
    type: 'time_tracking',
    attributes: {
      starts_at: at(8),
      ends_at: at(16.5),
      breaks_attributes: [{ starts_at: at(12), ends_at: at(12.5) }],
    },
    relationships: {
      user: { data: { type: 'user_overview', id: String(userId) } },
      area: { data: { type: 'area', id: String(firstAreaOf(workspace)) } },
      tags: { data: [{ type: 'tag', id: String(firstTagOf(workspace)) }] },
    },
  };
}
