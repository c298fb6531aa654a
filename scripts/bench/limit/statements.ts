/* The SQL of the limit, written by hand: one statement per read. Lists read the totals that the database keeps. */

const utc = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
const seconds = (from: string): string => `greatest(0, extract(epoch from $2::timestamptz - ${from})::integer)`;

const gross = `case when t.ends_at is null then ${seconds('t.starts_at')} else t.gross_s::integer end`;
const openBreak = `case when t.ends_at is null then coalesce((
  select ${seconds('b.starts_at')} from breaks b where b.account_id = $1 and b.time_tracking_id = t.id and b.ends_at is null), 0) else 0 end`;
const breakDuration = `case when t.force_custom_break_duration and t.custom_break_s is not null then t.custom_break_s else (t.breaks_s + ${openBreak})::integer end`;

/** Everything that is shown of a time tracking, related ids as text. $1 is the account, $2 the current time. */
const shown = `
  coalesce(t.uuid::text, t.id::text) as id, t.assignment_id, t.confirmed, t.last_editor_id::integer, t.default_break_duration, t.created_by,
  t.force_custom_break_duration, t.external_id, t.start_signature_id, t.end_signature_id, t.ends_at is null as running,
  ${utc('t.starts_at')} as starts_at, ${utc('t.ends_at')} as ends_at, ${utc('t.actual_starts_at')} as actual_starts_at,
  ${utc('t.actual_ends_at')} as actual_ends_at, ${utc('t.created_at')} as created_at, ${utc('t.updated_at')} as updated_at,
  ${gross} as gross, ${breakDuration} as break_duration, t.area_id::text, t.user_id::text, t.workspace_id::text, n.*,
  case when t.ends_at is null then (
    select json_agg(json_build_object('id', b.id::text, 'starts_at', ${utc('b.starts_at')}, 'ends_at', ${utc('b.ends_at')}) order by b.starts_at, b.id)
    from breaks b where b.account_id = $1 and b.time_tracking_id = t.id) end as running_breaks,
  (select string_agg(b.id::text, ',' order by b.starts_at, b.id) from breaks b where b.account_id = $1 and b.time_tracking_id = t.id) as break_ids,
  (select string_agg(g.tag_id::text, ',' order by g.tag_id) from time_tracking_tags g where g.account_id = $1 and g.time_tracking_id = t.id) as tag_ids,
  (select string_agg(f.user_id::text, ',' order by f.user_id) from time_tracking_followers f where f.account_id = $1 and f.time_tracking_id = t.id) as follower_ids,
  (select string_agg(a.id::text, ',' order by a.id) from attachments a where a.account_id = $1 and a.time_tracking_id = t.id) as attachment_ids,
  (select string_agg(s.id::text, ',' order by s.id) from signatures s where s.account_id = $1 and s.time_tracking_id = t.id) as signature_ids`;

const withNotes = `cross join lateral (
  select count(*) filter (where type = 'SystemNote')::integer as system_notes_count, count(*)::integer as notes_count, string_agg(id::text, ',' order by id) as note_ids
  from notes where account_id = $1 and time_tracking_id = t.id) n`;

/** $3 is the workspace, $4 the id, a number or a UUID. */
export const showTimeTracking = {
  name: 'show',
  text: `select ${shown} from time_trackings t ${withNotes} where t.account_id = $1 and t.workspace_id = $3 and t.id = $4`,
};
export const showPunchedTimeTracking = {
  name: 'show_punched',
  text: `select ${shown} from time_trackings t ${withNotes} where t.account_id = $1 and t.workspace_id = $3 and t.uuid = $4`,
};

const inWorkspace = 't.account_id = $1 and t.workspace_id = $3';
const touchesRange = `t.starts_at <= $7::timestamptz and coalesce(t.ends_at, $2::timestamptz) > $6::timestamptz`;
const isLong = '(t.ends_at is null or t.gross_s > 86400)';

/** The filters of a list; their parameters begin at $6. */
const conditions = {
  all: 'true',
  user: 't.user_id = $6',
  // A tracking of at most a day begins at most a day before the range. Only longer ones begin earlier.
  range: `${touchesRange} and t.starts_at >= least($6::timestamptz - interval '1 day', (
    select min(t.starts_at) from time_trackings t where ${inWorkspace} and ${isLong} and ${touchesRange}))`,
} as const;

type Filter = keyof typeof conditions;

/** Counts and sums over rows. */
const counted = (condition: string): string => `
  select count(*) as total, count(*) filter (where confirmed) as confirmed, count(*) filter (where running) as running,
    coalesce(sum(gross), 0) as gross, coalesce(sum(least(gross, coalesce(pause, 0))), 0) as pause
  from (
    select t.confirmed, t.ends_at is null as running, ${gross} as gross, ${breakDuration} as pause
    from time_trackings t where ${inWorkspace} and ${condition}) matching`;

/** The totals that the database keeps of finished trackings. */
const kept = (condition: string): string => `
  select coalesce(sum(trackings), 0), coalesce(sum(confirmed), 0), 0, coalesce(sum(gross_s), 0), coalesce(sum(break_s), 0)
  from time_tracking_totals where account_id = $1 and workspace_id = $3 and ${condition}`;

