import type { AbsenceKind } from '../calendar/absence_days.ts';
import type { LocalDate } from '../calendar/dates.ts';
import type { TimeAccount } from '../calendar/day_ledger.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import type { ClosedDay } from './period_sums.ts';
import type { FinishedWork } from './finished_work.ts';
import type { UserDays } from './user_days.ts';

/** The time account of a user on some days. It tells nothing of balances. */
export interface DaysOfAccount {
  readonly days: UserDays;
  readonly account: TimeAccount;
  /** The work and the absences of open days. */
  readonly work: readonly DatedWork[];
  readonly absences: readonly ConfirmedDay[];
  readonly closed: ReadonlyMap<LocalDate, ClosedDay>;
}

/** The same with the balance at the beginning of a range of days. */
export interface AccountInRange extends DaysOfAccount {
  readonly opening: Figures;
}

/** Finished work and the day of the user that it belongs to. */
export interface DatedWork extends FinishedWork {
  readonly date: LocalDate;
}

/** The part of one day that a confirmed absence takes. */
export interface ConfirmedDay {
  readonly id: number;
  readonly user_id: number;
  readonly absence_type_id: number;
  readonly kind: AbsenceKind;
  readonly date: LocalDate;
  readonly seconds: number;
  readonly parts: number;
}
