import { sql } from 'kysely';
import { addDays, type DateRange } from '../calendar/dates.ts';
import type { FinishedTracking } from '../calendar/work_of_day.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { shownId } from '../time_trackings/rows.ts';

/** A time tracking that has ended, in any workspace of the account. */
export interface FinishedWork extends FinishedTracking {
  readonly trackingId: number;
  readonly userId: number;
  readonly workspaceId: number;
  readonly ends_at: Date;
}

/** The finished work of users that begins inside a range of days, and some of the days beside it: zones differ by up to 26 hours. */
export async function finishedWork(
  db: Db,
  accountId: number,
  userIds: readonly number[],
  { from, to }: DateRange,
): Promise<FinishedWork[]> {
  const rows = await finishedRows(db, { accountId, userIds, from: addDays(from, -1), before: addDays(to, 2) });
  return rows.map(({ id, uuid, user_id, workspace_id, starts_at, ends_at, net, breaks, confirmed }) => ({
    id: shownId({ id, uuid }),
    trackingId: id,
    userId: user_id,
    workspaceId: workspace_id,
    starts_at,
    ends_at,
    net,
    breaks,
    isConfirmed: confirmed,
  }));
}

interface FinishedRow {
  readonly id: number;
  readonly uuid: string | null;
  readonly user_id: number;
  readonly workspace_id: number;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly net: number;
  readonly breaks: number;
  readonly confirmed: boolean;
}

const finishedRows = statement<
  { accountId: number; userIds: readonly number[]; from: string; before: string },
  FinishedRow
>(
  (_db, { accountId, userIds, from, before }) => sql<FinishedRow>`
    select id, uuid, user_id, workspace_id, starts_at, ends_at, confirmed,
      gross_s - least(gross_s, break_s) as net, least(gross_s, break_s) as breaks
    from time_trackings
    where account_id = ${accountId} and user_id = any(${userIds}::bigint[]) and ends_at is not null
      and starts_at >= ${from}::date and starts_at < ${before}::date
    order by user_id, starts_at, id`,
);
