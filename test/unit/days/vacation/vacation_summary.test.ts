import { describe, expect, it } from 'vitest';
import { absenceDays, type AbsenceKind } from '../../../../src/days/calendar/absence_days.ts';
import { vacationByDate, type AbsenceDayOfKind } from '../../../../src/days/calendar/absence_totals.ts';
import { daysShown, partsOfDays } from '../../../../src/days/calendar/amounts.ts';
import {
  spendVacation,
  spentOf,
  type VacationEntitlement,
} from '../../../../src/days/calendar/vacation/entitlement_spending.ts';
import {
  transferredTo,
  vacationSummary,
  wholeDaysLeft,
} from '../../../../src/days/calendar/vacation/vacation_summary.ts';
import { calendarOf } from '../calendars.ts';

const entitlement = (id: number, year: number, days: number, other: Partial<VacationEntitlement> = {}) => ({
  id,
  starts_at: `${year}-01-01`,
  ends_at: `${year}-12-31`,
  plannedParts: partsOfDays(days),
  expires: true,
  transfer_remaining: false,
  end_of_transfer_period: null,
  ...other,
});
const transferable = (id: number, year: number, days: number) =>
  entitlement(id, year, days, { transfer_remaining: true, end_of_transfer_period: `${year + 1}-03-31` });

const off = (kind: AbsenceKind, from: string, to: string, isHalf = false): AbsenceDayOfKind[] =>
  absenceDays({ full_day: true, dates: { from, to }, half_start: isHalf, half_end: false, kind }, calendarOf()).map(
    (day) => ({ ...day, kind }),
  );
const vacation = (from: string, to: string, isHalf = false) => off('vacation', from, to, isHalf);

const summaryOf = (
  entitlements: VacationEntitlement[],
  confirmed: AbsenceDayOfKind[],
  date: string,
  pending: AbsenceDayOfKind[] = [],
) => {
  const summary = vacationSummary({ entitlements, confirmed, pending }, date);
  return Object.fromEntries(Object.entries(summary).map(([name, parts]) => [name, daysShown(parts)]));
};
const spentDays = (entitlements: VacationEntitlement[], confirmed: AbsenceDayOfKind[]): number[] => {
  const charges = spendVacation(entitlements, vacationByDate(confirmed));
  return entitlements.map(({ id }) => daysShown(spentOf(charges, id)));
};

