import { adminId, apiToken, firstAreaOf, firstTagOf, tokenOf, type DataSet, type Workspace } from './data_set.ts';
import type { Sent } from './loading.ts';

/* The requests to every contender. A row of the table is one kind of request for many records. */

export interface ReadRow {
  readonly name: string;
  readonly about: string;
  /** Different requests of one kind, sent over and over. */
  readonly requests: readonly Sent[];
}

export interface WriteRow {
  readonly name: string;
  readonly about: string;
  /** The requests of one connection, in groups that belong together. Every contender has its own users. */
  readonly lane: (share: Share) => Sent[];
  readonly group: number;
}

/** Selects the users that one connection to one contender writes for. */
export interface Share {
  readonly contender: number;
  readonly contenders: number;
  readonly lane: number;
  readonly lanes: number;
  /** The round, so that no two write the same. */
  readonly round: number;
}

const number = (value: number): string => value.toLocaleString('en-US');
const get = (path: string): Sent => ({ method: 'GET', path, headers: { authorization: `Bearer ${tokenOf(adminId)}` } });
const listOf = (workspace: Workspace, query = ''): Sent =>
  get(`/api/v3/workspaces/${workspace.id}/time_trackings${query}`);

/** Windows of 30 days that all workspaces have trackings in. */
const ranges = ['2026-04-01_2026-04-30', '2026-04-16_2026-05-15', '2026-05-01_2026-05-30', '2026-05-16_2026-06-14'];
const weeks = ['2026-03-02', '2026-04-06', '2026-05-04', '2026-06-01'];

/** The reads, given some ids of time trackings of the large workspace, as v3 shows them. */
export function readRows({ workspaces }: DataSet, shownIds: readonly string[]): ReadRow[] {
  const [large, middle, small] = workspaces as [Workspace, Workspace, Workspace];
  const lists = [small, middle, large].map((workspace, index) => ({
    name: `list_${['small', 'middle', 'large'][index]}`,
    about: `list 20 with totals, workspace of ${number(workspace.trackings)}`,
    requests: [listOf(workspace)],
  }));
  const narrowed = [small, large].flatMap((workspace, index) => {
    const size = ['small', 'large'][index]!;
    const users = Array.from({ length: Math.min(50, workspace.users) }, (_, user) => workspace.firstUser + user);
    return [
      {
        name: `list_user_${size}`,
        about: `list by user, workspace of ${number(workspace.trackings)}`,
        requests: users.map((user) => listOf(workspace, `?filter%5Buser_id%5D=${user}`)),
      },
      {
        name: `list_range_${size}`,
        about: `list by date range of 30 days, workspace of ${number(workspace.trackings)}`,
        requests: ranges.map((range) => listOf(workspace, `?filter%5Boverlapping_with_range%5D=${range}`)),
      },
    ];
  });
  const laterDay = (day: string, days: number): string =>
    new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  return [
    {
      name: 'show',
      about: 'show one tracking',
      requests: shownIds.map((id) => get(`/api/v3/workspaces/${large.id}/time_trackings/${id}`)),
    },
    ...lists,
    ...narrowed,
    {
      name: 'list_page_1000',
      about: `page 1,000 of a list, workspace of ${number(large.trackings)}`,
      requests: [listOf(large, '?page=1000')],
    },
    {
      name: 'absences',
      about: 'v1 absence range list, one week',
      requests: weeks.map((day) => ({
        method: 'GET',
        path: `/public_api/v1/absences?api_token=${apiToken}&range_start=${day}&range_end=${laterDay(day, 6)}`,
        headers: {},
      })),
    },
  ];
}

/** Users without a running tracking, in workspaces that no list is measured in. */
function usersOf(
  { workspaces }: DataSet,
  { contender, contenders, lane, lanes }: Share,
): { workspace: Workspace; userId: number }[] {
  const users = workspaces
    .slice(3)
    .flatMap((workspace) =>
      Array.from({ length: workspace.users }, (_, user) => ({ workspace, userId: workspace.firstUser + user })),
    );
  return users
    .filter(({ userId }) => userId % 20 !== 7)
    .filter((_, index) => index % (contenders * lanes) === contender * lanes + lane);
}

const post = (userId: number, path: string, data: object): Sent => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${tokenOf(userId)}`, 'content-type': 'application/json' },
  body: JSON.stringify({ data }),
});

export const writeRows = (dataSet: DataSet): WriteRow[] => [
  {
    name: 'punch',
    about: 'punch, start and end',
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
    about: 'create a tracking with break, tag and area',
    group: 1,
    lane: (share) =>
      // Before the days of the data set, a different one for every round and user.
      Array.from({ length: 4 }, (_, day) => day).flatMap((day) =>
        usersOf(dataSet, share).map(({ workspace, userId }) => {
          const midnight = Date.parse('2024-01-01T00:00:00Z') + (share.round * 4 + day) * 86_400_000;
          const at = (hours: number): string =>
            new Date(midnight + hours * 3_600_000).toISOString().replace('.000', '');
          return post(adminId, `/api/v3/workspaces/${workspace.id}/time_trackings`, {
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
          });
        }),
      ),
  },
];