const ended = `t.ends_at is not null and ${touchesRange}`;
const wholeDays = `user_id = 0 and day > '-infinity' and day >= $8::date and day < $9::date`;

/** The kept totals, and the few rows that they do not cover: running ones, and those at the ends of a range. */
const totals: Record<Filter, readonly string[]> = {
  all: [counted('t.ends_at is null'), kept(`user_id = 0 and day = '-infinity'`)],
  user: [counted('t.ends_at is null and t.user_id = $6'), kept(`user_id = $6 and day = '-infinity'`)],
  range: [
    counted(`t.ends_at is null and ${touchesRange}`),
    kept(wholeDays),
    counted(
      `${ended} and t.starts_at >= $6::timestamptz - interval '1 day' and t.starts_at < $8::date::timestamp at time zone 'UTC'`,
    ),
    counted(`${ended} and t.starts_at >= $9::date::timestamp at time zone 'UTC'`),
    counted(`${ended} and ${isLong} and t.starts_at < $6::timestamptz - interval '1 day'`),
  ],
};

const totalsOf = (filter: Filter): string => `
  select sum(total)::integer as total, sum(confirmed)::integer as confirmed, sum(running)::integer as running, sum(gross)::float8 as gross, sum(pause)::float8 as pause
  from (${totals[filter].join(' union all ')}) part`;

/** A page and its totals. $3 is the workspace, $4 the number of rows to skip, $5 how many to show. */
const listBy = (filter: Filter) => ({
  name: `list_${filter}`,
  text: `
    with page as (
      select t.id from time_trackings t
      where ${inWorkspace} and ${conditions[filter]}
      order by t.starts_at, t.id offset $4 limit $5)
    select totals.total, totals.confirmed as total_confirmed, totals.running as total_running, totals.gross as total_gross, totals.pause as total_pause, row.*
    from (${totalsOf(filter)}) totals
    left join lateral (
      select ${shown}, t.starts_at as "order", t.id as second_order
      from time_trackings t ${withNotes} where t.account_id = $1 and t.id = any(array(select id from page))) row on true
    order by row."order", row.second_order`,
});

export const listTimeTrackings = { all: listBy('all'), user: listBy('user'), range: listBy('range') };

/** Inserts a finished tracking with a break, a tag and its notes, and shows it. */
export const createTimeTracking = {
  name: 'create',
  text: `
    with tracking as (
      insert into time_trackings (account_id, workspace_id, user_id, area_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, last_editor_id, breaks_s, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $5, $6, 'admin', $10, extract(epoch from $8::timestamptz - $7::timestamptz), $11, $11) returning *),
    pause as (
      insert into breaks (account_id, time_tracking_id, starts_at, ends_at, created_by, created_at, updated_at)
      select $1, id, $7, $8, 'admin', $11, $11 from tracking returning id),
    tagging as (insert into time_tracking_tags (account_id, time_tracking_id, tag_id) select $1, id, $9 from tracking returning tag_id),
    note as (
      insert into notes (account_id, time_tracking_id, type, content, created_at, updated_at)
      select $1, id, 'SystemNote', content, $11, $11 from tracking, unnest($12::text[]) content returning id)
    select t.id::text, t.assignment_id, t.confirmed, t.last_editor_id::integer, t.default_break_duration, t.created_by, t.force_custom_break_duration, t.external_id,
      t.start_signature_id, t.end_signature_id, false as running, ${utc('t.starts_at')} as starts_at, ${utc('t.ends_at')} as ends_at,
      ${utc('t.actual_starts_at')} as actual_starts_at, ${utc('t.actual_ends_at')} as actual_ends_at, ${utc('t.created_at')} as created_at,
      ${utc('t.updated_at')} as updated_at, t.gross_s::integer as gross, t.breaks_s::integer as break_duration, t.area_id::text, t.user_id::text, t.workspace_id::text,
      (select count(*)::integer from note) as system_notes_count, (select count(*)::integer from note) as notes_count,
      (select string_agg(id::text, ',' order by id) from note) as note_ids, (select string_agg(id::text, ',') from pause) as break_ids,
      (select string_agg(tag_id::text, ',') from tagging) as tag_ids, null as follower_ids, null as attachment_ids, null as signature_ids, null as running_breaks
    from tracking t`,
};

/** $4 is the time of the punch, $5 the current time. */
export const beginTimeTracking = {
  name: 'begin',
  text: `
    insert into time_trackings (account_id, uuid, workspace_id, user_id, starts_at, actual_starts_at, created_by, last_editor_id, created_at, updated_at)
    values ($1, gen_random_uuid(), $2, $3, $4, $4, 'actions', $3, $5, $5) returning id, null as shown_id`,
};
export const endTimeTracking = {
  name: 'end',
  text: `
    update time_trackings set ends_at = $4, actual_ends_at = $4, last_editor_id = $3, updated_at = $5
    where account_id = $1 and workspace_id = $2 and user_id = $3 and ends_at is null returning id, coalesce(uuid::text, id::text) as shown_id`,
};
export const addAction = {
  name: 'action',
  text: `
    insert into actions (account_id, id, workspace_id, user_id, time_tracking_id, action_type, action_time, created_at, updated_at)
    values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $6, $6) returning id`,
};
