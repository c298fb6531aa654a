import { addDays, weekdayOf, type LocalDate } from '../../days/calendar/dates.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import { averagedWeeks, averageLimit, limitsOn } from './rules.ts';
import { completing, violation, type JudgedUser, type Violation } from './violation.ts';
import { sumOfSeconds, type Part, type WorkingDay } from './working_days.ts';

/* The rules about calendar weeks, Monday to Sunday. A working day belongs to the week of its date. */

export const mondayOf = (date: LocalDate): LocalDate => addDays(date, -weekdayOf(date));

/** The violations of each week on its own. */
export const weekViolations = (days: readonly WorkingDay[], user: JudgedUser): Violation[] =>
  [...groupBy(days, ({ date }) => mondayOf(date))].flatMap(([monday, week]) => longWeek(monday, week, user));

/** The limit is that of the first day with which the work of the week exceeds the limit of that day. */
function longWeek(monday: LocalDate, week: readonly WorkingDay[], { birthday }: JudgedUser): Violation[] {
  let sum = 0;
  const day = week.find(({ date, net }) => (sum += net) > limitsOn(date, birthday).week.seconds);
  if (!day) return [];
  const limit = limitsOn(day.date, birthday).week;
  const parts = week.flatMap((other) => other.parts);
  return [
    violation('long_week', monday, limit, { by: completing(parts, limit.seconds), value: sumOfSeconds(parts), parts }),
  ];
}

/** The violations of the average of the weeks that end with each of these weeks. */
export function averageViolations(
  days: readonly WorkingDay[],
  { startOfAccounting }: JudgedUser,
  mondays: readonly LocalDate[],
): Violation[] {
  const weeks = groupBy(days, ({ date }) => mondayOf(date));
  return mondays.flatMap((monday) => {
    const first = addDays(monday, -7 * (averagedWeeks - 1));
    if (first < startOfAccounting) return [];
    const parts: Part[] = [];
    for (let week = first; week <= monday; week = addDays(week, 7))
      for (const day of weeks.get(week) ?? []) parts.push(...day.parts);
    const sum = sumOfSeconds(parts);
    const most = averagedWeeks * averageLimit.seconds;
    if (sum <= most) return [];
    const found = violation('long_average', monday, averageLimit, { by: completing(parts, most), value: sum, parts });
    // Rounded up, so that the value is above the limit.
    const perWeek = (seconds: number): number => Math.ceil(seconds / averagedWeeks);
    return [{ ...found, valueSeconds: perWeek(sum), elsewhereSeconds: perWeek(found.elsewhereSeconds) }];
  });
}
