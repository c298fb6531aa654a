import type { AbsenceAmount } from '../calendar/absence_days.ts';
import type { LedgerDay } from '../calendar/day_ledger.ts';
import type { LedgerTotals } from '../calendar/ledger_totals.ts';
import type { NightAndHolidayWork } from '../calendar/night_and_holiday_work.ts';

/** The sums of a time account over a range of days, in seconds. */
export interface Sums {
  readonly totals: LedgerTotals;
  readonly nightAndHoliday: NightAndHolidayWork;
  /** The confirmed absences of each type. */
  readonly absences: readonly AbsencesOfType[];
}

export interface AbsencesOfType extends AbsenceAmount {
  readonly typeId: number;
}

/** A day of a closed month, with everything that is shown of it. It is stored as JSON. */
export interface ClosedDay extends LedgerDay, Omit<Sums, 'totals'> {
  /** The absence that gives the vacation credit. */
  readonly vacationId: number | null;
  /** When something of the day was last changed before the closing: an ISO time. */
  readonly changedAt: string;
}
