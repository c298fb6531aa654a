import { wholeDay } from './amounts.ts';
import type { LocalDate } from './dates.ts';
import { holidayPartOf, type Holiday, type Holidays } from './holidays.ts';
import { targetOfDay, type TargetPlan } from './target_of_day.ts';

/** Everything that decides about the days of a user: their target hours, their holidays, and what those count. */
export interface UserCalendar extends TargetPlan {
  readonly holidays: Holidays;
  /** The hours of a holiday with the option `custom`; null with the option `target`. */
  readonly customHolidaySeconds: number | null;
  /** The hours of a vacation day with the option `custom`; null with the option `target`. */
  readonly customVacationSeconds: number | null;
}

/** One day of a user, before anything is worked or taken off. */
export interface CalendarDay {
  readonly target: number;
  /** Whether work beyond the target is not credited. */
  readonly isLimited: boolean;
  readonly holiday: Holiday | null;
  readonly holidayCredit: number;
  /** The target without the part that the holiday takes. An absence counts at most this. */
  readonly openTarget: number;
  /** The parts of a day that a whole day off costs: 1 − factor of the holiday, 0 without a target. */
  readonly openParts: number;
  /** The hours of a whole day of vacation. */
  readonly vacationSeconds: number;
}

/** The target of a day and what its holiday leaves of it. */
export function calendarDay(calendar: UserCalendar, date: LocalDate): CalendarDay {
  const { seconds: target, isLimited } = targetOfDay(calendar, date);
  const holiday = calendar.holidays.get(date);
  const { customHolidaySeconds, customVacationSeconds } = calendar;
  // The factor of the holiday divides each amount into two parts that add up to it.
  const withoutHoliday = (amount: number): number => amount - holidayPartOf(amount, holiday);
  const hasTarget = target > 0;
  return {
    target,
    isLimited,
    holiday: holiday ?? null,
    holidayCredit: hasTarget ? holidayPartOf(customHolidaySeconds ?? target, holiday) : 0,
    openTarget: withoutHoliday(target),
    openParts: hasTarget ? withoutHoliday(wholeDay) : 0,
    vacationSeconds: hasTarget ? withoutHoliday(customVacationSeconds ?? target) : 0,
  };
}
