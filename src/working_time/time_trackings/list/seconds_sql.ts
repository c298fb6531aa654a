import { sql } from 'kysely';
import type { ValuesOrPlaceholders } from '../../../platform/db/placeholders.ts';

/*
 * Worked time in SQL, for sums and filters over many rows. It computes what worked_time.ts does for one tracking; a test
 * compares the two.
 */

/** The seconds of rows of `time_trackings` at the time `now`, which has whole seconds. */
export function secondsAt({ now, accountId }: ValuesOrPlaceholders<{ now: Date; accountId: number }>) {
  const until = sql`${now}::timestamptz`;
  const since = (start: string) => sql`greatest(0, extract(epoch from ${until} - ${sql.ref(start)})::bigint)`;
  const gross = sql<number>`(case when time_trackings.ends_at is null then ${since('time_trackings.starts_at')} else time_trackings.gross_s end)`;
  const open = sql`coalesce((
    select ${since('pause.starts_at')} from breaks pause
    where pause.account_id = ${accountId} and pause.time_tracking_id = time_trackings.id and pause.ends_at is null), 0)`;
  const isForced = sql`time_trackings.force_custom_break_duration and time_trackings.custom_break_s is not null`;
  const ofBreaks = sql`time_trackings.breaks_s + case when time_trackings.ends_at is null then ${open} else 0 end`;
  const withoutManual = sql`case when ${isForced} then time_trackings.custom_break_s else ${ofBreaks} end`;
  const manual = sql`time_trackings.manual_pause_min`;
  // Each value is named once, because the look-up of the open break is planned as often as it is named.
  const breakDuration = sql<
    number | null
  >`(coalesce(${withoutManual}, case when ${manual} is not null then 0 end) + coalesce(${manual} * 60, 0))`;
  const pause = sql<number>`least(${gross}, coalesce(${breakDuration}, 0))`;
  return { gross, pause, net: sql<number>`(${gross} - ${pause})`, breakDuration };
}
