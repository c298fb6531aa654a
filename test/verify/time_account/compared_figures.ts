import { absenceDays } from '../../../src/days/calendar/absence_days.ts';
import { absenceTotal, vacationByDate, type AbsenceDayOfKind } from '../../../src/days/calendar/absence_totals.ts';
import type { AbsenceOfDay } from '../../../src/days/calendar/credits_of_day.ts';
import { withOwnHolidays } from '../../../src/days/calendar/holidays.ts';
import { nightAndHolidayWork, workedSpans } from '../../../src/days/calendar/night_and_holiday_work.ts';
import { earnedVacation } from '../../../src/days/calendar/vacation/earned_vacation.ts';
import { spendVacation } from '../../../src/days/calendar/vacation/entitlement_spending.ts';
import { vacationSummary } from '../../../src/days/calendar/vacation/vacation_summary.ts';
import { workedSeconds } from '../../../src/days/calendar/worked_time.ts';
import { dayLedger, workByDate } from '../../support/ledger.ts';
import { absenceRows } from './oracle_days.ts';
import { ledgerRows, watchedWork } from './oracle_ledger.ts';
import { costByDate, monthsWorked, payInCoins, summaryOn, totalIn } from './oracle_vacation.ts';
import type { Scenario } from './scenarios.ts';

/* All figures of a scenario, in the same shape from the service and from the oracle. */

/** The figures that the service computes. */
export function computed({ person, range, zone, anchor, trackings, entitlements, ...scenario }: Scenario) {
  const calendar = { ...person, holidays: withOwnHolidays(person.calendarHolidays, person.ownHolidays) };
  const rows = rowsOf(scenario.absences, (absence) => absenceDays(absence, calendar));
  const { confirmed, pending } = byState(rows);
  const finished = trackings.map((tracking) => {
    const { net, pause } = workedSeconds(tracking, tracking.ends_at);
    return { ...tracking, net, breaks: pause };
  });
  const account = {
    calendar,
    initialBalance: scenario.initialBalance,
    work: workByDate(finished, zone),
    absences: byDate(confirmed),
    entries: byDate(scenario.entries),
  };
  return {
    rows,
    total: absenceTotal(rows, range),
    ledger: dayLedger(account, range),
    work: nightAndHolidayWork(trackings.flatMap(workedSpans), { zone, holidays: calendar.holidays }),
    charges: spendVacation(entitlements, vacationByDate(confirmed)),
    summary: vacationSummary({ entitlements, confirmed, pending }, anchor),
    months: earnedVacation({ year: yearOf(anchor), fullDays: 30 }, person).months,
  };
}

/** The figures that the oracle computes. */
export function found(scenario: Scenario): ReturnType<typeof computed> {
  const { person, range, anchor, entitlements } = scenario;
  const rows = rowsOf(scenario.absences, (absence) => absenceRows(absence, person));
  const { confirmed, pending } = byState(rows);
  return {
    rows,
    total: totalIn(rows, range),
    ledger: ledgerRows(scenario, byDate(confirmed)),
    work: watchedWork(scenario),
    charges: payInCoins(entitlements, costByDate(confirmed)),
    summary: summaryOn({ entitlements, confirmed, pending }, anchor),
    months: monthsWorked(person, yearOf(anchor)),
  };
}

type Absence = Scenario['absences'][number];
type Row = AbsenceDayOfKind & AbsenceOfDay & { readonly isConfirmed: boolean };

const rowsOf = (
  absences: readonly Absence[],
  measure: (absence: Absence) => readonly { date: string; seconds: number; parts: number }[],
): Row[] =>
  absences.flatMap((absence) =>
    measure(absence).map((row) => ({ ...row, id: absence.id, kind: absence.kind, isConfirmed: absence.isConfirmed })),
  );

const byState = (rows: readonly Row[]): { confirmed: Row[]; pending: Row[] } => ({
  confirmed: rows.filter(({ isConfirmed }) => isConfirmed),
  pending: rows.filter(({ isConfirmed, kind }) => !isConfirmed && kind === 'vacation'),
});

function byDate<Item extends { readonly date: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(item.date, [...(groups.get(item.date) ?? []), item]);
  return groups;
}

const yearOf = (date: string): number => Number(date.slice(0, 4));
