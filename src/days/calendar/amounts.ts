import { twoDecimals, wholeNumber } from './rounding.ts';

/*
 * Amounts are whole numbers until they are shown: seconds, and parts of days. A part is a ten-thousandth of a day, which is
 * the precision in which days per date are kept.
 */

/** The parts of one day. */
export const wholeDay = 10_000;

/** The whole seconds of decimal hours. */
export const secondsOfHours = (hours: number): number => wholeNumber([hours, 3600]);

/** The parts of decimal days. */
export const partsOfDays = (days: number): number => wholeNumber([days, wholeDay]);

/** Parts of days as days with two decimals. */
export const daysShown = (parts: number): number => twoDecimals(parts, [wholeDay]);

/** The quotient of two whole numbers of less than 2 ** 51, as a whole number, half away from zero. */
export function wholeQuotient(dividend: number, divisor: number): number {
  const [above, below] = [Math.abs(dividend), Math.abs(divisor)];
  const size = Math.floor((2 * above + below) / (2 * below));
  return dividend < 0 !== divisor < 0 && size > 0 ? -size : size;
}

/**
 * Spreads a whole amount over places in proportion to their weights. The last place with a weight takes the remainder. Without
 * any weight the first place takes all.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map((_, index) => (index === 0 ? amount : 0));
  const last = weights.findLastIndex((weight) => weight > 0);
  let left = amount;
  return weights.map((weight, index) => {
    // Tiny shares that are rounded up may use up the amount before the last place.
    const share = index === last ? left : Math.min(left, wholeQuotient(amount * weight, sum));
    left -= share;
    return share;
  });
}

/**
 * Amounts in hundredths of a unit that add up to their rounded sum: each is the difference of the rounded running totals. The unit
 * is the number of seconds of an hour, or of parts of a day.
 */
export function hundredthsOf(amounts: readonly number[], unit: number): number[] {
  let [total, shown] = [0, 0];
  return amounts.map((amount) => {
    total += amount;
    const before = shown;
    shown = wholeQuotient(100 * total, unit);
    return shown - before;
  });
}

export const sumOf = <Item>(items: Iterable<Item>, amountOf: (item: Item) => number): number => {
  let sum = 0;
  for (const item of items) sum += amountOf(item);
  return sum;
};
