import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { twoDecimals } from '../../../src/days/calendar/rounding.ts';
import { hoursOf } from '../../../src/days/calendar/worked_time.ts';

/** Hundredths of a fraction, half away from zero, by long division. */
function hundredths(dividend: bigint, divisor: bigint): bigint {
  const [size, by] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const [whole, rest] = [(size * 100n) / by, (size * 100n) % by];
  const rounded = rest * 2n >= by ? whole + 1n : whole;
  return dividend < 0n !== divisor < 0n ? -rounded : rounded;
}

const shown = (value: bigint): number => Number(value) / 100;

describe('twoDecimals', () => {
  it.each([
    [8.165, 8.17],
    [1.005, 1.01],
    [2.675, 2.68],
    [8.1649999, 8.16],
    [-1.005, -1.01],
    [0, 0],
    [1e12, 1e12],
    [5e-3, 0.01],
    [1e-7, 0],
  ])('%d is %d', (value, rounded) => {
    expect(twoDecimals(value)).toBe(rounded);
  });

  it('rounds a number with any digits as its exact value', () => {
    const parts = fc.record({ digits: fc.integer({ min: -1e9, max: 1e9 }), decimals: fc.integer({ min: 0, max: 6 }) });
    fc.assert(
      fc.property(parts, ({ digits, decimals }) => {
        const expected = shown(hundredths(BigInt(digits), 10n ** BigInt(decimals)));
        expect(twoDecimals(Number(`${digits}e-${decimals}`)) + 0).toBe(expected + 0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('hours and days', () => {
  it('are exact, for every second of three hours', () => {
    for (let seconds = 0; seconds <= 10_800; seconds += 1)
      expect(hoursOf(seconds)).toBe(shown(hundredths(BigInt(seconds), 3600n)));
  });

  it('of 7,686 seconds are 2.14 hours, and 522 minutes of 4 hours a day are 2.18 days', () => {
    expect(hoursOf(7_686)).toBe(2.14);
    expect(twoDecimals(522 * 60, [3600, 4])).toBe(2.18);
  });

  it('are exact for any length and any hours of a day', () => {
    const [length, tenThousandths] = [fc.integer({ min: 0, max: 3e7 }), fc.integer({ min: 1, max: 240_000 })];
    fc.assert(
      fc.property(length, tenThousandths, (seconds, hours) => {
        const expected = shown(hundredths(BigInt(seconds) * 10_000n, 3600n * BigInt(hours)));
        expect(twoDecimals(seconds, [3600, hours / 10_000])).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
