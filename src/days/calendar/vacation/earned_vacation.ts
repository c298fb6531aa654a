import { partsOfDays, wholeDay } from '../amounts.ts';
import { fullMonthsIn, type LocalDate } from '../dates.ts';
import { twoDecimals } from '../rounding.ts';
import { targetHourOf, workingDaysPerWeek, type TargetPlan } from '../target_of_day.ts';

/* The vacation that a user earns in a year. */

export interface EarnedVacation {
  /** The full months of work in the year, 12 for the whole year. */
  readonly months: number;
  readonly workingDaysPerWeek: number;
  readonly days: number;
}

/**
 * The vacation days of a user for a year in which a whole year with five working days a week earns `fullDays`. They are rounded
 * once, at the end: a fraction of at least half a day up to the next day, a smaller one to two decimals.
 */
export function earnedVacation(
  { year, fullDays }: { readonly year: number; readonly fullDays: number },
  plan: TargetPlan & { readonly start_of_work: LocalDate | null },
): EarnedVacation {
  const [newYear, lastDay] = [`${year}-01-01`, `${year}-12-31`];
  const joined = plan.start_of_work ?? plan.start_of_accounting;
  const from = joined > newYear ? joined : newYear;
  const to = plan.end_of_contract !== null && plan.end_of_contract < lastDay ? plan.end_of_contract : lastDay;
  const months = fullMonthsIn({ from, to });
  // Accounting may start later than work. The first target hour then tells how many days a week the user works.
  const hour = targetHourOf(plan, from) ?? plan.target_hours[0];
  const { workdays, divisor } = hour ? workingDaysPerWeek(hour) : { workdays: 0, divisor: 1 };
  return {
    months,
    workingDaysPerWeek: twoDecimals(workdays, [divisor]),
    days: rounded(partsOfDays(fullDays) * months * workdays, wholeDay * 12 * divisor * 5),
  };
}

/** The quotient of two whole numbers: a fraction of at least a half is rounded up, a smaller one is kept. */
function rounded(dividend: number, divisor: number): number {
  const rest = dividend % divisor;
  return rest * 2 >= divisor ? (dividend - rest) / divisor + 1 : twoDecimals(dividend, [divisor]);
}
