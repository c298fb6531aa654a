import type { AbsenceAmount } from '../calendar/absence_days.ts';
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
