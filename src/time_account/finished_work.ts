import { sql } from 'kysely';
import { addDays, type DateRange } from '../calendar/dates.ts';
import type { ClosedSpan } from '../calendar/local_pieces.ts';
import type { FinishedTracking } from '../calendar/work_of_day.ts';
import { groupBy } from '../core/group_by.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { shownId } from '../core/ids.ts';

/** A time tracking that has ended, in any workspace of the account. */
export interface FinishedWork extends FinishedTracking {
  readonly trackingId: number;
  readonly userId: number;
  readonly ends_at: Date;
  readonly force_custom_break_duration: boolean;
  readonly custom_break_s: number | null;
  readonly manual_pause_min: number | null;
}

/** The finished work of users that begins inside a range of days, and some of the days beside it: zones differ by up to 26 hours. */
export async function finishedWork(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  { from, to }: DateRange,
): Promise<FinishedWork[]> {
  const rows = await finishedRows(db, { accountId, userIds, from: addDays(from, -1), before: addDays(to, 2) });
  return rows.map(({ id, uuid, user_id, confirmed, ...row }) => ({
    ...row,
    id: shownId({ id, uuid }),
    trackingId: id,
    userId: user_id,
    isConfirmed: confirmed,
  }));
}

interface FinishedRow {
  readonly id: number;
  readonly uuid: string | null;
  readonly user_id: number;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly net: number;
  readonly breaks: number;
  readonly confirmed: boolean;
  readonly force_custom_break_duration: boolean;
  readonly custom_break_s: number | null;
  readonly manual_pause_min: number | null;
}

const finishedRows = statement<
  { accountId: number; userIds: readonly number[]; from: string; before: string },
  FinishedRow
>(
  (_db, { accountId, userIds, from, before }) => sql<FinishedRow>`
    select id, uuid, user_id, starts_at, ends_at, confirmed, force_custom_break_duration, custom_break_s, manual_pause_min,
      gross_s - least(gross_s, break_s) as net, least(gross_s, break_s) as breaks
    from time_trackings
    where account_id = ${accountId} and user_id = any(${userIds}::bigint[]) and ends_at is not null
      and starts_at >= ${from}::date and starts_at < ${before}::date
    order by user_id, starts_at, id`,
);

/** The breaks of finished work, by the number of the time tracking. */
export async function breaksOfWork(
  db: Db,
  accountId: number,
  work: readonly FinishedWork[],
): Promise<ReadonlyMap<number, readonly ClosedSpan[]>> {
  const rows = await breakRows(db, { accountId, trackingIds: work.map(({ trackingId }) => trackingId) });
  return groupBy(rows, ({ time_tracking_id }) => time_tracking_id);
}

interface TimedBreak extends ClosedSpan {
  readonly time_tracking_id: number;
}

const breakRows = statement<{ accountId: number; trackingIds: readonly number[] }, TimedBreak>(
  (_db, { accountId, trackingIds }) => sql<TimedBreak>`
    select time_tracking_id, starts_at, ends_at from breaks
    where account_id = ${accountId} and time_tracking_id = any(${trackingIds}::bigint[]) and ends_at is not null`,
);
