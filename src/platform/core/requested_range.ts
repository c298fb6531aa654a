import { invalid } from './errors.ts';
import { endOfLocalDay, isDay, parseTime, startOfLocalDay } from './time.ts';

/*
 * A range that a request of the public API asks for, from `range_start` to `range_end`: ISO times, or plain days, which both
 * belong to the range. A plain day is a local day of the record's workspace.
 */

/** Refuses a range that ends before it starts. A day and a time cannot be compared without a zone. */
export function requireOrder(range_start: string, range_end: string): void {
  if (isDay(range_start) === isDay(range_end) && startOf(range_end) < startOf(range_start))
    throw invalid(
      'out_of_range',
      'range_end',
      `range_end must not lie before range_start, which is ${range_start}, but was ${range_end}.`,
    );
}

/** The beginning of a range, in whole seconds, where a plain day is one of UTC. */
export const startOf = (text: string): Date => (isDay(text) ? new Date(text) : parseTime(text));

/** The first moment of a range. */
export const firstMoment = (range_start: string, zone: string): Date =>
  isDay(range_start) ? startOfLocalDay(range_start, zone) : parseTime(range_start);

/** The last second of a range. */
export const lastMoment = (range_end: string, zone: string): Date =>
  isDay(range_end) ? endOfLocalDay(range_end, zone) : parseTime(range_end);
