import { partsOfDays, wholeDay, wholeQuotient } from './amounts.ts';
import type { LocalDate } from './dates.ts';

/** A public holiday of a calendar, or one of a workspace's own. */
export interface Holiday {
  readonly title: string;
  /** How much of the day it takes: 1, or 0.5 for half a day. */
  readonly factor: number;
}

export type Holidays = ReadonlyMap<LocalDate, Holiday>;

/** The holidays of a calendar with own ones. Of two on one date the one with the larger factor counts. */
export function withOwnHolidays(
  calendar: Holidays,
  own: readonly (Holiday & { readonly date: LocalDate })[],
): Map<LocalDate, Holiday> {
  const merged = new Map(calendar);
  for (const { date, title, factor } of own)
    if (factor > (merged.get(date)?.factor ?? 0)) merged.set(date, { title, factor });
  return merged;
}

/** The part of an amount of a day that its holiday takes, as a whole number. */
export const holidayPartOf = (amount: number, holiday: Holiday | undefined): number =>
  holiday ? wholeQuotient(amount * partsOfDays(holiday.factor), wholeDay) : 0;
