import { utcDay } from '../../platform/core/time.ts';

/* Arithmetic with calendar days. No zone and no clock takes part in it. */

/** A calendar day, `YYYY-MM-DD`. Such texts sort by date. */
export type LocalDate = string;

/** Days from one to another, both included. */
export interface DateRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** The weekdays, Monday first. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const dayMs = 86_400_000;

/** The days since 1970-01-01, negative before it. */
export const dayNumberOf = (date: LocalDate): number => Date.parse(date) / dayMs;

/** The calendar day in UTC. */
export const utcDateOf = (time: Date): LocalDate => utcDay(time);

const dateOfDayNumber = (dayNumber: number): LocalDate => utcDateOf(new Date(dayNumber * dayMs));

export const addDays = (date: LocalDate, days: number): LocalDate => dateOfDayNumber(dayNumberOf(date) + days);

/** Every day of a range, in order. */
export function datesIn({ from, to }: DateRange): LocalDate[] {
  const [first, last] = [dayNumberOf(from), dayNumberOf(to)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => dateOfDayNumber(first + index));
}

/** The order of dates, for sorting. */
export const compareDates = (one: LocalDate, other: LocalDate): number => (one < other ? -1 : one > other ? 1 : 0);

/** The first of some dates, in the order of time. */
export const earliestOf = (dates: readonly LocalDate[]): LocalDate => dates.toSorted(compareDates)[0]!;

/** The last of some dates, in the order of time. */
export const latestOf = (dates: readonly LocalDate[]): LocalDate => dates.toSorted(compareDates).at(-1)!;

export const isInRange = (date: LocalDate, { from, to }: DateRange): boolean => from <= date && date <= to;

/** 0 is Monday, 6 is Sunday. 1970-01-01 is a Thursday. */
export const weekdayOf = (date: LocalDate): number => (((dayNumberOf(date) + 3) % 7) + 7) % 7;

/** The day of the month, from 1. */
export const dayOfMonth = (date: LocalDate): number => Number(date.slice(8));

/** The first day of the month in which a date lies. */
export const firstOfMonth = (date: LocalDate): LocalDate => `${date.slice(0, 8)}01`;

/** Whether a range is one whole month. */
export const isMonth = ({ from, to }: DateRange): boolean =>
  from === firstOfMonth(to) && addMonths(from, 1) === addDays(to, 1);

/** The first day of a month that comes some months after that of a date, or before it. */
export function addMonths(date: LocalDate, months: number): LocalDate {
  const first = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1));
  return utcDateOf(first);
}

/** The number of days of the month in which a date lies. */
export const daysInMonth = (date: LocalDate): number =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();

/**
 * The full months from one day to another, both included. A month is full on the day before the one with the same number:
 * from 15 March to 14 April is one.
 */
export function fullMonthsIn({ from, to }: DateRange): number {
  const next = addDays(to, 1);
  const months = monthNumberOf(next) - monthNumberOf(from) - (dayOfMonth(next) < dayOfMonth(from) ? 1 : 0);
  return Math.max(0, months);
}

const monthNumberOf = (date: LocalDate): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
