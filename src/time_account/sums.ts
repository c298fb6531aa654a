import { absenceTotal } from '../calendar/absence_totals.ts';
import type { AbsenceAmount } from '../calendar/absence_days.ts';
import { isInRange, type DateRange } from '../calendar/dates.ts';
import { dayLedgerAfter } from '../calendar/day_ledger.ts';
import { ledgerTotals, type LedgerTotals } from '../calendar/ledger_totals.ts';
import { localDateOf, type TimeSpan } from '../calendar/local_pieces.ts';
import { nightAndHolidayWork, workedSpans, type NightAndHolidayWork } from '../calendar/night_and_holiday_work.ts';
import type { Figures } from '../calendar/work_of_day.ts';
import { groupBy } from '../core/group_by.ts';
import type { DaysOfAccount } from './account_in_range.ts';

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

/** Sums up a range of days, given the balance at its beginning and the breaks of each time tracking. */
export function sumsOf(
  { days, account, work, absences }: DaysOfAccount,
  range: DateRange,
  opening: Figures,
  breaks: ReadonlyMap<number, readonly TimeSpan[]>,
): Sums {
  const spans = work
    .filter(({ starts_at }) => isInRange(localDateOf(starts_at, days.zone), range))
    .flatMap((tracking) => workedSpans({ ...tracking, breaks: breaks.get(tracking.trackingId) ?? [] }));
  const byType = groupBy(
    absences.filter(({ date }) => isInRange(date, range)),
    ({ absence_type_id }) => absence_type_id,
  );
  return {
    totals: ledgerTotals(dayLedgerAfter(account, range, opening)),
    nightAndHoliday: nightAndHolidayWork(spans, { zone: days.zone, holidays: days.calendar.holidays }),
    absences: [...byType]
      .toSorted(([one], [other]) => one - other)
      .map(([typeId, dates]) => ({ typeId, ...absenceTotal(dates, range) })),
  };
}
