import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/connection.ts';
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

/**
 * Judges anew every tracking of a user whose warnings may differ after something in this range of time has come, gone or
 * changed: those that overlap it, and those for which it is the previous one. A tracking that moved leaves one range and
 * enters another, so both are to be judged.
 */
export async function judgeAround(db: Db, place: Place, userId: number, range: Span, now: Date): Promise<void> {
  // Two changes at once would each miss the other: they take turns.
  await db.selectFrom('users').select('id').where('account_id', '=', place.accountId).where('id', '=', userId).forNoKeyUpdate().execute();
  const around = await trackingsAround(db, place, userId, range, now);
  const judgements = around
    .filter(({ is_touched }) => is_touched)
    .map((tracking) => ({
      timeTracking: { id: tracking.id, user_id: userId },
      warnings: warningsFor(tracking, around, place.workspace.time_zone, now),
      standing: tracking.standing,
    }));
  await setWarnings(db, place.accountId, place.workspace.id, judgements, now);
}

const endOf = ({ starts_at, ends_at }: Span, now: Date): Date => ends_at ?? (now > starts_at ? now : starts_at);

const longestTracking = 366 * 24 * 3600;

/**
 * The trackings that a range of time touches, with the warnings that stand about them, and those around them that matter to
 * their judgement. None but a running one lasts longer than a year: that bounds the search in the index.
 */
async function trackingsAround(db: Db, { accountId, workspace }: Place, userId: number, range: Span, now: Date) {
  const between = (from: RawBuilder<Date>, to: RawBuilder<Date>) => sql<boolean>`
    tracking.account_id = ${accountId} and tracking.workspace_id = ${workspace.id} and tracking.user_id = ${userId} and tracking.starts_at <= ${to}
    and (tracking.ends_at is null or (tracking.starts_at >= ${from} - ${longestTracking} * interval '1 second' and tracking.ends_at >= ${from}))`;
  const { rows } = await sql<Judged & { is_touched: boolean; standing: StandingWarning[] }>`
    with touched as materialized (
      select tracking.id, tracking.starts_at, coalesce(tracking.ends_at, greatest(tracking.starts_at, ${now}::timestamptz)) as ends_at
      from time_trackings tracking
      where ${between(sql`${range.starts_at}::timestamptz`, sql`${later(endOf(range, now), leastRest)}::timestamptz`)}
    ), whole as materialized (
      select min(starts_at) - ${leastRest} * interval '1 second' as starts_at, max(ends_at) as ends_at from touched
    )
    select tracking.id, tracking.starts_at, tracking.ends_at, tracking.break_s, touched.id is not null as is_touched, coalesce((
      select json_agg(json_build_object(
        'id', warning.id, 'user_id', warning.user_id, 'rule', warning.rule, 'title', warning.title, 'message', warning.message))
      from notifications warning
      where warning.account_id = ${accountId} and warning.time_tracking_id = touched.id and warning.rule is not null), '[]') as standing
    from time_trackings tracking left join touched on touched.id = tracking.id
    where ${between(sql`(select whole.starts_at from whole)`, sql`(select whole.ends_at from whole)`)}
    order by tracking.starts_at, tracking.id`.execute(db);
  return rows;
}

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
    for (const { account_id, user_id, id, time_zone, ...range } of forgotten) {
      const place = { accountId: account_id, workspace: { id, time_zone } };
      await forAccount(db, account_id, (transaction) => judgeAround(transaction, place, user_id, range, now));
    }
  },
});

/** When the jobs run that nobody enqueues. */
export const warningSchedules = { judge_running: '*/10 * * * *' };
