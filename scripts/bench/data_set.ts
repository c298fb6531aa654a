/*
 * The data set: the same rows at every run, because everything about a row follows from its number. It is one account whose
 * workspaces have very different sizes, with working days that go back from a fixed day.
 */

/** The day from which working days are counted back. */
export const lastDay = '2026-06-30';

export const accountId = 1;

/** The account admin, who sends all reads. */
export const adminId = 1;

/** An access token that the data set gives to a user. */
export const tokenOf = (userId: number): string => `pat_bench_${userId}`;

export const apiToken = 'benchmarkbenchmarkbenchmarkbenchmark0000';

export interface Workspace {
  readonly id: number;
  readonly trackings: number;
  readonly users: number;
  readonly firstUser: number;
}

export interface DataSet {
  readonly name: string;
  readonly absences: number;
  /** The first three are the large, the medium and the small one in the names of rows. */
  readonly workspaces: readonly Workspace[];
}

const areasPerWorkspace = 5;
const tagsPerWorkspace = 10;

/** A tag and an area of a workspace. */
export const firstTagOf = ({ id }: Workspace): number => (id - 1) * tagsPerWorkspace + 1;
export const firstAreaOf = ({ id }: Workspace): number => (id - 1) * areasPerWorkspace + 1;

/** A data set with workspaces of these sizes. */
export function dataSetOf(
  name: string,
  absences: number,
  sizes: readonly (readonly [trackings: number, users: number])[],
): DataSet {
  let nextUser = adminId + 1;
  const workspaces = sizes.map(([trackings, users], index) => {
    const workspace = { id: index + 1, trackings, users, firstUser: nextUser };
    nextUser += users;
    return workspace;
  });
  return { name, absences, workspaces };
}

const alike = (count: number, trackings: number, users: number): [number, number][] =>
  Array.from({ length: count }, (_, index) => [
    Math.floor(trackings / count) + (index < trackings % count ? 1 : 0),
    users,
  ]);

/** 1,000,000 time trackings over 50 workspaces, and 200,000 absences. */
export const fullDataSet = dataSetOf('full', 200_000, [
  [400_000, 1_000],
  [20_000, 100],
  [1_000, 10],
  ...alike(47, 579_000, 900),
]);

/** The same shape, for quick runs and for the embedded database. */
export const quickDataSet = dataSetOf('quick', 5_000, [
  [40_000, 100],
  [4_000, 20],
  [1_000, 10],
  ...alike(7, 7_000, 60),
]);

