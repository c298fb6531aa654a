import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  daysShown,
  partsOfDays,
  secondsOfHours,
  spread,
  sumOf,
  wholeQuotient,
} from '../../../src/days/calendar/amounts.ts';
import { daysInMonth, weekdayOf } from '../../../src/days/calendar/dates.ts';
import { hoursOf } from '../../../src/days/calendar/worked_time.ts';

describe('amounts', () => {
  it('are whole numbers of what a request gives, by its decimal digits', () => {
    expect([7.7, 2.135, 0.3333, -1.5].map(secondsOfHours)).toEqual([27_720, 7686, 1200, -5400]);
    expect([1, 0.5, 0.6667, 0.00005].map(partsOfDays)).toEqual([10_000, 5000, 6667, 1]);
  });

  it('are shown with two decimals, half away from zero', () => {
    expect([6667, 50, 49, -50].map(daysShown)).toEqual([0.67, 0.01, 0, -0.01]);
    expect(hoursOf(7686)).toBe(2.14);
  });
});

describe('the quotient of whole numbers', () => {
  it('is rounded half away from zero', () => {
    expect([3, 5, -3, -5, 0].map((dividend) => wholeQuotient(dividend, 2))).toEqual([2, 3, -2, -3, 0]);
    expect([wholeQuotient(-3, -2), wholeQuotient(1, 3), wholeQuotient(-1, 3)]).toEqual([2, 0, 0]);
  });

  it('is exact for large numbers', () => {
    const large = fc.integer({ min: -(2 ** 51), max: 2 ** 51 });
    fc.assert(
      fc.property(large, fc.integer({ min: 1, max: 2 ** 40 }), (dividend, divisor) => {
        const [above, below] = [BigInt(Math.abs(dividend)), BigInt(divisor)];
        const isUp = (above % below) * 2n >= below;
        expect(Math.abs(wholeQuotient(dividend, divisor))).toBe(Number(above / below + (isUp ? 1n : 0n)));
      }),
    );
  });
});

describe('an amount that is spread', () => {
  it('is the sum of its shares, none of which is negative or on a place without weight', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 86_400 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 8 }), weights, (amount, places) => {
        const shares = spread(amount, places);
        expect(sumOf(shares, (share) => share)).toBe(amount);
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        const hasWeight = places.some((weight) => weight > 0);
        if (hasWeight) expect(shares.every((share, index) => share === 0 || places[index]! > 0)).toBe(true);
      }),
    );
  });
});

describe('dates', () => {
  it('have weekdays, also before 1970', () => {
    // A Monday, a Sunday, a Thursday, a Wednesday and a Monday.
    const dates = ['2026-05-04', '2026-05-10', '1970-01-01', '1969-12-31', '1900-01-01'];
    expect(dates.map(weekdayOf)).toEqual([0, 6, 3, 2, 0]);
  });

  it('have months with leap days', () => {
    expect(['2024-02-01', '2026-02-28', '2100-02-01', '2000-02-01', '2026-12-31'].map(daysInMonth)).toEqual([
      29, 28, 28, 29, 31,
    ]);
  });
});
