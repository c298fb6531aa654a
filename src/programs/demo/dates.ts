import { addDays, weekdayOf } from '../../days/calendar/dates.ts';
import { localDay } from '../../platform/core/time.ts';

/*
 * The dates of the demo organisation count from the week in which it is created. So the samples of the reference can name them.
 */

/** The Monday of the week. */
export function mondayOf(now: Date, zone: string): string {
  const today = localDay(now, zone);
  return addDays(today, -weekdayOf(today));
}
