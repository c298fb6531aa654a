import { addDays, isInRange, type DateRange } from '../../days/calendar/dates.ts';
import { localDateOf } from '../../days/calendar/local_pieces.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import { dateOfSeconds, secondsOfDate, type Period } from './periods.ts';
import { longestRestSeconds, sameDayGapSeconds } from './rules.ts';
import { mondayOf } from './week_rules.ts';
import { withWorkingDays, type RecordedWork } from './working_days.ts';

/*
 * Which work to read to judge a change. A change concerns the working days that it touches, those that begin within the rest
 * after it, and their weeks. Whole weeks are read. Work that goes on for days without two hours of pause can belong to a working
 * day that began earlier than what was read; then more is read.
 */

const hour = 3600;
const week = 7 * 24 * hour;

/** Zones differ by up to 26 hours. The zone of the user may be another one than that in which the weeks were found. */
const marginSeconds = 26 * hour + longestRestSeconds;

/** The weeks around a change, with so many more weeks before and after them. */
export function periodAround(change: Period, zone: string, moreWeeks: number): Period {
  const dateAt = (seconds: number) => localDateOf(dateOfSeconds(seconds), zone);
  const first = mondayOf(dateAt(change.from - sameDayGapSeconds));
  const next = addDays(mondayOf(dateAt(change.to + longestRestSeconds)), 7);
  return {
    from: secondsOfDate(startOfLocalDay(first, zone)) - marginSeconds - moreWeeks * week,
    to: secondsOfDate(startOfLocalDay(next, zone)) + marginSeconds + moreWeeks * week,
  };
}

/** The dates, in whole weeks, whose working days are known if the work of a period is. Running work belongs to none. */
export function knownDates({ from, to }: Period, trackings: readonly RecordedWork[], zone: string): DateRange {
  const dateAt = (seconds: number) => localDateOf(dateOfSeconds(seconds), zone);
  // The first Monday that begins so late that the rest before it is known.
  const first = addDays(mondayOf(dateAt(from + longestRestSeconds - 1)), 7);
  const last = addDays(mondayOf(dateAt(to - sameDayGapSeconds)), -1);
  const open = withWorkingDays(trackings, zone).findLast(
    ({ work }) => work.to !== null && work.to + sameDayGapSeconds > to,
  );
  return { from: first, to: open && open.date <= last ? addDays(open.date, -1) : last };
}

/** Whether the dates are known of all work that a change concerns. */
export function isKnown(change: Period, dates: DateRange, trackings: readonly RecordedWork[], zone: string): boolean {
  const concerned = { from: change.from - sameDayGapSeconds, to: change.to + longestRestSeconds };
  return (
    [concerned.from, concerned.to].every((time) => isInRange(localDateOf(dateOfSeconds(time), zone), dates)) &&
    withWorkingDays(trackings, zone).every(
      ({ work, date }) => work.from > concerned.to || (work.to ?? work.from) < concerned.from || isInRange(date, dates),
    )
  );
}
