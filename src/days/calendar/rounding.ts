/*
 * The one rule of rounding: two decimals, half away from zero, of the exact value. Numbers count by their decimal digits, as
 * a request sends them and an answer shows them, so that 8.165 is 8.17 although the nearest binary number is smaller.
 */

/** The product of numbers, divided by others, with two decimals. Hours and days are rounded nowhere else. */
export const twoDecimals = (factors: number | readonly number[], divisors: readonly number[] = []): number =>
  rounded([100, ...(typeof factors === 'number' ? [factors] : factors)], divisors) / 100;

/** The product of numbers as a whole number. */
export const wholeNumber = (factors: readonly number[]): number => rounded(factors, []);

function rounded(factors: readonly number[], divisors: readonly number[]): number {
  const [above, below] = [productOf(factors), productOf(divisors)];
  const dividend = above.digits * 10n ** BigInt(below.decimals);
  const divisor = below.digits * 10n ** BigInt(above.decimals);
  const isNegative = dividend < 0n !== divisor < 0n;
  const units = (2n * absolute(dividend) + absolute(divisor)) / (2n * absolute(divisor));
  return Number(isNegative ? -units : units);
}

/** A number as whole digits and how many of them are decimals: 8.165 has the digits 8165, of which 3 are decimals. */
interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

function decimalOf(value: number): Decimal {
  // Seconds are many, and have no decimals.
  if (Number.isSafeInteger(value)) return { digits: BigInt(value), decimals: 0 };
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole, decimals = ''] = mantissa.split('.');
  const digits = BigInt(`${whole}${decimals}`);
  const places = decimals.length - Number(exponent);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), decimals: 0 } : { digits, decimals: places };
}

const productOf = (values: readonly number[]): Decimal =>
  values.map(decimalOf).reduce(
    (one, other) => ({
      digits: one.digits * other.digits,
      decimals: one.decimals + other.decimals,
    }),
    { digits: 1n, decimals: 0 },
  );

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
