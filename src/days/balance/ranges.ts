import { dayNumberOf, type DateRange } from '../calendar/dates.ts';
import { refuse } from '../../platform/core/errors.ts';

/** A leap year. */
const mostDays = 366;

/** Refuses a range whose end lies before its start, and one of more than a year. */
export function requireRange({ from, to }: DateRange): void {
  const days = dayNumberOf(to) - dayNumberOf(from) + 1;
  if (days < 1)
    refuse([
      { code: 'out_of_range', pointer: 'to', title: `to must not lie before from, which is ${from}, but was ${to}.` },
    ]);
  if (days > mostDays)
    refuse([
      {
        code: 'out_of_range',
        pointer: 'to',
        title: `to must lie at most ${mostDays} days after from, both days counted, but ${from} to ${to} are ${days} days.`,
      },
    ]);
}
