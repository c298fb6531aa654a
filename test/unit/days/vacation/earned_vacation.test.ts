import { describe, expect, it } from 'vitest';
import { fullMonthsIn } from '../../../../src/days/calendar/dates.ts';
import type { TargetHour } from '../../../../src/days/calendar/target_of_day.ts';
import { earnedVacation } from '../../../../src/days/calendar/vacation/earned_vacation.ts';
import { cycle, mondayToFriday, mondayToWednesday, weekend, weekly } from '../calendars.ts';

interface Employment {
  start_of_work?: string;
  start_of_accounting?: string;
  end_of_contract?: string;
}

const earned = (fullDays: number, target: TargetHour, employment: Employment = {}, year = 2026) =>
  earnedVacation(
    { year, fullDays },
    {
      start_of_accounting: '2020-01-01',
      start_of_work: null,
      end_of_contract: null,
      target_hours: [target],
      ...employment,
    },
  );

describe('full months', () => {
  it.each([
    ['2026-01-01', '2026-12-31', 12],
    ['2026-03-15', '2026-04-14', 1],
    ['2026-03-15', '2026-04-13', 0],
    ['2026-01-31', '2026-02-28', 1],
    ['2026-01-31', '2026-02-27', 0],
    ['2024-01-30', '2024-02-28', 0],
    ['2024-01-30', '2024-02-29', 1],
    ['2026-07-02', '2026-12-31', 5],
    ['2026-07-02', '2026-07-01', 0],
    ['2026-07-02', '2026-01-01', 0],
  ])('from %s to %s are %d', (from, to, months) => {
    expect(fullMonthsIn({ from, to })).toBe(months);
  });
});

describe('earned vacation', () => {
  it('is all of it for a whole year with five days a week', () => {
    expect(earned(30, mondayToFriday)).toEqual({ months: 12, workingDaysPerWeek: 5, days: 30 });
  });

  it('is scaled by the working days of a week', () => {
    expect(earned(30, mondayToWednesday).days).toBe(18);
    expect(earned(30, weekend).days).toBe(12);
    expect(earned(30, weekly([0, 0, 0, 0, null, null, null], { is_week: true, weekSeconds: 3600 })).days).toBe(24);
    expect(earned(30, weekly([8, 0, 0, 0, 0, null, null], { per_day: true })).days).toBe(6);
    expect(earned(30, cycle('2020-01-01', 8, 8, 8, 8, 0, 0))).toEqual({
      months: 12,
      workingDaysPerWeek: 4.67,
      days: 28,
    });
  });

  it('is a twelfth for each full month of joiners and leavers', () => {
    expect(earned(30, mondayToFriday, { start_of_work: '2026-07-01' }).days).toBe(15);
    expect(earned(30, mondayToFriday, { start_of_accounting: '2026-07-01' }).days).toBe(15);
    expect(earned(30, mondayToFriday, { start_of_work: '2019-07-01', start_of_accounting: '2026-07-01' }).days).toBe(
      30,
    );
    expect(earned(30, mondayToFriday, { end_of_contract: '2026-04-15' })).toMatchObject({ months: 3, days: 8 });
    expect(earned(30, mondayToFriday, { start_of_work: '2027-01-01' })).toMatchObject({ months: 0, days: 0 });
    expect(earned(30, mondayToFriday, { end_of_contract: '2025-12-31' }).days).toBe(0);
  });

  it('is rounded once, at the end: halves up, smaller fractions kept', () => {
    expect(earned(28, mondayToFriday, { start_of_work: '2026-09-01' }).days).toBe(9.33);
    expect(earned(28, mondayToFriday, { start_of_work: '2026-08-01' }).days).toBe(12);
    expect(earned(25, mondayToFriday, { start_of_work: '2026-07-01' }).days).toBe(13);
    // 24 × 7 ÷ 12 × 3 ÷ 5 is 8.4. Rounded in between it would be another number.
    expect(earned(24, mondayToWednesday, { start_of_work: '2026-06-01' }).days).toBe(8.4);
  });

  it('takes the target hour of 1 January or of joining, and the first where accounting starts later', () => {
    const plan = {
      start_of_accounting: '2026-01-01',
      start_of_work: null,
      end_of_contract: null,
      target_hours: [
        { ...mondayToWednesday, start_date: '2026-01-01' },
        { ...mondayToFriday, start_date: '2026-02-01' },
      ],
    };
    expect(earnedVacation({ year: 2026, fullDays: 30 }, plan).days).toBe(18);
    expect(earnedVacation({ year: 2027, fullDays: 30 }, plan).days).toBe(30);
    expect(earnedVacation({ year: 2025, fullDays: 30 }, { ...plan, start_of_work: '2020-01-01' }).days).toBe(18);
    expect(earnedVacation({ year: 2026, fullDays: 30 }, { ...plan, target_hours: [] }).days).toBe(0);
  });
});
