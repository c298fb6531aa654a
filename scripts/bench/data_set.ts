/*
 * The data sets. Everything about a row follows from its number, so that every run has the same rows. Working days go back from
 * a fixed day.
 */

/** The day from which working days are counted back. */
const lastDay = '2026-06-30';

/** The access token that the data set gives to a user. */
export const tokenOf = (userId: number): string => `pat_bench_${userId}`;

export interface Workspace {
  readonly id: number;
  readonly accountId: number;
  readonly trackings: number;
  readonly users: number;
  readonly firstUser: number;
}

/** An account. The first workspace is the large one of the measures, the second the small one; the others are written to. */
export interface Tenant {
  readonly accountId: number;
  /** The first of the account admins, who send the reads. */
  readonly firstCaller: number;
  readonly workspaces: readonly Workspace[];
}

export interface DataSet {
  readonly name: string;
  readonly absences: number;
  readonly tenants: readonly Tenant[];
}

/** How many account admins each tenant has. Each sends requests with a token of their own. */
export const callersPerTenant = 400;

const areasPerWorkspace = 5;
const tagsPerWorkspace = 10;

/** A tag and an area of a workspace. */
export const firstTagOf = ({ id }: Workspace): number => (id - 1) * tagsPerWorkspace + 1;
export const firstAreaOf = ({ id }: Workspace): number => (id - 1) * areasPerWorkspace + 1;

type Size = readonly [trackings: number, users: number];

/** A data set of tenants that all have workspaces of these sizes. */
export function dataSetOf(name: string, absences: number, tenants: number, sizes: readonly Size[]): DataSet {
  let [nextUser, nextWorkspace] = [1, 1];
  const tenantOf = (accountId: number): Tenant => {
    const firstCaller = nextUser;
    nextUser += callersPerTenant;
    const workspaces = sizes.map(([trackings, users]) => {
      const workspace = { id: nextWorkspace++, accountId, trackings, users, firstUser: nextUser };
      nextUser += users;
      return workspace;
    });
    return { accountId, firstCaller, workspaces };
  };
  return { name, absences, tenants: Array.from({ length: tenants }, (_, index) => tenantOf(index + 1)) };
}

const alike = (count: number, size: Size): Size[] => Array.from({ length: count }, () => size);

/** A million time trackings over 50 workspaces, and 200,000 absences. */
export const fullDataSet = dataSetOf('full', 200_000, 1, [[400_000, 1_000], [1_000, 10], ...alike(48, [12_480, 900])]);

/** The same shape, for trials and for the embedded database. */
export const quickDataSet = dataSetOf('quick', 5_000, 1, [[40_000, 100], [1_000, 10], ...alike(8, [1_000, 60])]);

/** Eight companies of one size, for servers that share them. */
export const eightTenants = dataSetOf('eight', 20_000, 8, [
  [20_000, 100],
  [1_000, 10],
  [12_000, 2_000],
]);

/** Statements that fill a database, with what they load. */
export interface Filling {
  readonly about: string;
  readonly text: string;
}

