import { sql } from 'kysely';
import type { Placeholders } from '../../db/placeholders.ts';

/*
 * The worked time of rows, in SQL: what worked_time.ts says of one tracking, for sums and filters over many. A test holds the
 * two against each other.
 */

/** Seconds of the rows of `time_trackings` at a moment, which is one of whole seconds. */
export function secondsAt({ now, accountId }: Placeholders<{ now: Date; accountId: number }>) {
  const moment = sql`${now}::timestamptz`;
  const since = (start: string) => sql`greatest(0, extract(epoch from ${moment} - ${sql.ref(start)})::bigint)`;
  const gross = sql<number>`(case when time_trackings.ends_at is null then ${since('time_trackings.starts_at')} else time_trackings.gross_s end)`;
  const open = sql`coalesce((
    select ${since('pause.starts_at')} from breaks pause
    where pause.account_id = ${accountId} and pause.time_tracking_id = time_trackings.id and pause.ends_at is null), 0)`;
  const isForced = sql`time_trackings.force_custom_break_duration and time_trackings.custom_break_s is not null`;
  const ofBreaks = sql`time_trackings.breaks_s + case when time_trackings.ends_at is null then ${open} else 0 end`;
  const breakDuration = sql<
    number | null
  >`(case when ${isForced} then time_trackings.custom_break_s else ${ofBreaks} end)`;
  const pause = sql<number>`least(${gross}, coalesce(${breakDuration}, 0))`;
  return { gross, pause, net: sql<number>`(${gross} - ${pause})`, breakDuration };
}
