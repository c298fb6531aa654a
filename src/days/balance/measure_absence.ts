import { absenceDays, type AbsenceAmount, type AbsenceDay, type AbsenceKind } from '../calendar/absence_days.ts';
import { daysShown, partsOfDays, secondsOfHours, sumOf } from '../calendar/amounts.ts';
import type { DateRange } from '../calendar/dates.ts';
import { twoDecimals } from '../calendar/rounding.ts';
import { hoursOf } from '../calendar/worked_time.ts';
import { endOfLocalDay, localDay, startOfLocalDay } from '../../platform/core/time.ts';
import type { UserDays } from './user_days.ts';

/* How much an absence takes of each of its dates. */

export interface AbsenceSpan {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

export interface Amount {
  readonly days: number;
  readonly hours: number;
}

/** An absence as far as its amount depends on it. */
export interface Measurable extends AbsenceSpan {
  readonly kind: string;
  readonly full_day: boolean;
  readonly half_start: boolean;
  readonly half_end: boolean;
  /** The dates of an absence of full days that is stored already. They stay when the zone of its user changes. */
  readonly dates?: DateRange | undefined;
}

/** An absence with its amount, and the rows that the amount is the sum of. */
export interface Measurement extends Amount {
  readonly rows: readonly AbsenceDay[];
}

/** The dates that an absence of full days touches in a zone. */
export const datesOf = ({ starts_at, ends_at }: AbsenceSpan, zone: string): DateRange => ({
  from: localDay(starts_at, zone),
  to: localDay(ends_at, zone),
});

/** An absence of full days lasts for its dates in the zone of its user. */
export const spanOfDates = ({ from, to }: DateRange, zone: string): AbsenceSpan => ({
  starts_at: startOfLocalDay(from, zone),
  ends_at: endOfLocalDay(to, zone),
});

export const isSameSpan = (one: AbsenceSpan, other: AbsenceSpan): boolean =>
  one.starts_at.getTime() === other.starts_at.getTime() && one.ends_at.getTime() === other.ends_at.getTime();

/** Measures an absence of a user. Custom amounts stay as given and are spread over its dates. */
export const measure = (absence: Measurable, days: UserDays, custom?: Partial<Amount>): Measurement =>
  measurementOf(rowsOf(absence, days, custom && customAmountOf(custom)));

/** A custom amount in whole units, as its absence takes it of its dates. */
export const customAmountOf = ({ hours, days }: Partial<Amount>): Partial<AbsenceAmount> => ({
  ...(hours === undefined ? {} : { seconds: secondsOfHours(twoDecimals(hours)) }),
  ...(days === undefined ? {} : { parts: partsOfDays(twoDecimals(days)) }),
});

/** The amount of an absence on each of its dates. */
export function rowsOf(
  absence: Measurable,
  { zone, calendar }: UserDays,
  custom: Partial<AbsenceAmount> | undefined,
): AbsenceDay[] {
  const common = { kind: absence.kind as AbsenceKind, custom };
  return absence.full_day
    ? absenceDays(
        {
          ...common,
          full_day: true,
          dates: absence.dates ?? datesOf(absence, zone),
          half_start: absence.half_start,
          half_end: absence.half_end,
        },
        calendar,
      )
    : absenceDays(
        { ...common, full_day: false, zone, starts_at: absence.starts_at, ends_at: absence.ends_at },
        calendar,
      );
}

/** The amount of an absence, from its rows. */
export const measurementOf = (rows: readonly AbsenceDay[]): Measurement => ({
  rows,
  days: daysShown(sumOf(rows, ({ parts }) => parts)),
  hours: hoursOf(sumOf(rows, ({ seconds }) => seconds)),
});
