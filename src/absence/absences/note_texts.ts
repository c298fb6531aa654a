import { localDay, localForm } from '../../platform/core/time.ts';
import type { AbsenceSpan, Amount } from '../../days/balance/measure_absence.ts';

/* The texts about absences in notes and notifications. */

interface Measured extends AbsenceSpan, Amount {
  readonly full_day: boolean;
}

/** `2026-07-06 to 2026-07-17`, or `2026-07-06 08:00 to 12:00` */
export function spanInWords({ starts_at, ends_at, full_day }: Omit<Measured, keyof Amount>, zone: string): string {
  const [firstDay, lastDay] = [localDay(starts_at, zone), localDay(ends_at, zone)];
  if (full_day) return firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;
  const [start, end] = [starts_at, ends_at].map((time) => localForm(time, zone).slice(11, 16));
  return firstDay === lastDay ? `${firstDay} ${start} to ${end}` : `${firstDay} ${start} to ${lastDay} ${end}`;
}

/** `2026-07-06 to 2026-07-17, 10 days, 80 hours` */
export const absenceInWords = (absence: Measured, zone: string): string =>
  `${spanInWords(absence, zone)}, ${counted(absence.days, 'day')}, ${counted(absence.hours, 'hour')}`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
