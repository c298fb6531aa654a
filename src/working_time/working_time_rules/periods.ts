/** A period of time, in whole seconds since 1970. The end is not part of it. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export const lengthOf = ({ from, to }: Period): number => Math.max(0, to - from);

export const dateOfSeconds = (seconds: number): Date => new Date(seconds * 1000);

export const secondsOfDate = (time: Date): number => Math.floor(time.getTime() / 1000);

/** The union of periods, in order, without gaps of no length. */
export function unionOf(periods: readonly Period[]): Period[] {
  const union: Period[] = [];
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    const last = union.at(-1);
    if (last && period.from <= last.to) union[union.length - 1] = { from: last.from, to: Math.max(last.to, period.to) };
    else if (period.to > period.from) union.push(period);
  }
  return union;
}

/** The parts of a period outside of others, which are in order and do not overlap. */
export function without(period: Period, others: readonly Period[]): Period[] {
  const left: Period[] = [];
  let { from } = period;
  for (const other of others) {
    if (other.from > from) left.push({ from, to: Math.min(other.from, period.to) });
    from = Math.max(from, other.to);
  }
  left.push({ from, to: period.to });
  return left.filter((piece) => piece.to > piece.from);
}

export const overlapOf = (one: Period, other: Period): Period => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});

export const sumOfLengths = (periods: readonly Period[]): number =>
  periods.reduce((sum, period) => sum + lengthOf(period), 0);
