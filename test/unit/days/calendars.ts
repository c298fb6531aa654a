import type { UserCalendar } from '../../../src/days/calendar/calendar_day.ts';
import { datesIn } from '../../../src/days/calendar/dates.ts';
import type { FreeTargetHour, WeeklyTargetHour } from '../../../src/days/calendar/target_of_day.ts';

export const hour = 3600;

/** A weekly target hour from 2020 on: the hours of Monday to Sunday, null on days that are not worked. */
export const weekly = (hours: readonly (number | null)[], other: Partial<WeeklyTargetHour> = {}): WeeklyTargetHour => ({
  rhythm_type: 'weekly',
  start_date: '2020-01-01',
  target_limited: false,
  per_day: false,
  weekdays: hours.map((value) => ({ isWorkday: value !== null, seconds: (value ?? 0) * hour })),
  is_week: false,
  weekSeconds: 0,
  is_month: false,
  monthSeconds: 0,
  ...other,
});

/** A cycle of hours per day. */
export const cycle = (start_date: string, ...hours: readonly number[]): FreeTargetHour => ({
  rhythm_type: 'free',
  start_date,
  target_limited: false,
  cycle: hours.map((value) => value * hour),
});

export const mondayToFriday = weekly([8, 8, 8, 8, 8, null, null]);
export const mondayToWednesday = weekly([8, 8, 8, null, null, null, null]);
export const weekend = weekly([null, null, null, null, null, 6, 6]);

/** The calendar of a user: Monday to Friday 8 hours, without holidays, unless it says otherwise. */
export const calendarOf = (other: Partial<UserCalendar> = {}): UserCalendar => ({
  start_of_accounting: '2020-01-01',
  end_of_contract: null,
  target_hours: [mondayToFriday],
  holidays: new Map(),
  customHolidaySeconds: null,
  customVacationSeconds: null,
  ...other,
});

/** Holidays by date, of whole days unless a factor is given. */
export const holidaysOn = (...days: readonly (string | readonly [string, number])[]): UserCalendar['holidays'] =>
  new Map(
    days.map((day) =>
      typeof day === 'string' ? [day, { title: 'Holiday', factor: 1 }] : [day[0], { title: 'Holiday', factor: day[1] }],
    ),
  );

/** The same value on every date of a range. */
export const onEach = <Value>(from: string, to: string, value: Value): Map<string, Value> =>
  new Map(datesIn({ from, to }).map((date) => [date, value]));