/** The statements that fill an empty, migrated database, each with a description. */
export function fillingStatements({ absences, workspaces }: DataSet): { about: string; text: string }[] {
  const users = workspaces.reduce((sum, workspace) => sum + workspace.users, 0);
  const perUser = Math.ceil(absences / users);
  const made = `timestamptz '2026-06-01T08:00:00Z', timestamptz '2026-06-01T08:00:00Z'`;
  const plan = `(values ${workspaces.map(({ id, trackings, users: count, firstUser }) => `(${id}, ${trackings}, ${count}, ${firstUser})`).join(', ')})
    as plan (workspace_id, trackings, users, first_user)`;
  const uuid = (seed: string): string => `overlay(overlay(md5(${seed}) placing '4' from 13) placing '8' from 17)::uuid`;
  const hash = (secret: string): string => `encode(sha256(convert_to(${secret}, 'UTF8')), 'hex')`;
  return [
    {
      about: 'workspaces, users, areas, tags',
      text: `
        insert into accounts (id, account_name, created_at, updated_at) values (${accountId}, 'Benchmark', ${made});
        insert into workspaces (account_id, id, name, time_zone, locale, created_at, updated_at)
          select ${accountId}, workspace_id, 'Workspace ' || workspace_id, 'Europe/Berlin', 'de', ${made} from ${plan};
        insert into directory_workspaces (workspace_id, account_id) select workspace_id, ${accountId} from ${plan};
        insert into users (account_id, id, username, is_account_admin, created_in_workspace, start_of_accounting, recognition_color_variant, created_at, updated_at)
          select ${accountId}, id, 'User ' || id, id = ${adminId}, true, '2024-01-01', id % 10, ${made} from generate_series(${adminId}, ${adminId + users}) id;
        insert into access_tokens (hash, id, account_id, user_id, created_at)
          select ${hash(`'pat_bench_' || id`)}, ${uuid(`'token ' || id`)}, ${accountId}, id, '2026-06-01' from users;
        insert into api_tokens (id, account_id, name, hash, last_four, created_at)
          values (${uuid(`'token'`)}, ${accountId}, 'Benchmark', ${hash(`'${apiToken}'`)}, right('${apiToken}', 4), '2026-06-01');
        insert into memberships (account_id, workspace_id, user_id, identifier_pin, created_at)
          select ${accountId}, workspace_id, first_user + number, lpad(number::text, 4, '0'), '2026-06-01' from ${plan}, generate_series(0, users - 1) number;
        insert into areas (account_id, id, workspace_id, name, created_at, updated_at)
          select ${accountId}, (workspace_id - 1) * ${areasPerWorkspace} + number, workspace_id, 'Area ' || number, ${made}
          from ${plan}, generate_series(1, ${areasPerWorkspace}) number;
        insert into area_members (account_id, area_id, user_id)
          select ${accountId}, (workspace_id - 1) * ${areasPerWorkspace} + 1 + number % ${areasPerWorkspace}, first_user + number from ${plan}, generate_series(0, users - 1) number;
        insert into tags (account_id, id, workspace_id, title, created_at, updated_at)
          select ${accountId}, (workspace_id - 1) * ${tagsPerWorkspace} + number, workspace_id, 'Tag ' || number, ${made}
          from ${plan}, generate_series(1, ${tagsPerWorkspace}) number;
        insert into absence_types (account_id, id, workspace_id, title, kind, created_at, updated_at)
          select ${accountId}, workspace_id, workspace_id, 'Vacation', 'vacation', ${made} from ${plan}`,
    },
    {
      about: 'time trackings',
      // Ordered by time, as in production: the rows of a workspace are scattered between those of the others.
      text: `
        insert into time_trackings (
          account_id, id, uuid, workspace_id, user_id, area_id, starts_at, ends_at, actual_starts_at, actual_ends_at, confirmed, created_by,
          last_editor_id, breaks_s, created_at, updated_at)
        select ${accountId}, id, case when number % 5 < 3 then ${uuid(`'tracking ' || id`)} end, workspace_id, user_id,
          case when number % 10 < 9 then (workspace_id - 1) * ${areasPerWorkspace} + 1 + user_id % ${areasPerWorkspace} end,
          starts_at, ends_at, starts_at, ends_at, day >= 7 and number % 10 <> 3, case when number % 5 < 3 then 'actions' else 'employee' end,
          user_id, case when number % 10 < 8 then case when ends_at is null then 0 else 1800 * (1 + (number % 10 = 0)::integer) end end,
          coalesce(ends_at, starts_at), coalesce(ends_at, starts_at)
        from (
          select *, row_number() over (order by starts_at, workspace_id, number) as id,
            case when day = 0 and user_id % 20 = 7 then null else starts_at + interval '8 hours' + user_id % 7 * interval '17 minutes 3 seconds' end as ends_at
          from (
            select workspace_id, number, number / users as day, first_user + number % users as user_id,
              timestamptz '${lastDay}T06:00:00Z' - number / users * interval '1 day' + number % 5 * interval '31 minutes' as starts_at
            from ${plan}, generate_series(0, trackings - 1) number) day_of_work) ordered
        order by id`,
    },
    {
      about: 'breaks',
      text: `
        insert into breaks (account_id, time_tracking_id, starts_at, ends_at, created_by, created_at, updated_at)
        select account_id, id, pause, case when ends_at is not null then pause + interval '30 minutes' end, created_by, updated_at, updated_at
        from (
          select *, starts_at + (3 + second * 2) * interval '1 hour' as pause
          from time_trackings, generate_series(0, 1) second
          where breaks_s is not null and (second = 0 or breaks_s > 1800)) paused
        order by id, pause`,
    },
    {
      about: 'tags, followers and notes of time trackings',
      text: `
        insert into time_tracking_tags (account_id, time_tracking_id, tag_id)
          select account_id, id, (workspace_id - 1) * ${tagsPerWorkspace} + 1 + (id / 2) % ${tagsPerWorkspace} from time_trackings where id % 2 = 0;
        insert into time_tracking_followers (account_id, time_tracking_id, user_id)
          select tracking.account_id, tracking.id, first_user + (tracking.user_id + 1 - first_user) % users
          from time_trackings tracking join ${plan} using (workspace_id) where tracking.id % 5 = 0;
        insert into notes (account_id, time_tracking_id, type, content, author_id, author, author_role, created_at, updated_at)
          select account_id, id, case kind when 0 then 'SystemNote' else 'UserNote' end,
            case kind when 0 then 'User ' || user_id || ' created the time tracking.' else 'Forgot to punch out, corrected by hand.' end,
            case kind when 1 then user_id end, case kind when 1 then 'User ' || user_id end, case kind when 1 then 'employee' end, updated_at, updated_at
          from time_trackings, generate_series(0, 1) kind where kind = 0 or id % 4 = 0 order by id, kind`,
    },
    {
      about: 'punches and notifications of the last days',
      // A statement that was planned on empty tables would read every row at every punch.
      text: `
        insert into actions (account_id, id, workspace_id, user_id, time_tracking_id, action_type, action_time, created_at, updated_at)
          select account_id, ${uuid(`'action ' || kind || ' ' || id`)}, workspace_id, user_id, id, case kind when 0 then 'start' else 'end' end, at, at, at
          from (select *, case kind when 0 then starts_at else ends_at end as at from time_trackings, generate_series(0, 1) kind) punched
          where uuid is not null and at > timestamptz '${lastDay}' - interval '14 days' order by at;
        insert into notifications (account_id, workspace_id, type, user_id, time_tracking_id, title, message, created_at, updated_at)
          select account_id, workspace_id, 'notification', follower.user_id, id, 'A time tracking you follow was changed', 'The administrator confirmed the time tracking.',
            updated_at, updated_at
          from time_trackings join time_tracking_followers follower using (account_id) where follower.time_tracking_id = id
            and starts_at > timestamptz '${lastDay}' - interval '14 days' order by id`,
    },
    {
      about: 'absences',
      text: `
        insert into absences (
          account_id, id, uuid, secure_id, workspace_id, user_id, absence_type_id, title, starts_at, ends_at, full_day, hours, days, confirmation_status,
          created_by_user_id, created_at, updated_at)
        select ${accountId}, id, ${uuid(`'absence ' || id`)}, md5('secure ' || id), workspace_id, user_id, workspace_id, 'Vacation', starts_at,
          starts_at + (1 + id % 5) * interval '1 day' - interval '1 second', true, 8 * (1 + id % 5), 1 + id % 5,
          (array['confirmed', 'confirmed', 'confirmed', 'pending', 'rejected'])[1 + id % 5], user_id, ${made}
        from (
          select *, row_number() over (order by starts_at, user_id) as id
          from (
            select workspace_id, user_id, (timestamp '${lastDay}' - (number * 14 + user_id % 14) * interval '1 day') at time zone 'Europe/Berlin' as starts_at
            from ${plan}, generate_series(first_user, first_user + users - 1) user_id, generate_series(0, ${perUser - 1}) number) leave) ordered
        where id <= ${absences}
        order by id;
        insert into absence_days (account_id, absence_id, user_id, date, seconds, parts)
          select account_id, id, user_id, (starts_at at time zone 'Europe/Berlin')::date + number, 28800, 10000 from absences, generate_series(0, days::integer - 1) number;
        insert into notes (account_id, absence_id, type, content, created_at, updated_at)
          select account_id, id, 'SystemNote', 'User ' || user_id || ' requested the absence.', created_at, created_at from absences`,
    },
    {
      about: 'the next ids',
      text: ['workspaces', 'users', 'areas', 'tags', 'absence_types', 'time_trackings', 'absences', 'accounts']
        .map((table) => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`)
        .join(';\n'),
    },
  ];
}
