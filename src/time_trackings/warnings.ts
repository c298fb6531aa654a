import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { forAccount } from '../db/tenancy.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import { setWarnings, type StandingWarning } from '../notifications/notifications.ts';
import { leastRest, longestRun, warningsFor, type Judged } from './warning_rules.ts';
import type { Span } from './worked_time.ts';

/** Where working time is judged; every actor in a workspace is one. */
export interface Place {
  readonly accountId: number;
  readonly workspace: { readonly id: number; readonly time_zone: string };
}

const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

/** A range of time in the work of a user. */
export interface Stretch extends Span {
  readonly user_id: number;
}

/**
 * Judges anew every tracking whose warnings may differ after something in these ranges of time has come, gone or changed: those
 * that overlap one, and those for which it is the previous one. A tracking that moved leaves one range and enters another, so
 * both are to be judged.
 */
export async function judgeAround(db: Db, place: Place, stretches: readonly Stretch[], now: Date): Promise<void> {
  if (stretches.length === 0) return;
  const ranges = merged(stretches);
  // Two changes at once would each miss the other: they take turns, in one order.
  await holdUsers(db, { accountId: place.accountId, ids: ranges.map(({ user_id }) => user_id) });
  const around = await trackingsAround(db, place, ranges, now);
  const together = ranges.map((): Around[] => []);
  for (const tracking of around) together[tracking.number - 1]!.push(tracking);
  const judgements = around
    .filter(({ is_touched }) => is_touched)
    .map((tracking) => ({
      timeTracking: { id: tracking.id, user_id: tracking.user_id },
      warnings: warningsFor(tracking, together[tracking.number - 1]!, place.workspace.time_zone, now),
      standing: tracking.standing,
    }));
  // Two ranges of a user can touch the same tracking, and have the same to say about it.
  const once = new Map(judgements.map((judgement) => [judgement.timeTracking.id, judgement]));
  await setWarnings(db, place.accountId, place.workspace.id, [...once.values()], now);
}

/** What touches each other is looked at together: most changes leave a tracking near where it was. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const sorted = [...stretches].sort((one, other) => one.user_id - other.user_id || one.starts_at.getTime() - other.starts_at.getTime());
  const result: Stretch[] = [];
  for (const stretch of sorted) {
    const last = result.at(-1);
    if (last?.user_id === stretch.user_id && (last.ends_at === null || last.ends_at >= stretch.starts_at)) {
      const ends_at = last.ends_at === null || stretch.ends_at === null ? null : new Date(Math.max(last.ends_at.getTime(), stretch.ends_at.getTime()));
      result[result.length - 1] = { user_id: last.user_id, starts_at: last.starts_at, ends_at };
    } else result.push(stretch);
  }
  return result;
}

const holdUsers = statement(
  (_db, { accountId, ids }: { accountId: number; ids: readonly number[] }) => sql<object>`
    select from users where account_id = ${accountId} and id = any(${ids}::bigint[]) order by id for no key update`,
);

const endOf = ({ starts_at, ends_at }: Span, now: Date): Date => ends_at ?? (now > starts_at ? now : starts_at);

type Around = Judged & { readonly number: number; readonly user_id: number; readonly is_touched: boolean; readonly standing: StandingWarning[] };

/** The trackings that each range touches, by its number from 1 on, and those around them that matter to their judgement. */
const trackingsAround = (db: Db, { accountId, workspace }: Place, ranges: readonly Stretch[], now: Date): Promise<Around[]> =>
  search(db, {
    accountId,
    workspaceId: workspace.id,
    userIds: ranges.map(({ user_id }) => user_id),
    from: ranges.map(({ starts_at }) => starts_at),
    to: ranges.map((range) => later(endOf(range, now), leastRest)),
    now,
  });

interface Searched extends Record<string, unknown> {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  from: readonly Date[];
  to: readonly Date[];
  now: Date;
}

/** None but a running one lasts longer than a year: that bounds the search in the index. */
const longestTracking = sql.lit(366 * 24 * 3600);

const search = statement((_db, { accountId, workspaceId, userIds, from, to, now }: Searched) => {
  const overlaps = (range: string) => sql<boolean>`
    tracking.account_id = ${accountId} and tracking.workspace_id = ${workspaceId} and tracking.user_id = ${sql.ref(`${range}.user_id`)}
    and tracking.starts_at <= ${sql.ref(`${range}.ends_at`)} and (tracking.ends_at is null
      or (tracking.starts_at >= ${sql.ref(`${range}.starts_at`)} - ${longestTracking} * interval '1 second' and tracking.ends_at >= ${sql.ref(`${range}.starts_at`)}))`;
  return sql<Around>`
    with range as materialized (
      select * from unnest(${userIds}::bigint[], ${from}::timestamptz[], ${to}::timestamptz[]) with ordinality as range (user_id, starts_at, ends_at, number)
    ), touched as materialized (
      select range.number, range.user_id, tracking.id, tracking.starts_at, coalesce(tracking.ends_at, greatest(tracking.starts_at, ${now}::timestamptz)) as ends_at
      from range join time_trackings tracking on ${overlaps('range')}
    ), whole as materialized (
      select number, user_id, min(starts_at) - ${sql.lit(leastRest)} * interval '1 second' as starts_at, max(ends_at) as ends_at from touched group by number, user_id
    )
    select whole.number, tracking.id, tracking.user_id, tracking.starts_at, tracking.ends_at, tracking.break_s, touched.id is not null as is_touched, coalesce((
      select json_agg(json_build_object(
        'id', warning.id, 'user_id', warning.user_id, 'rule', warning.rule, 'title', warning.title, 'message', warning.message))
      from notifications warning
      where warning.account_id = ${accountId} and warning.time_tracking_id = touched.id and warning.rule is not null), '[]') as standing
    from whole join time_trackings tracking on ${overlaps('whole')}
    left join touched on touched.number = whole.number and touched.id = tracking.id
    order by whole.number, tracking.starts_at, tracking.id`;
});

/** Nobody does anything to a forgotten tracking, so nothing else would judge it. */
export const warningJobs = (db: Db, clock: () => Date): JobHandlers => ({
  judge_running: async () => {
    const now = clock();
    const forgotten = await db
      .selectFrom('time_trackings as tracking')
      .innerJoin('workspaces as workspace', (join) =>
        join.onRef('workspace.account_id', '=', 'tracking.account_id').onRef('workspace.id', '=', 'tracking.workspace_id'),
      )
      .leftJoin('notifications as warning', (join) =>
        join
          .onRef('warning.account_id', '=', 'tracking.account_id')
          .onRef('warning.time_tracking_id', '=', 'tracking.id')
          .on('warning.rule', '=', 'long_running'),
      )
      .where('tracking.ends_at', 'is', null)
      .where('tracking.starts_at', '<', later(now, -longestRun))
      .where('workspace.deleted_at', 'is', null)
      .where('warning.id', 'is', null)
      .select(['tracking.account_id', 'tracking.user_id', 'tracking.starts_at', 'tracking.ends_at', 'workspace.id', 'workspace.time_zone'])
      .execute();
    for (const { account_id, id, time_zone, ...stretch } of forgotten) {
      const place = { accountId: account_id, workspace: { id, time_zone } };
      await forAccount(db, account_id, (transaction) => judgeAround(transaction, place, [stretch], now));
    }
  },
});

/** When the jobs run that nobody enqueues. */
export const warningSchedules = { judge_running: '*/10 * * * *' };
