import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/tenancy.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import { setWarnings } from '../notifications/notifications.ts';
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
  const touched = await trackingsBetween(db, place, userId, range.starts_at, later(endOf(range, now), leastRest));
  if (touched.length === 0) return;
  const first = Math.min(...touched.map(({ starts_at }) => starts_at.getTime()));
  const last = Math.max(...touched.map((tracking) => endOf(tracking, now).getTime()));
  const around = await trackingsBetween(db, place, userId, later(new Date(first), -leastRest), new Date(last));
  const judgements = touched.map((tracking) => ({
    timeTracking: { id: tracking.id, user_id: userId },
    warnings: warningsFor(tracking, around, place.workspace.time_zone, now),
  }));
  await setWarnings(db, place.accountId, place.workspace.id, judgements, now);
}

const endOf = ({ starts_at, ends_at }: Span, now: Date): Date => ends_at ?? (now > starts_at ? now : starts_at);

const longestTracking = 366 * 24 * 3600;

/** The trackings that touch a range of time. None but a running one lasts longer than a year: that bounds the search in the index. */
const trackingsBetween = (db: Db, { accountId, workspace }: Place, userId: number, from: Date, to: Date): Promise<Judged[]> =>
  db
    .selectFrom('time_trackings')
    .select(['id', 'starts_at', 'ends_at', sql<number>`break_s`.as('break_s')])
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .where('starts_at', '<=', to)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb.and([eb('starts_at', '>=', later(from, -longestTracking)), eb('ends_at', '>=', from)])]))
    .orderBy('starts_at')
    .orderBy('id')
    .execute();

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
