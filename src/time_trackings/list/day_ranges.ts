import { sql, type RawBuilder } from 'kysely';
import { endOfLocalDay, isDay, startOfLocalDay } from '../../core/time.ts';
import type { Placeholder } from '../../db/placeholders.ts';

/*
 * Trackings that touch a range of days. Nearly all of them are shorter than a day, and so begin at most a day before the
 * range: an index finds those. The others have an index of their own.
 */

/** From the beginning of one day to the end of another, or for ever. */
export interface DayRange {
  readonly begin: Date;
  readonly end: Date | null;
}

/** `FROM_TO` or `FROM`, in days of the zone; undefined for anything else. */
export function dayRangeIn(value: string, zone: string): DayRange | undefined {
  const [from = '', to, ...rest] = value.split('_');
  if (!isDay(from) || (to !== undefined && !isDay(to)) || rest.length > 0) return undefined;
  return { begin: startOfLocalDay(from, zone), end: to === undefined ? null : endOfLocalDay(to, zone) };
}

/** When what lasts no longer than a day, and still touches the range, begins at the earliest. */
export const earliestShort = ({ begin }: DayRange): Date => new Date(begin.getTime() - 86_400_000);

/** The condition as the index of the long ones is written. */
export const isLong = sql<boolean>`(time_trackings.ends_at is null or time_trackings.gross_s > 86400)`;

/** What touches the range, as the contract says it. */
export function touches({ begin, end }: DayRange, now: Placeholder<Date>): RawBuilder<boolean> {
  const until = sql`coalesce(time_trackings.ends_at, ${now}::timestamptz)`;
  if (end === null) return sql`${until} >= ${begin}::timestamptz`;
  return sql`(${until} > ${begin}::timestamptz and time_trackings.starts_at <= ${end}::timestamptz)`;
}
