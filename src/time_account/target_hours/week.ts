import type { components } from '../../../generated/v3.ts';
import { secondsOfHours } from '../../days/calendar/amounts.ts';
import { weekdays } from '../../days/calendar/dates.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { missing, type Problem } from '../../platform/core/errors.ts';

/* A weekly rhythm: hours for each weekday, or hours for the week or the month that are spread over the weekdays. */

export type WeekInput = Partial<components['schemas']['TargetHourUpdate']['data']['attributes']>;

type Weekday = (typeof weekdays)[number];

/** The columns of a weekly rhythm, with hours in seconds. */
export type Week = { readonly [Day in Weekday as `is_${Day}`]: boolean } & {
  readonly [Day in Weekday as `${Day}_s`]: number | null;
} & {
  readonly per_day: boolean;
  readonly is_week: boolean;
  readonly week_s: number | null;
  readonly is_month: boolean;
  readonly month_s: number | null;
};

const ofWeekdays = <Value>(name: (day: Weekday) => string, value: (day: Weekday) => Value) =>
  Object.fromEntries(weekdays.map((day) => [name(day), value(day)]));

/** The attributes of a weekly rhythm in requests. */
export const weekAttributes = [
  ...weekdays,
  ...weekdays.map((day) => `is_${day}` as const),
  'per_day',
  'is_week',
  'week',
  'is_month',
  'month',
] as const;

/** A week before anything is said about it. A free rhythm stores this one. */
export const blankWeek = {
  ...ofWeekdays((day) => `is_${day}`, () => false),
  ...ofWeekdays((day) => `${day}_s`, () => null),
  per_day: true,
  is_week: false,
  week_s: null,
  is_month: false,
  month_s: null,
} as Week; // prettier-ignore

export const hoursOrNull = (seconds: number | null): number | null => (seconds === null ? null : hoursOf(seconds));

/** The week after a change. Hours of the week or the month replace those of the weekdays. */
export function changedWeek(week: Week, input: WeekInput): Week {
  const changed = (name: keyof WeekInput & ('week' | 'month' | Weekday), stored: number | null): number | null => {
    const hours = input[name];
    return hours === undefined ? stored : hours === null ? null : secondsOfHours(hours);
  };
  const is_week = input.is_week ?? week.is_week;
  const is_month = input.is_month ?? week.is_month;
  const asksForSpread = input.is_week === true || input.is_month === true;
  const per_day = input.per_day ?? (asksForSpread ? false : week.per_day);
  const keepsDays = per_day || !(is_week || is_month);
  return {
    ...ofWeekdays((day) => `is_${day}`, (day) => input[`is_${day}`] ?? week[`is_${day}`]),
    ...ofWeekdays((day) => `${day}_s`, (day) => changed(day, keepsDays ? week[`${day}_s`] : null)),
    per_day,
    is_week,
    week_s: changed('week', week.week_s),
    is_month,
    month_s: changed('month', week.month_s),
  } as Week; // prettier-ignore
}

const flaggedDays = (week: Week): Weekday[] => weekdays.filter((day) => week[`is_${day}`]);

/** Whether the hours of the weekdays count, and not those of the week or the month. */
const countsDays = (week: Week): boolean =>
  week.per_day || !(week.is_week || week.is_month) || flaggedDays(week).some((day) => week[`${day}_s`] !== null);

/** The hours that the week adds up to; those of the month where they are given for the month. */
export function weekSeconds(week: Week): number {
  if (!countsDays(week)) return (week.is_week ? week.week_s : week.month_s) ?? 0;
  return flaggedDays(week).reduce((sum, day) => sum + (week[`${day}_s`] ?? 0), 0);
}

/** The problems of a week: missing or contradictory values. */
export function weekProblems(week: Week): Problem[] {
  const days = flaggedDays(week);
  const problems: Problem[] = [];
  if (days.length === 0)
    problems.push({
      code: 'contradiction',
      pointer: 'is_mon',
      title: 'is_mon to is_sun must be true for at least one weekday, but were all false.',
    });
  if (week.is_week && week.is_month)
    problems.push({
      code: 'contradiction',
      pointer: 'is_month',
      title: 'is_month must be false where is_week is true, but was true.',
    });
  if (countsDays(week)) return [...problems, ...days.filter((day) => week[`${day}_s`] === null).map(missing)];
  const name = week.is_week ? 'week' : 'month';
  const seconds = week[`${name}_s`];
  if (seconds === null) return [...problems, missing(name)];
  // A month has each weekday at least four times.
  const greatest = 24 * days.length * (week.is_week ? 1 : 4);
  if (days.length > 0 && hoursOf(seconds) > greatest)
    problems.push({
      code: 'out_of_range',
      pointer: name,
      title: `${name} must be at most ${greatest}, because a day has 24 hours and ${days.length} weekdays are worked, but was ${hoursOf(seconds)}.`,
    });
  return problems;
}
