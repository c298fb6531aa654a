import { dayNumberOf, dayOfMonth, daysInMonth, weekdayOf, type LocalDate } from './dates.ts';

/* What a user owes on a day, by the target hour in force. */

/** The target hours of a user, and the days between which they owe anything. */
export interface TargetPlan {
  readonly start_of_accounting: LocalDate;
  /** The last day of work. */
  readonly end_of_contract: LocalDate | null;
  /** Ordered by `start_date`. */
  readonly target_hours: readonly TargetHour[];
}

export type TargetHour = WeeklyTargetHour | FreeTargetHour;

export interface WeeklyTargetHour {
  readonly rhythm_type: 'weekly';
  readonly start_date: LocalDate;
  readonly target_limited: boolean;
  readonly per_day: boolean;
  /** Seven of them, Monday first. */
  readonly weekdays: readonly { readonly isWorkday: boolean; readonly seconds: number }[];
  readonly is_week: boolean;
  readonly weekSeconds: number;
  readonly is_month: boolean;
  readonly monthSeconds: number;
}

export interface FreeTargetHour {
  readonly rhythm_type: 'free';
  readonly start_date: LocalDate;
  readonly target_limited: boolean;
  /** The seconds of each day of the cycle, 0 on free days. The first one is the `start_date`. */
  readonly cycle: readonly number[];
}

export interface DayTarget {
  readonly seconds: number;
  /** Whether work beyond the target is not credited. */
  readonly isLimited: boolean;
}

/** The target of a day: 0 before the first target hour, before `start_of_accounting` and after `end_of_contract`. */
export function targetOfDay(plan: TargetPlan, date: LocalDate): DayTarget {
  const hour = targetHourOf(plan, date);
  if (!hour) return { seconds: 0, isLimited: false };
  const isOwing = plan.start_of_accounting <= date && (plan.end_of_contract === null || date <= plan.end_of_contract);
  return { seconds: isOwing ? secondsOf(hour, date) : 0, isLimited: hour.target_limited };
}

/** The target hour in force on a day. Each one holds until the next one starts. */
export const targetHourOf = ({ target_hours }: TargetPlan, date: LocalDate): TargetHour | undefined =>
  target_hours.findLast(({ start_date }) => start_date <= date);

/** The days with a target in a week on average, as a fraction: a cycle of 4 days on and 2 off has 28 / 6. */
export function workingDaysPerWeek(hour: TargetHour): { readonly workdays: number; readonly divisor: number } {
  if (hour.rhythm_type === 'free')
    return { workdays: hour.cycle.filter((seconds) => seconds > 0).length * 7, divisor: hour.cycle.length };
  const { weekdays } = hour;
  const isCounted = hasDailyHours(hour)
    ? (weekday: number) => weekdays[weekday]!.seconds > 0
    : () => spreadSeconds(hour) > 0;
  return { workdays: workdaysAmong(week, hour).filter(isCounted).length, divisor: 1 };
}

/** The weekdays from Monday to Sunday. */
const week = [0, 1, 2, 3, 4, 5, 6];

const secondsOf = (hour: TargetHour, date: LocalDate): number =>
  hour.rhythm_type === 'free'
    ? hour.cycle[(dayNumberOf(date) - dayNumberOf(hour.start_date)) % hour.cycle.length]!
    : weeklySeconds(hour, date);

function weeklySeconds(hour: WeeklyTargetHour, date: LocalDate): number {
  const weekday = weekdayOf(date);
  const { isWorkday, seconds } = hour.weekdays[weekday]!;
  if (!isWorkday) return 0;
  if (hasDailyHours(hour)) return seconds;
  const period = hour.is_week ? { weekdays: week, position: weekday } : monthOf(date, weekday);
  const before = workdaysAmong(period.weekdays.slice(0, period.position), hour).length;
  return shareOf(spreadSeconds(hour), before, workdaysAmong(period.weekdays, hour).length);
}

const hasDailyHours = ({ per_day, weekdays }: WeeklyTargetHour): boolean =>
  per_day || weekdays.some(({ isWorkday, seconds }) => isWorkday && seconds > 0);

/** The seconds to spread over a week or a month, where no weekday has hours of its own. */
const spreadSeconds = ({ is_week, weekSeconds, is_month, monthSeconds }: WeeklyTargetHour): number =>
  is_week ? weekSeconds : is_month ? monthSeconds : 0;

/** Whole seconds, rounded down. The last workday takes the remainder. */
function shareOf(seconds: number, workdaysBefore: number, workdays: number): number {
  const share = Math.floor(seconds / workdays);
  return workdaysBefore === workdays - 1 ? seconds - share * workdaysBefore : share;
}

/** The weekdays of the days of a month, and the position of a date among them. */
function monthOf(date: LocalDate, weekday: number): { weekdays: number[]; position: number } {
  const position = dayOfMonth(date) - 1;
  // Five weeks more, so that the weekday of the first day is no negative number.
  const weekdays = Array.from({ length: daysInMonth(date) }, (_, index) => (weekday + 35 + index - position) % 7);
  return { weekdays, position };
}

const workdaysAmong = (weekdays: readonly number[], hour: WeeklyTargetHour): number[] =>
  weekdays.filter((weekday) => hour.weekdays[weekday]!.isWorkday);