/** The statements that fill an empty, migrated database. */
export function fillingStatements({ absences, tenants }: DataSet): Filling[] {
  const workspaces = tenants.flatMap((tenant) => tenant.workspaces);
  const perUser = Math.ceil(absences / workspaces.reduce((sum, { users }) => sum + users, 0));
  const made = `timestamptz '2026-06-01T08:00:00Z', timestamptz '2026-06-01T08:00:00Z'`;
  const rows = (numbers: readonly (readonly number[])[]): string =>
    `(values ${numbers.map((row) => `(${row.join(', ')})`).join(', ')})`;
  const accounts = `${rows(tenants.map(({ accountId, firstCaller }) => [accountId, firstCaller]))} as account (account_id, first_caller)`;
  const plan = `${rows(workspaces.map((one) => [one.accountId, one.id, one.trackings, one.users, one.firstUser]))}
    as plan (account_id, workspace_id, trackings, users, first_user)`;
  const uuid = (seed: string): string => `overlay(overlay(md5(${seed}) placing '4' from 13) placing '8' from 17)::uuid`;
  return [
    {
      about: 'workspaces, users, areas, tags',
      text: `
        insert into accounts (id, account_name, created_at, updated_at) select account_id, 'Benchmark', ${made} from ${accounts};
        insert into workspaces (account_id, id, name, time_zone, locale, created_at, updated_at)
          select account_id, workspace_id, 'Workspace ' || workspace_id, 'Europe/Berlin', 'de', ${made} from ${plan};
        insert into directory_workspaces (workspace_id, account_id) select workspace_id, account_id from ${plan};
        insert into users (account_id, id, username, is_account_admin, created_in_workspace, start_of_accounting, recognition_color_variant, created_at, updated_at)
          select account_id, id, 'User ' || id, is_caller, true, '2024-01-01', id % 10, ${made}
          from (
            select account_id, generate_series(first_caller, first_caller + ${callersPerTenant} - 1) as id, true as is_caller from ${accounts}
            union all select account_id, generate_series(first_user, first_user + users - 1), false from ${plan}) person;
        insert into access_tokens (hash, id, account_id, user_id, kind, created_at, last_used_at)
          select encode(sha256(convert_to('pat_bench_' || id, 'UTF8')), 'hex'), ${uuid(`'token ' || id`)}, account_id, id, 'password', '2026-06-01', now() from users;
        insert into memberships (account_id, workspace_id, user_id, identifier_pin, created_at)
          select account_id, workspace_id, first_user + number, lpad(number::text, 4, '0'), '2026-06-01' from ${plan}, generate_series(0, users - 1) number;
        insert into areas (account_id, id, workspace_id, name, created_at, updated_at)
          select account_id, (workspace_id - 1) * ${areasPerWorkspace} + number, workspace_id, 'Area ' || number, ${made}
          from ${plan}, generate_series(1, ${areasPerWorkspace}) number;
        insert into area_members (account_id, area_id, user_id)
          select account_id, (workspace_id - 1) * ${areasPerWorkspace} + 1 + number % ${areasPerWorkspace}, first_user + number from ${plan}, generate_series(0, users - 1) number;
        insert into tags (account_id, id, workspace_id, title, created_at, updated_at)
          select account_id, (workspace_id - 1) * ${tagsPerWorkspace} + number, workspace_id, 'Tag ' || number, ${made}
          from ${plan}, generate_series(1, ${tagsPerWorkspace}) number;
        insert into absence_types (account_id, id, workspace_id, title, kind, created_at, updated_at)
          select account_id, workspace_id, workspace_id, 'Vacation', 'vacation', ${made} from ${plan}`,
    },
    {
      about: 'time trackings',
      // Ordered by time, as in production: the rows of a workspace are scattered between those of the others.
      text: `
        insert into time_trackings (
          account_id, id, uuid, workspace_id, user_id, area_id, starts_at, ends_at, actual_starts_at, actual_ends_at, confirmed, created_by,
          last_editor_id, breaks_s, created_at, updated_at)
        select account_id, id, case when number % 5 < 3 then ${uuid(`'tracking ' || id`)} end, workspace_id, user_id,
          case when number % 10 < 9 then (workspace_id - 1) * ${areasPerWorkspace} + 1 + user_id % ${areasPerWorkspace} end,
          starts_at, ends_at, starts_at, ends_at, day >= 7 and number % 10 <> 3, case when number % 5 < 3 then 'actions' else 'employee' end,
          user_id, case when number % 10 < 8 then case when ends_at is null then 0 else 1800 * (1 + (number % 10 = 0)::integer) end end,
          coalesce(ends_at, starts_at), coalesce(ends_at, starts_at)
        from (
          select *, row_number() over (order by starts_at, workspace_id, number) as id,
            case when day = 0 and user_id % 20 = 7 then null else starts_at + interval '8 hours' + user_id % 7 * interval '17 minutes 3 seconds' end as ends_at
          from (
            select account_id, workspace_id, number, number / users as day, first_user + number % users as user_id,
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
      about: 'punches, notifications and events of the last days',
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
            and starts_at > timestamptz '${lastDay}' - interval '14 days' order by id;
        insert into events (account_id, transaction_id, workspace_id, at, actor_type, actor_id, name, record_type, record_id, record_uuid, user_id, changes)
          select account_id, pg_current_xact_id(), workspace_id, updated_at, 'user', user_id, 'time_tracking.created', 'time_tracking', id, uuid, user_id,
            json_build_object('starts_at', json_build_array(null, starts_at), 'ends_at', json_build_array(null, ends_at))
          from time_trackings where starts_at > timestamptz '${lastDay}' - interval '14 days' order by id`,
    },
    {
      about: 'absences',
      text: `
        insert into absences (
          account_id, id, uuid, secure_id, workspace_id, user_id, absence_type_id, title, starts_at, ends_at, full_day, hours, days, confirmation_status,
          created_by_user_id, created_at, updated_at)
        select account_id, id, ${uuid(`'absence ' || id`)}, md5('secure ' || id), workspace_id, user_id, workspace_id, 'Vacation', starts_at,
          starts_at + (1 + id % 5) * interval '1 day' - interval '1 second', true, 8 * (1 + id % 5), 1 + id % 5,
          (array['confirmed', 'confirmed', 'confirmed', 'pending', 'rejected'])[1 + id % 5], user_id, ${made}
        from (
          select *, row_number() over (order by starts_at, user_id) as id
          from (
            select account_id, workspace_id, user_id, (timestamp '${lastDay}' - (number * 14 + user_id % 14) * interval '1 day') at time zone 'Europe/Berlin' as starts_at
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
