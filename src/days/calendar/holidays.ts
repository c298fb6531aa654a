import { partsOfDays, wholeDay, wholeQuotient } from './amounts.ts';
import type { LocalDate } from './dates.ts';

/** A public holiday of a calendar, or one of a workspace's own. */
export interface Holiday {
  readonly title: string;
  /** How much of the day it takes: 1, or 0.5 for half a day. */
  readonly factor: number;
}

/** The holidays of a user, by date. */
export type Holidays = Pick<ReadonlyMap<LocalDate, Holiday>, 'get'>;

/** The holidays of a calendar with own ones. Of two on one date the one with the larger factor counts. */
export function withOwnHolidays(
  calendar: Holidays,
  own: readonly (Holiday & { readonly date: LocalDate })[],
): Holidays {
  const ownByDate = new Map<LocalDate, Holiday>();
  for (const holiday of own) ownByDate.set(holiday.date, longerOf(ownByDate.get(holiday.date), holiday)!);
  return { get: (date) => longerOf(calendar.get(date), ownByDate.get(date)) };
}

const longerOf = (one: Holiday | undefined, other: Holiday | undefined): Holiday | undefined =>
  other && other.factor > (one?.factor ?? 0) ? other : one;

/** Whether a holiday takes the whole day. Supplements and the rule about Sunday work know no half holidays. */
export const isWhole = (holiday: Holiday | undefined): boolean => holiday !== undefined && holiday.factor >= 1;

/** The part of an amount of a day that its holiday takes, as a whole number. */
export const holidayPartOf = (amount: number, holiday: Holiday | undefined): number =>
  holiday ? wholeQuotient(amount * partsOfDays(holiday.factor), wholeDay) : 0;
