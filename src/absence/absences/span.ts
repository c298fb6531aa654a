import type { LocalDate } from '../../days/calendar/dates.ts';
import type { Problem } from '../../platform/core/errors.ts';
import {
  endOfLocalDay,
  isDay,
  localDay,
  localForm,
  oneYearAfter,
  parseTime,
  startOfLocalDay,
} from '../../platform/core/time.ts';
import { spanOfDates, type AbsenceSpan } from '../../days/balance/measure_absence.ts';
import type { AbsenceRow } from './rows.ts';

/**
 * The start and end that a request gives. A plain day, which the public API takes, starts at its start and ends at its end. An
 * absence of full days consists of the dates of both times in the zone of the sender.
 */
export function spanOf(
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
  { full_day, zone, senderZone = zone }: { full_day: boolean; zone: string; senderZone?: string },
): AbsenceSpan {
  if (!full_day) {
    return {
      starts_at: isDay(starts_at) ? startOfLocalDay(starts_at, zone) : parseTime(starts_at),
      ends_at: isDay(ends_at) ? endOfLocalDay(ends_at, zone) : parseTime(ends_at),
    };
  }
  return spanOfDates({ from: dateIn(starts_at, senderZone), to: dateIn(ends_at, senderZone) }, zone);
}

/** The zone in which the public API shows an absence: its own, otherwise that of its user. */
export const publicZone = ({ time_zone, user_time_zone }: Pick<AbsenceRow, 'time_zone' | 'user_time_zone'>): string =>
  time_zone ?? user_time_zone;

/** The times of an absence as the public API shows them. Full days are the same dates in every zone. */
export const publicSpan = (absence: AbsenceRow): AbsenceSpan =>
  absence.full_day
    ? spanOfDates({ from: absence.first_date, to: absence.last_date }, publicZone(absence))
    : { starts_at: absence.starts_at, ends_at: absence.ends_at };

/** The date that a request means: a plain day, or the day of a time in the zone of the sender. */
export const dateIn = (text: string, senderZone: string): LocalDate =>
  isDay(text) ? text : localDay(parseTime(text), senderZone);

/** An absence ends after it starts, and at most one year later. */
export function absenceSpanProblems({ starts_at, ends_at }: AbsenceSpan, zone: string): Problem[] {
  const [start, end] = [localForm(starts_at, zone), localForm(ends_at, zone)];
  if (ends_at <= starts_at)
    return [
      {
        code: 'out_of_range',
        pointer: 'ends_at',
        title: `ends_at must be after starts_at (${start}), but was ${end}.`,
      },
    ];
  if (ends_at > oneYearAfter(starts_at, zone))
    return [
      {
        code: 'out_of_range',
        pointer: 'ends_at',
        title: `ends_at must be at most one year after starts_at (${start}), but was ${end}.`,
      },
    ];
  return [];
}
