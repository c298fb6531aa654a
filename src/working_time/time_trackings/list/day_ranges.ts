import { sql, type RawBuilder } from 'kysely';
import { endOfLocalDay, isDay, startOfLocalDay } from '../../../platform/core/time.ts';
import type { Value } from '../../../platform/db/placeholders.ts';

/*
 * Time trackings that overlap a range of days. Nearly all last at most a day, and so begin at most a day before the range: an
 * index on their start finds them. The others have an index of their own.
 */

/** From the beginning of one day to the end of another; without an end where that is null. */
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

/** The earliest start of a tracking that lasts at most a day and overlaps the range. */
export const earliestShort = ({ begin }: DayRange): Date => new Date(begin.getTime() - 86_400_000);

/** Written like the condition of the index on long trackings, so that PostgreSQL can use it. */
export const isLong = sql<boolean>`(time_trackings.ends_at is null or time_trackings.gross_s > 86400)`;

/** Whether a tracking overlaps the range, as the contract defines it. */
export function overlaps({ begin, end }: DayRange, now: Value<Date>): RawBuilder<boolean> {
  const until = sql`coalesce(time_trackings.ends_at, ${now}::timestamptz)`;
  if (end === null) return sql`${until} >= ${begin}::timestamptz`;
  return sql`(${until} > ${begin}::timestamptz and time_trackings.starts_at <= ${end}::timestamptz)`;
}
