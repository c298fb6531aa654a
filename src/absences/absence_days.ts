import type { Problem } from '../core/errors.ts';
import {
  endOfLocalDay,
  isDay,
  localDay,
  localDays,
  localForm,
  oneYearAfter,
  parseTime,
  startOfLocalDay,
} from '../core/time.ts';

/* How long an absence is, in days and hours. All days are those of its workspace's zone. */

export interface Span {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

export interface Amount {
  readonly days: number;
  readonly hours: number;
}

const second = 1000;
const hour = 3600 * second;
const defaultHoursPerDay = 8;

export const twoDecimals = (value: number): number => Math.round((value + Number.EPSILON) * 100) / 100;

/** Widens a span to the whole local days it touches: from 00:00:00 of the first to 23:59:59 of the last. */
export const wholeDays = ({ starts_at, ends_at }: Span, zone: string): Span => ({
  starts_at: startOfLocalDay(localDay(starts_at, zone), zone),
  ends_at: endOfLocalDay(localDay(ends_at, zone), zone),
});

/** The moments that a request means. A plain day, as the public API takes it, begins at its start and ends at its end. */
export function spanOf(
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
  full_day: boolean,
  zone: string,
): Span {
  const span = {
    starts_at: isDay(starts_at) ? startOfLocalDay(starts_at, zone) : parseTime(starts_at),
    ends_at: isDay(ends_at) ? endOfLocalDay(ends_at, zone) : parseTime(ends_at),
  };
  return full_day ? wholeDays(span, zone) : span;
}

/** An absence ends after it begins, and at most a year later. */
export function spanProblems({ starts_at, ends_at }: Span, zone: string): Problem[] {
  const [start, end] = [localForm(starts_at, zone), localForm(ends_at, zone)];
  if (ends_at <= starts_at)
    return [{ pointer: 'ends_at', title: `ends_at must be after starts_at (${start}), but was ${end}.` }];
  const latest = oneYearAfter(starts_at, zone);
  if (ends_at > latest)
    return [
      { pointer: 'ends_at', title: `ends_at must be at most one year after starts_at (${start}), but was ${end}.` },
    ];
  return [];
}

/** What an absence takes: its working days where it covers full days, otherwise its length. */
export function measure(span: Span, of: { full_day: boolean; zone: string; hoursPerDay: number }): Amount {
  if (of.full_day) {
    const days = workingDays(daysTouched(span, of.zone)).length;
    return { days, hours: twoDecimals(days * of.hoursPerDay) };
  }
  const hours = (span.ends_at.getTime() - span.starts_at.getTime()) / hour;
  // Whoever is paid nothing for a vacation day still uses up part of a day.
  return { hours: twoDecimals(hours), days: twoDecimals(hours / (of.hoursPerDay || defaultHoursPerDay)) };
}

/** Numbers given by hand; what is not given is as computed. */
export const byHand = (given: Partial<Amount>, computed: Amount): Amount => ({
  days: twoDecimals(given.days ?? computed.days),
  hours: twoDecimals(given.hours ?? computed.hours),
});

/**
 * How many of its days an absence takes on each date: spread evenly over its working days, or over all its days where it has
 * none, so that numbers given by hand are spread too.
 */
export function daysByDate({ days, zone, ...span }: Span & { days: number; zone: string }): Map<string, number> {
  const touched = daysTouched(span, zone);
  const working = workingDays(touched);
  const dates = working.length > 0 ? working : touched;
  return new Map(dates.map((date) => [date, days / dates.length]));
}

/** An absence that ends at midnight does not touch the day that begins then. */
const daysTouched = ({ starts_at, ends_at }: Span, zone: string): string[] =>
  localDays(starts_at, new Date(ends_at.getTime() - second), zone);

/** Monday to Friday. */
const workingDays = (dates: readonly string[]): string[] =>
  dates.filter((date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()));
