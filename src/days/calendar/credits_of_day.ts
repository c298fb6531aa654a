import { wholeQuotient } from './amounts.ts';
import type { AbsenceKind } from './absence_days.ts';
import type { CalendarDay } from './calendar_day.ts';

/** A confirmed absence on one day. */
export interface AbsenceOfDay {
  readonly id: number;
  readonly kind: AbsenceKind;
  readonly seconds: number;
}

/** The seconds that the absences of a day count. */
export interface AbsenceCredits {
  readonly sickness: number;
  readonly special: number;
  readonly vacation: number;
  /** Unpaid leave lowers the target by this. */
  readonly unpaid: number;
  /** Time off in lieu. It credits nothing, so that it uses up the balance. */
  readonly overtime: number;
}

const noCredits: AbsenceCredits = { sickness: 0, special: 0, vacation: 0, unpaid: 0, overtime: 0 };

/**
 * Credits the absences of a day. Of two of one kind the larger counts. Together they credit at most the open target, less the
 * unpaid leave: sickness first, then special leave, then vacation. Only a vacation day with hours of its own may exceed that.
 */
export function creditsOfDay(
  { openTarget, vacationSeconds }: Pick<CalendarDay, 'openTarget' | 'vacationSeconds'>,
  absences: readonly AbsenceOfDay[],
): AbsenceCredits {
  if (absences.length === 0) return noCredits;
  const largest = (wanted: AbsenceKind): number =>
    absences.reduce((most, { kind, seconds }) => (kind === wanted ? Math.max(most, seconds) : most), 0);
  const unpaid = Math.min(largest('unpaid'), openTarget);
  const sickness = Math.min(largest('sickness'), openTarget - unpaid);
  const special = Math.min(largest('special'), openTarget - unpaid - sickness);
  const left = openTarget - unpaid - sickness - special;
  // Hours of its own are for a whole day. They shrink with what the others leave of it.
  const mostVacation =
    vacationSeconds > openTarget && left > 0 ? wholeQuotient(left * vacationSeconds, openTarget) : left;
  return {
    sickness,
    special,
    vacation: Math.min(largest('vacation'), mostVacation),
    unpaid,
    overtime: largest('overtime'),
  };
}