describe('spending', () => {
  it('takes from last year first while that is transferred', () => {
    const both = [entitlement(2, 2026, 30), transferable(1, 2025, 10)];
    expect(spentDays(both, vacation('2026-02-02', '2026-02-06'))).toEqual([0, 5]);
    expect(spentDays(both, vacation('2026-04-06', '2026-04-10'))).toEqual([5, 0]);
  });

  it('overflows into the next one, splitting a day', () => {
    const both = [transferable(1, 2025, 3.5), entitlement(2, 2026, 30)];
    expect(spentDays(both, vacation('2026-02-02', '2026-02-06'))).toEqual([3.5, 1.5]);
    const charges = spendVacation(both, vacationByDate(vacation('2026-02-02', '2026-02-06')));
    expect(charges.filter(({ date }) => date === '2026-02-05')).toEqual([
      { date: '2026-02-05', entitlementId: 1, parts: 5000 },
      { date: '2026-02-05', entitlementId: 2, parts: 5000 },
    ]);
  });

  it('takes no more from an entitlement than it has', () => {
    const short = [entitlement(1, 2026, 4.5)];
    expect(spentDays(short, vacation('2026-05-04', '2026-05-12'))).toEqual([4.5]);
    expect(summaryOf(short, vacation('2026-05-04', '2026-05-12'), '2026-06-01')).toMatchObject({
      remaining: 0,
      taken: 7,
      uncovered: 2.5,
    });
  });

  it('costs nothing on dates with sickness: 10 days with 3 sick ones cost 7', () => {
    const days = [...vacation('2026-05-04', '2026-05-17'), ...off('sickness', '2026-05-06', '2026-05-08')];
    expect(spentDays([entitlement(1, 2026, 30)], days)).toEqual([7]);
  });

  it('costs a date once, with the larger of two', () => {
    const days = [...vacation('2026-05-04', '2026-05-04', true), ...vacation('2026-05-04', '2026-05-05')];
    expect(spentDays([entitlement(1, 2026, 30)], days)).toEqual([2]);
  });

  it('takes last from what never lapses, and from there whenever it starts', () => {
    const endless = entitlement(1, 2024, 10, { expires: false });
    expect(spentDays([endless, entitlement(2, 2026, 1)], vacation('2026-05-04', '2026-05-06'))).toEqual([2, 1]);
    expect(spentDays([endless], vacation('2023-12-29', '2024-01-02'))).toEqual([2]);
  });

  it('takes from the smaller id where all dates are equal', () => {
    expect(spentDays([entitlement(2, 2026, 5), entitlement(1, 2026, 5)], vacation('2026-05-04', '2026-05-05'))).toEqual(
      [0, 2],
    );
  });

  it('lapses at its end without a transfer, and by the transfer whatever `expires` says', () => {
    const march = vacation('2026-03-30', '2026-04-01');
    expect(spentDays([entitlement(1, 2025, 10)], march)).toEqual([0]);
    expect(spentDays([{ ...transferable(1, 2025, 10), expires: false }], march)).toEqual([2]);
    expect(spentDays([{ ...transferable(1, 2025, 10), transfer_remaining: false }], march)).toEqual([0]);
  });
});

describe('the summary', () => {
  const years = [transferable(1, 2025, 30), entitlement(2, 2026, 30)];
  const last = vacation('2025-07-07', '2025-08-01');
  const february = vacation('2026-02-02', '2026-02-06');

  it('has what is left of last year, until it lapses', () => {
    const days = [...last, ...february];
    expect(summaryOf(years, days, '2026-01-15')).toEqual({
      planned: 30,
      remaining: 35,
      transferred: 10,
      lapsed: 0,
      taken: 0,
      booked: 5,
      requested: 0,
      uncovered: 0,
    });
    expect(summaryOf(years, days, '2026-03-31')).toMatchObject({ remaining: 35, taken: 5, booked: 0, lapsed: 0 });
    expect(summaryOf(years, days, '2026-04-01')).toMatchObject({ remaining: 30, transferred: 10, lapsed: 5 });
    expect(summaryOf(years, days, '2027-01-01')).toMatchObject({
      planned: 0,
      remaining: 0,
      transferred: 0,
      lapsed: 30,
    });
  });

  it('shows what an entitlement has received once the earlier one has ended', () => {
    const charges = spendVacation(years, vacationByDate([...last, ...february]));
    expect([...transferredTo(years, charges, '2026-02-15')]).toEqual([
      [1, 0],
      [2, partsOfDays(10)],
    ]);
    expect(transferredTo(years, charges, '2025-12-31').get(2)).toBe(0);
  });

  it('counts requested days that confirmed ones do not cover, and no sick ones', () => {
    const confirmed = [...vacation('2026-05-04', '2026-05-05', true), ...off('sickness', '2026-05-06', '2026-05-06')];
    const requested = vacation('2026-05-04', '2026-05-08');
    expect(summaryOf(years, confirmed, '2026-05-01', requested)).toMatchObject({ booked: 1.5, requested: 2.5 });
  });

  it('is exact, and rounded down to whole days for users', () => {
    const summary = vacationSummary(
      { entitlements: [entitlement(1, 2026, 2.5)], confirmed: vacation('2026-05-04', '2026-05-04', true), pending: [] },
      '2026-05-01',
    );
    expect([summary.remaining, wholeDaysLeft(summary)]).toEqual([20_000, 2]);
    expect(wholeDaysLeft({ ...summary, remaining: 19_999 })).toBe(1);
  });
});
