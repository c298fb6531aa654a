import { sql, type NotNull } from 'kysely';
import { addDays, type DateRange } from '../calendar/dates.ts';
import type { ClosedSpan } from '../calendar/local_pieces.ts';
import type { FinishedTracking } from '../calendar/work_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { shownId } from '../../platform/core/ids.ts';

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
  const rows = await db
    .selectFrom('time_trackings')
    .select([
      'id',
      'uuid',
      'user_id',
      'starts_at',
      'ends_at',
      'confirmed',
      'force_custom_break_duration',
      'custom_break_s',
      'manual_pause_min',
      sql<number>`gross_s - least(gross_s, break_s)`.as('net'),
      sql<number>`least(gross_s, break_s)`.as('breaks'),
    ])
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('ends_at', 'is not', null)
    .where('starts_at', '>=', sql<Date>`${addDays(from, -1)}::date`)
    .where('starts_at', '<', sql<Date>`${addDays(to, 2)}::date`)
    .orderBy('user_id')
    .orderBy('starts_at')
    .orderBy('id')
    .$narrowType<{ ends_at: NotNull }>()
    .execute();
  return rows.map(({ id, uuid, user_id, confirmed, ...row }) => ({
    ...row,
    id: shownId({ id, uuid }),
    trackingId: id,
    userId: user_id,
    isConfirmed: confirmed,
  }));
}

/** The breaks of finished work, by the number of the time tracking. */
export async function breaksOfWork(
  db: Db,
  accountId: number,
  work: readonly FinishedWork[],
): Promise<ReadonlyMap<number, readonly ClosedSpan[]>> {
  const trackingIds = work.map(({ trackingId }) => trackingId);
  const rows = await db
    .selectFrom('breaks')
    .select(['time_tracking_id', 'starts_at', 'ends_at'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('time_tracking_id', trackingIds))
    .where('ends_at', 'is not', null)
    .$narrowType<{ ends_at: NotNull }>()
    .execute();
  return groupBy(rows, ({ time_tracking_id }) => time_tracking_id);
}
