import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { forAccount } from '../db/transactions.ts';
import { together } from '../db/pipeline.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import { setWarnings } from '../notifications/notifications.ts';
import { aroundRows, aroundTables, type Around } from './neighbours.ts';
import { leastRest, longestRun, warningsFor } from './rules.ts';
import type { Span } from '../calendar/worked_time.ts';

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
  const turns = takeTurns(db, { accountId: place.accountId, userIds: ranges.map(({ user_id }) => user_id) });
  const [, trackings] = await together([turns, trackingsAround(db, place, ranges, now)]);
  await storeJudgements(db, place, trackings, now);
}

/** Judges those of the trackings that are touched, among those that are around the same range. */
export async function storeJudgements(db: Db, place: Place, trackings: readonly Around[], now: Date): Promise<void> {
  const ranges = new Map<number, Around[]>();
  for (const tracking of trackings) {
    const together = ranges.get(tracking.number);
    if (together) together.push(tracking);
    else ranges.set(tracking.number, [tracking]);
  }
  const judgements = trackings
    .filter(({ is_touched }) => is_touched)
    .map((tracking) => ({
      timeTracking: { id: tracking.id, user_id: tracking.user_id },
      warnings: warningsFor(tracking, ranges.get(tracking.number)!, place.workspace.time_zone, now),
      standing: tracking.standing,
    }));
  // Two ranges of a user can touch the same tracking, and have the same to say about it.
  const once = new Map(judgements.map((judgement) => [judgement.timeTracking.id, judgement]));
  await setWarnings(db, place.accountId, place.workspace.id, [...once.values()], now);
}

/** What touches each other is looked at together: most changes leave a tracking near where it was. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const sorted = [...stretches].sort(
    (one, other) => one.user_id - other.user_id || one.starts_at.getTime() - other.starts_at.getTime(),
  );
  const result: Stretch[] = [];
  for (const stretch of sorted) {
    const last = result.at(-1);
    if (last?.user_id === stretch.user_id && (last.ends_at === null || last.ends_at >= stretch.starts_at)) {
      const ends_at =
        last.ends_at === null || stretch.ends_at === null
          ? null
          : new Date(Math.max(last.ends_at.getTime(), stretch.ends_at.getTime()));
      result[result.length - 1] = { user_id: last.user_id, starts_at: last.starts_at, ends_at };
    } else result.push(stretch);
  }
  return result;
}

/** Two changes to the work of a user at once would each miss the other: they take turns from here on, and always in one order. */
export const takeTurns = statement(
  (_db, { accountId, userIds }: Placeholders<{ accountId: number; userIds: readonly number[] }>) => sql<object>`
    select from users where account_id = ${accountId} and id = any(${userIds}::bigint[]) order by id for no key update`,
);

const endOf = ({ starts_at, ends_at }: Span, now: Date): Date => ends_at ?? (now > starts_at ? now : starts_at);

const trackingsAround = (
  db: Db,
  { accountId, workspace }: Place,
  ranges: readonly Stretch[],
  now: Date,
): Promise<Around[]> =>
  search(db, {
    accountId,
    workspaceId: workspace.id,
    userIds: ranges.map(({ user_id }) => user_id),
    from: ranges.map(({ starts_at }) => starts_at),
    to: ranges.map((range) => later(endOf(range, now), leastRest)),
    until: now,
  });

interface Searched {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  from: readonly Date[];
  to: readonly Date[];
  until: Date;
}

const search = statement(
  (_db, values: Placeholders<Searched>) => sql<Around>`
    with range as materialized (
      select range.*, ${values.workspaceId}::bigint as workspace_id, ${values.until}::timestamptz as until
      from unnest(${values.userIds}::bigint[], ${values.from}::timestamptz[], ${values.to}::timestamptz[])
        with ordinality as range (user_id, starts_at, ends_at, number)
    ), ${aroundTables(values.accountId)} ${aroundRows(values.accountId)}`,
);

/** Nobody does anything to a forgotten tracking, so nothing else would judge it. */
export const warningJobs = (db: Db, clock: () => Date): JobHandlers => ({
  judge_running: async () => {
    const now = clock();
    const forgotten = await db
      .selectFrom('time_trackings as tracking')
      .innerJoin('workspaces as workspace', (join) =>
        join
          .onRef('workspace.account_id', '=', 'tracking.account_id')
          .onRef('workspace.id', '=', 'tracking.workspace_id'),
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
      .select([
        'tracking.account_id',
        'tracking.user_id',
        'tracking.starts_at',
        'tracking.ends_at',
        'workspace.id',
        'workspace.time_zone',
      ])
      .execute();
    for (const { account_id, id, time_zone, ...stretch } of forgotten) {
      const place = { accountId: account_id, workspace: { id, time_zone } };
      await forAccount(db, account_id, (transaction) => judgeAround(transaction, place, [stretch], now));
    }
  },
});

/** When the jobs run that nobody enqueues. */
export const warningSchedules = { judge_running: '*/10 * * * *' };
