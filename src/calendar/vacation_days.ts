import { daysByDate } from './absence_amounts.ts';
import { twoDecimalsOfSum } from './rounding.ts';

/* How many of a user's vacation days are spent, and how many are left. */

export interface Entitlement {
  readonly id: number;
  /** The first and the last day, `YYYY-MM-DD`. */
  readonly starts_at: string;
  readonly ends_at: string;
  readonly planned_days: number;
  readonly transferred_days: number;
}

/** A confirmed absence that uses up vacation days, with the zone of its workspace. */
export interface Vacation {
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly days: number;
  readonly zone: string;
}

/** The days spent of each entitlement. A day is counted once, in the entitlement that ends first. */
export function spentByEntitlement(
  entitlements: readonly Entitlement[],
  vacations: readonly Vacation[],
): Map<number, number> {
  const spent = new Map(entitlements.map(({ id }) => [id, 0]));
  const byEnd = [...entitlements].sort(
    (a, b) => compare(a.ends_at, b.ends_at) || compare(a.starts_at, b.starts_at) || a.id - b.id,
  );
  for (const [date, days] of spentByDate(vacations)) {
    const owner = byEnd.find(({ starts_at, ends_at }) => starts_at <= date && date <= ends_at);
    if (owner) spent.set(owner.id, spent.get(owner.id)! + days);
  }
  for (const [id, days] of spent) spent.set(id, twoDecimalsOfSum(days));
  return spent;
}

/** The days left of the entitlements that overlap a year: whole days, rounded down, at least 0. */
export function remainingDays(
  entitlements: readonly Entitlement[],
  vacations: readonly Vacation[],
  year: number,
): number {
  const spent = spentByEntitlement(entitlements, vacations);
  const current = entitlements.filter(
    ({ starts_at, ends_at }) => starts_at <= `${year}-12-31` && ends_at >= `${year}-01-01`,
  );
  const left = current.reduce(
    (sum, { id, planned_days, transferred_days }) => sum + planned_days + transferred_days - spent.get(id)!,
    0,
  );
  return Math.max(0, Math.floor(twoDecimalsOfSum(left)));
}

/** Two half days on one date add up to one day, and two whole days count as one. A date counts more than one day only where one absence has a custom amount. */
function spentByDate(vacations: readonly Vacation[]): Map<string, number> {
  const byDate = new Map<string, number[]>();
  for (const vacation of vacations) {
    for (const [date, days] of daysByDate(vacation)) byDate.set(date, [...(byDate.get(date) ?? []), days]);
  }
  return new Map(
    [...byDate].map(([date, parts]) => [
      date,
      Math.min(
        parts.reduce((sum, part) => sum + part, 0),
        Math.max(1, ...parts),
      ),
    ]),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
