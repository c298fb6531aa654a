import { sql, type RawBuilder } from 'kysely';
import { wholeDay } from '../../days/calendar/amounts.ts';
import type { LocalDate } from '../../days/calendar/dates.ts';
import { ruleSettingsValue, type RuleSettings } from '../../organisation/workspaces/rule_settings.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { homeWorkspaceId } from '../../days/balance/user_days.ts';
import { messageOf, titleOf } from './messages.ts';
import type { Period } from './periods.ts';
import type { Violation } from './violation.ts';
import type { RecordedWork } from './working_days.ts';

/*
 * The queries of the rules. They read the work of users in periods of time, over all workspaces, and what decides about it.
 * Violations are stored once for each user, date and rule, with a notification for the admins of the user and one for the user.
 * A violation that still exists keeps its id and its acknowledgement.
 */

/** A violation that is stored already. */
export interface StoredViolation extends Violation {
  readonly id: number;
}

/** The work of a user in a period, and what the rules need to know about it. */
export interface WorkFacts {
  readonly userId: number;
  /** The period whose work was read. */
  readonly period: Period;
  readonly zone: string;
  readonly birthday: LocalDate | null;
  readonly startOfAccounting: LocalDate;
  readonly trackings: readonly RecordedWork[];
  readonly absentOn: readonly LocalDate[];
  readonly settings: Readonly<Record<number, RuleSettings>>;
  readonly stored: readonly StoredViolation[];
}

const day = sql.raw(`interval '1 day'`);
/** Only a running time tracking lasts longer. */
const maxLength = sql.raw(`interval '366 days'`);
const epoch = (column: string): RawBuilder<unknown> => sql`extract(epoch from ${sql.ref(column)})::bigint`;

