import { endOfLocalDay, localDay, localDays, startOfLocalDay } from '../core/time.ts';
import { twoDecimals } from './rounding.ts';
import { hoursOf } from './worked_time.ts';

/* How long an absence is, in days and hours. All days are local days of the absence's workspace. */

export interface AbsenceSpan {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

export interface Amount {
  readonly days: number;
  readonly hours: number;
}

const secondMs = 1000;
const defaultHoursPerDay = 8;

/** Widens a span to whole local days: from 00:00:00 of the first to 23:59:59 of the last. */
export const wholeDays = ({ starts_at, ends_at }: AbsenceSpan, zone: string): AbsenceSpan => ({
  starts_at: startOfLocalDay(localDay(starts_at, zone), zone),
  ends_at: endOfLocalDay(localDay(ends_at, zone), zone),
});

/** The amount of an absence: its working days where it covers full days, otherwise its length. */
export function measure(span: AbsenceSpan, of: { full_day: boolean; zone: string; hoursPerDay: number }): Amount {
  if (of.full_day) {
    const days = workingDays(touchedDays(span, of.zone)).length;
    return { days, hours: twoDecimals([days, of.hoursPerDay]) };
  }
  const seconds = (span.ends_at.getTime() - span.starts_at.getTime()) / secondMs;
  // A user without paid hours on a vacation day still uses up part of a day.
  return { hours: hoursOf(seconds), days: twoDecimals(seconds, [3600, of.hoursPerDay || defaultHoursPerDay]) };
}

/** The amount that a request sets, filled up with the computed one. */
export const customAmount = (given: Partial<Amount>, computed: Amount): Amount => ({
  days: twoDecimals(given.days ?? computed.days),
  hours: twoDecimals(given.hours ?? computed.hours),
});

/**
 * The days that an absence takes on each date. They are spread evenly over its working days, or over all its days where it
 * has no working day, so that custom amounts are spread too.
 */
export function daysByDate({ days, zone, ...span }: AbsenceSpan & { days: number; zone: string }): Map<string, number> {
  const touched = touchedDays(span, zone);
  const working = workingDays(touched);
  const dates = working.length > 0 ? working : touched;
  return new Map(dates.map((date) => [date, days / dates.length]));
}

/** An absence that ends at midnight does not touch the day that starts then. */
const touchedDays = ({ starts_at, ends_at }: AbsenceSpan, zone: string): string[] =>
  localDays(starts_at, new Date(ends_at.getTime() - secondMs), zone);

/** Monday to Friday. */
const workingDays = (dates: readonly string[]): string[] =>
  dates.filter((date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()));
