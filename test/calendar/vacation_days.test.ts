import { describe, expect, it } from 'vitest';
import {
  remainingDays,
  spentByEntitlement,
  type Entitlement,
  type Vacation,
} from '../../src/calendar/vacation_days.ts';

const entitlement = (
  id: number,
  starts_at: string,
  ends_at: string,
  planned_days = 28,
  transferred_days = 0,
): Entitlement => ({
  id,
  starts_at,
  ends_at,
  planned_days,
  transferred_days,
});
const vacation = (first: string, last: string, days: number): Vacation => ({
  starts_at: new Date(`${first}T00:00:00+02:00`),
  ends_at: new Date(`${last}T23:59:59+02:00`),
  days,
  zone: 'Europe/Berlin',
});
const year = entitlement(1, '2026-01-01', '2026-12-31');
const week = vacation('2026-07-06', '2026-07-10', 5);

describe('spentByEntitlement', () => {
  it('counts the days inside', () => {
    expect(spentByEntitlement([year], [week, vacation('2026-08-03', '2026-08-04', 2)]).get(1)).toBe(7);
  });

  it('counts only the part of an absence that lies inside', () => {
    expect(spentByEntitlement([entitlement(1, '2026-07-08', '2026-12-31')], [week]).get(1)).toBe(3);
    expect(spentByEntitlement([entitlement(1, '2027-01-01', '2027-12-31')], [week]).get(1)).toBe(0);
  });

  it('counts a day in two entitlements in the one that ends first', () => {
    const extra = entitlement(2, '2026-07-01', '2026-07-08');
    expect([...spentByEntitlement([year, extra], [week])]).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it('breaks a tie of ends by the earlier start, then by the lower id', () => {
    expect([...spentByEntitlement([entitlement(2, '2026-01-01', '2026-12-31'), year], [week])]).toEqual([
      [2, 0],
      [1, 5],
    ]);
    expect(spentByEntitlement([year, entitlement(2, '2025-01-01', '2026-12-31')], [week]).get(2)).toBe(5);
  });

  it('counts a day once where absences overlap', () => {
    expect(spentByEntitlement([year], [week, week, vacation('2026-07-10', '2026-07-10', 1)]).get(1)).toBe(5);
  });

  it('adds half days of one date up to a day', () => {
    const half = vacation('2026-07-06', '2026-07-06', 0.5);
    expect(spentByEntitlement([year], [half]).get(1)).toBe(0.5);
    expect(spentByEntitlement([year], [half, half]).get(1)).toBe(1);
    expect(spentByEntitlement([year], [half, half, half]).get(1)).toBe(1);
  });

  it('takes numbers given by hand as they are', () => {
    expect(spentByEntitlement([year], [vacation('2026-07-06', '2026-07-10', 4)]).get(1)).toBe(4);
    expect(spentByEntitlement([year], [vacation('2026-07-06', '2026-07-06', 3)]).get(1)).toBe(3);
    expect(spentByEntitlement([year], [vacation('2026-07-06', '2026-07-08', 1)]).get(1)).toBe(1);
  });

  it('is empty without entitlements', () => {
    expect([...spentByEntitlement([], [week])]).toEqual([]);
  });
});

describe('remainingDays', () => {
  it('is planned and transferred less spent', () => {
    expect(remainingDays([entitlement(1, '2026-01-01', '2026-12-31', 28, 2)], [week], 2026)).toBe(25);
  });

  it('rounds down, and never goes below none', () => {
    expect(remainingDays([year], [vacation('2026-07-06', '2026-07-06', 0.5)], 2026)).toBe(27);
    expect(remainingDays([entitlement(1, '2026-01-01', '2026-12-31', 3)], [week], 2026)).toBe(0);
    expect(remainingDays([], [week], 2026)).toBe(0);
  });

  it('takes the entitlements that overlap the year, and no others', () => {
    const school = entitlement(2, '2025-08-01', '2026-07-31', 10);
    expect(remainingDays([entitlement(3, '2025-01-01', '2025-12-31', 10), school, year], [], 2026)).toBe(38);
    expect(remainingDays([school, year], [week], 2026)).toBe(33);
    expect(remainingDays([school, year], [], 2027)).toBe(0);
  });

  it('is not a day short for a sum of fractions', () => {
    expect(
      remainingDays(
        [entitlement(1, '2026-01-01', '2026-12-31', 1.1), entitlement(2, '2026-01-01', '2026-12-31', 1.9)],
        [],
        2026,
      ),
    ).toBe(3);
  });
});
