import { sql, type RawBuilder } from 'kysely';
import type { Placeholder } from '../db/placeholders.ts';
import type { StandingWarning } from '../notifications/notifications.ts';
import { leastRest, type Judged } from './rules.ts';

/*
 * Which trackings have to be looked at when something in somebody's work has come, gone or changed.
 */

/** A tracking that a range of time touches, or one around these that matters to their judgement. */
export interface Around extends Judged {
  /** Of the range. */
  readonly number: number;
  readonly user_id: number;
  readonly is_touched: boolean;
  readonly standing: readonly StandingWarning[];
}

/** No tracking but a running one lasts longer. */
const longest = sql.raw(`interval '366 days'`);
const day = sql.raw(`interval '1 day'`);

/** The trackings that overlap a range. Most are found by when they began, the few that run or last for days by indexes of their own. */
function overlapping(accountId: Placeholder<number>, range: 'range' | 'whole'): RawBuilder<unknown> {
  const [workspace, user] = [sql.ref(`${range}.workspace_id`), sql.ref(`${range}.user_id`)];
  const [from, to] = [sql.ref(`${range}.starts_at`), sql.ref(`${range}.ends_at`)];
  const own = sql`
    select tracking.id, tracking.user_id, tracking.starts_at, tracking.ends_at, tracking.break_s from time_trackings tracking
    where tracking.account_id = ${accountId} and tracking.workspace_id = ${workspace} and tracking.user_id = ${user}`;
  return sql`(
    ${own} and tracking.starts_at between ${from} - ${day} and ${to} and tracking.ends_at >= ${from}
    union all ${own} and tracking.ends_at is null and tracking.starts_at <= ${to}
    union all ${own} and tracking.gross_s > 86400 and tracking.starts_at >= ${from} - ${longest} and tracking.starts_at < ${from} - ${day} and tracking.ends_at >= ${from})`;
}

/**
 * Two tables, `touched` and `whole`, to be named after a table `range` of workspace_id, user_id, starts_at, ends_at, number, and
 * until: up to when a running tracking lasts.
 */
export const aroundTables = (accountId: Placeholder<number>): RawBuilder<unknown> => sql`
  touched as materialized (
    select range.number, range.workspace_id, range.user_id, tracking.id, tracking.starts_at,
      coalesce(tracking.ends_at, greatest(tracking.starts_at, range.until)) as ends_at
    from range cross join lateral ${overlapping(accountId, 'range')} tracking
  ), whole as materialized (
    select number, workspace_id, user_id, min(starts_at) - ${sql.lit(leastRest)} * interval '1 second' as starts_at, max(ends_at) as ends_at
    from touched group by number, workspace_id, user_id
  )`;

/** What is around each range, from those tables, in order of time. */
export const aroundRows = (accountId: Placeholder<number>): RawBuilder<Around> => sql<Around>`
  select whole.number, tracking.id, tracking.user_id, tracking.starts_at, tracking.ends_at, tracking.break_s, touched.id is not null as is_touched, coalesce((
    select json_agg(json_build_object(
      'id', warning.id, 'user_id', warning.user_id, 'rule', warning.rule, 'title', warning.title, 'message', warning.message))
    from notifications warning
    where warning.account_id = ${accountId} and warning.time_tracking_id = touched.id and warning.rule is not null), '[]') as standing
  from whole cross join lateral ${overlapping(accountId, 'whole')} tracking
  left join touched on touched.number = whole.number and touched.id = tracking.id
  order by whole.number, tracking.starts_at, tracking.id`;