/** A user and a period: values, or columns of the statement. */
interface PeriodOfUser {
  readonly accountId: unknown;
  readonly userId: unknown;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The time trackings of a user that overlap a period, in all workspaces. Most are found by their start; running ones and those longer
 * than a day have indexes of their own.
 */
export function overlappingWork({ accountId, userId, from, to }: PeriodOfUser): RawBuilder<unknown> {
  const [starts, ends] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`];
  const own = sql`
    select tracking.id, tracking.workspace_id, tracking.starts_at, tracking.ends_at, tracking.breaks_s,
      case when tracking.force_custom_break_duration and tracking.custom_break_s is not null or tracking.manual_pause_min > 0
        then tracking.break_s end as forced_break_s
    from time_trackings tracking
    where tracking.account_id = ${accountId} and tracking.user_id = ${userId}`;
  return sql`(
    ${own} and tracking.starts_at between ${starts} - ${day} and ${ends} and (tracking.ends_at is null or tracking.ends_at >= ${starts})
    union all ${own} and tracking.ends_at is null and tracking.starts_at < ${starts} - ${day}
    union all ${own} and tracking.gross_s > 86400 and tracking.starts_at >= ${starts} - ${maxLength}
      and tracking.starts_at < ${starts} - ${day} and tracking.ends_at >= ${starts})`;
}

/** The dates of confirmed absences that take the whole day. The half of a first or last day leaves time to work. */
const absentDates = (accountId: number): RawBuilder<unknown> => sql`coalesce((
  select json_agg(absent.date) from absence_days absent
  join absences absence on absence.account_id = ${accountId} and absence.id = absent.absence_id
  where absent.account_id = ${accountId} and absent.user_id = period.user_id
    and absent.date between period.starts_at::date - 1 and period.ends_at::date + 1
    and absence.full_day and absence.confirmation_status = 'confirmed'
    and not ((absence.half_start or absence.half_end) and absent.parts between 1 and ${sql.lit(wholeDay / 2)})), '[]')`;

/** The periods of users whose work is read. */
export interface ReadPeriods {
  accountId: number;
  workspaceId: number | null;
  userIds: readonly number[];
  from: readonly Date[];
  to: readonly Date[];
}

/** The query for the facts of periods, in their order. The settings of the given workspace are among them in any case. */
export const workFactsQuery = (db: Db, { accountId, workspaceId, userIds, from, to }: ReadPeriods) =>
  sql<{ facts: WorkFacts }>`
    with period as materialized (
      select * from unnest(${userIds}::bigint[], ${from}::timestamptz[], ${to}::timestamptz[])
        with ordinality as period (user_id, starts_at, ends_at, number)
    ), found as materialized (
      select period.number, tracking.* from period cross join lateral ${overlappingWork({ accountId, ...columnsOfPeriod })} tracking
    )
    select json_build_object(
      'userId', period.user_id,
      'period', json_build_object('from', ${epoch('period.starts_at')}, 'to', ${epoch('period.ends_at')}),
      'zone', coalesce(member.time_zone, home.time_zone),
      'birthday', member.birthday,
      'startOfAccounting', member.start_of_accounting,
      'trackings', coalesce((
        select json_agg(json_build_object(
          'id', found.id, 'workspaceId', found.workspace_id, 'from', ${epoch('found.starts_at')}, 'to', ${epoch('found.ends_at')},
          'forcedBreak', found.forced_break_s,
          'breaks', case when found.breaks_s is null then '[]' else coalesce((
            select json_agg(json_build_object('from', ${epoch('pause.starts_at')}, 'to', ${epoch('pause.ends_at')}))
            from breaks pause
            where pause.account_id = ${accountId} and pause.time_tracking_id = found.id and pause.ends_at is not null), '[]') end))
        from found where found.number = period.number), '[]'),
      'absentOn', ${absentDates(accountId)},
      'settings', coalesce((
        select json_object_agg(workspace.id, ${ruleSettingsValue})
        from workspaces workspace
        where workspace.account_id = ${accountId} and (workspace.id = ${workspaceId}::bigint or workspace.id = any(array(
          select found.workspace_id from found where found.number = period.number)))), '{}'),
      'stored', coalesce((
        select json_agg(json_build_object(
          'id', stored.id, 'rule', stored.rule, 'paragraph', stored.paragraph, 'date', stored.date,
          'timeTrackingId', stored.time_tracking_id, 'workspaceId', stored.workspace_id, 'limitSeconds', stored.limit_s,
          'valueSeconds', stored.value_s, 'elsewhereSeconds', stored.elsewhere_s))
        from working_time_violations stored
        where stored.account_id = ${accountId} and stored.user_id = period.user_id
          and stored.date between period.starts_at::date - 1 and period.ends_at::date + 1), '[]')
    ) as facts
    from period join users member on member.account_id = ${accountId} and member.id = period.user_id
    join workspaces home on home.account_id = ${accountId} and home.id = ${homeWorkspaceId(accountId, sql.ref('period.user_id'))}
    order by period.number`.compile(db);

/** The facts of periods, in their order. */
export const workFacts = async (db: Db, periods: ReadPeriods): Promise<{ facts: WorkFacts }[]> =>
  (await db.executeQuery(workFactsQuery(db, periods))).rows;

const columnsOfPeriod = {
  userId: sql.ref('period.user_id'),
  from: sql.ref('period.starts_at'),
  to: sql.ref('period.ends_at'),
};

/** The changes after a judgement: outdated violations are deleted, new and changed ones are stored. */
export interface ViolationChanges {
  readonly userId: number;
  readonly outdated: readonly StoredViolation[];
  readonly changed: readonly Violation[];
}

/** Stores what judgements have found. The caller has locked the users. */
export async function storeViolations(
  db: Db,
  accountId: number,
  changes: readonly ViolationChanges[],
  now: Date,
): Promise<void> {
  const outdated = changes.flatMap((change) => change.outdated.map(({ id }) => id));
  // Their notifications go with them.
  if (outdated.length > 0)
    await db
      .deleteFrom('working_time_violations')
      .where('account_id', '=', accountId)
      .where(isAnyOf('id', outdated))
      .execute();
  // Two changes of a user can lead to the same violation.
  const changed = new Map(
    changes.flatMap(({ userId, changed: violations }) =>
      violations.map((violation) => [keyOf(userId, violation), { userId, ...violation }]),
    ),
  );
  if (changed.size === 0) return;
  const rows = [...changed.values()];
  const common = {
    accountId,
    userIds: rows.map(({ userId }) => userId),
    rules: rows.map(({ rule }) => rule),
    workspaceIds: rows.map(({ workspaceId }) => workspaceId),
    timeTrackingIds: rows.map(({ timeTrackingId }) => timeTrackingId),
    now,
  };
  const { rows: stored } = await upsert({
    ...common,
    dates: rows.map(({ date }) => date),
    paragraphs: rows.map(({ paragraph }) => paragraph),
    limits: rows.map(({ limitSeconds }) => limitSeconds),
    values: rows.map(({ valueSeconds }) => valueSeconds),
    elsewhere: rows.map(({ elsewhereSeconds }) => elsewhereSeconds),
  }).execute(db);
  const idOf = new Map(stored.map((violation) => [keyOf(violation.user_id, violation), violation.id]));
  await notices({
    ...common,
    violationIds: rows.map((violation) => idOf.get(keyOf(violation.userId, violation))!),
    titles: rows.map(titleOf),
    messages: rows.map(messageOf),
  }).execute(db);
}

const keyOf = (userId: number, { date, rule }: { readonly date: LocalDate; readonly rule: string }): string =>
  `${userId} ${date} ${rule}`;

/** Deletes the warnings that earlier releases have stored about users. They were about single time trackings. */
export async function deleteEarlierWarnings(db: Db, accountId: number, userIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('rule', 'is not', null)
    .where('violation_id', 'is', null)
    .execute();
}

/** The columns that a violation and its notifications share, each as an array. */
interface CommonColumns {
  accountId: number;
  userIds: readonly number[];
  rules: readonly string[];
  workspaceIds: readonly number[];
  timeTrackingIds: readonly number[];
  now: Date;
}

interface ChangedViolations extends CommonColumns {
  dates: readonly LocalDate[];
  paragraphs: readonly (string | null)[];
  limits: readonly number[];
  values: readonly number[];
  elsewhere: readonly number[];
}

interface ViolationNotices extends CommonColumns {
  violationIds: readonly number[];
  titles: readonly string[];
  messages: readonly string[];
}

const upsert = (given: ChangedViolations) =>
  sql<Pick<StoredViolation, 'id' | 'rule' | 'date'> & { user_id: number }>`
    insert into working_time_violations as stored (
      account_id, user_id, rule, date, workspace_id, time_tracking_id, paragraph, limit_s, value_s, elsewhere_s, created_at, updated_at)
    select ${given.accountId}, user_id, rule, date, workspace_id, time_tracking_id, paragraph, limit_s, value_s, elsewhere_s, ${given.now}, ${given.now}
    from unnest(
      ${given.userIds}::bigint[], ${given.rules}::text[], ${given.dates}::date[], ${given.workspaceIds}::bigint[],
      ${given.timeTrackingIds}::bigint[], ${given.paragraphs}::text[], ${given.limits}::integer[], ${given.values}::bigint[],
      ${given.elsewhere}::bigint[])
      with ordinality as judged (user_id, rule, date, workspace_id, time_tracking_id, paragraph, limit_s, value_s, elsewhere_s, position)
    order by position
    on conflict (account_id, user_id, date, rule) do update set
      workspace_id = excluded.workspace_id, time_tracking_id = excluded.time_tracking_id, paragraph = excluded.paragraph,
      limit_s = excluded.limit_s, value_s = excluded.value_s, elsewhere_s = excluded.elsewhere_s, updated_at = excluded.updated_at
    returning stored.id, stored.user_id, stored.rule, stored.date`;

const notices = (given: ViolationNotices) =>
  sql`
    insert into notifications (
      account_id, workspace_id, type, user_id, time_tracking_id, rule, violation_id, title, message, created_at, updated_at)
    select ${given.accountId}, workspace_id, kind.type, user_id, time_tracking_id, rule, violation_id, title, message, ${given.now}, ${given.now}
    from unnest(
      ${given.workspaceIds}::bigint[], ${given.userIds}::bigint[], ${given.timeTrackingIds}::bigint[], ${given.rules}::text[],
      ${given.violationIds}::bigint[], ${given.titles}::text[], ${given.messages}::text[])
      with ordinality as judged (workspace_id, user_id, time_tracking_id, rule, violation_id, title, message, position)
    cross join (values ('trigger_warning'), ('notification')) kind (type)
    order by judged.position, kind.type desc
    on conflict (account_id, violation_id, type) where violation_id is not null do update set
      workspace_id = excluded.workspace_id, time_tracking_id = excluded.time_tracking_id, title = excluded.title,
      message = excluded.message, updated_at = excluded.updated_at
    returning account_id`;
