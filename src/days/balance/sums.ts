import { absenceTotal } from '../calendar/absence_totals.ts';
import { sumOf } from '../calendar/amounts.ts';
import { isInRange, type DateRange } from '../calendar/dates.ts';
import { dayLedgerAfter } from '../calendar/day_ledger.ts';
import { ledgerTotals } from '../calendar/ledger_totals.ts';
import type { ClosedSpan } from '../calendar/local_pieces.ts';
import { nightAndHolidayWork, workedSpans, type NightAndHolidayWork } from '../calendar/night_and_holiday_work.ts';
import { noWork } from '../calendar/work_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { DaysOfAccount } from './account_in_range.ts';
import type { AbsencesOfType, Sums } from './period_sums.ts';

/** Sums up a range of days, given the breaks of each time tracking. */
export function sumsOf(
  { days, account, work, absences, closed }: DaysOfAccount,
  range: DateRange,
  breaks: ReadonlyMap<number, readonly ClosedSpan[]>,
): Sums {
  const inRange = [...closed.values()].filter(({ date }) => isInRange(date, range));
  const spans = work
    .filter(({ date }) => isInRange(date, range))
    .flatMap((tracking) => workedSpans({ ...tracking, breaks: breaks.get(tracking.trackingId) ?? [] }));
  const byType = groupBy(
    absences.filter(({ date }) => isInRange(date, range)),
    ({ absence_type_id }) => absence_type_id,
  );
  const open = nightAndHolidayWork(spans, { zone: days.zone, holidays: days.calendar.holidays });
  return {
    totals: ledgerTotals(dayLedgerAfter(account, range, noWork.worked)),
    nightAndHoliday: addNightAndHoliday([open, ...inRange.map(({ nightAndHoliday }) => nightAndHoliday)]),
    absences: addAbsences([
      ...[...byType].map(([typeId, dates]) => ({ typeId, ...absenceTotal(dates, range) })),
      ...inRange.flatMap((day) => day.absences),
    ]),
  };
}

const addNightAndHoliday = (parts: readonly NightAndHolidayWork[]): NightAndHolidayWork => ({
  nightFrom23: sumOf(parts, ({ nightFrom23 }) => nightFrom23),
  nightFrom20: sumOf(parts, ({ nightFrom20 }) => nightFrom20),
  sunday: sumOf(parts, ({ sunday }) => sunday),
  holiday: sumOf(parts, ({ holiday }) => holiday),
});

/** One amount for each type, in the order of their ids. No date is in two of the parts. */
const addAbsences = (parts: readonly AbsencesOfType[]): AbsencesOfType[] =>
  [...groupBy(parts, ({ typeId }) => typeId)]
    .toSorted(([one], [other]) => one - other)
    .map(([typeId, amounts]) => ({
      typeId,
      seconds: sumOf(amounts, ({ seconds }) => seconds),
      parts: sumOf(amounts, (amount) => amount.parts),
    }));
