import type { AbsenceDayOfKind } from '../../../src/days/calendar/absence_totals.ts';
import type { DateRange } from '../../../src/days/calendar/dates.ts';
import type { Charge, VacationEntitlement } from '../../../src/days/calendar/vacation/entitlement_spending.ts';
import { pagesBetween, printedDays } from './printed_calendar.ts';
import type { Person } from './scenarios.ts';

/* A second implementation of the rules of vacation. */

const forever = '9999-12-31';

const lastDay = ({ transfer_remaining, end_of_transfer_period, expires, ends_at }: VacationEntitlement): string => {
  if (transfer_remaining && end_of_transfer_period !== null) return end_of_transfer_period;
  return expires ? ends_at : forever;
};

const rank = (one: VacationEntitlement): string =>
  [lastDay(one), one.ends_at, one.starts_at, String(one.id).padStart(6, '0')].join(' ');

/** The vacation that each date costs: the largest one, or nothing where the user is sick. */
export function costByDate(rows: readonly AbsenceDayOfKind[]): [string, number][] {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  return dates
    .filter((date) => !rows.some((row) => row.date === date && row.kind === 'sickness'))
    .map((date): [string, number] => [
      date,
      Math.max(0, ...rows.filter((row) => row.date === date && row.kind === 'vacation').map(({ parts }) => parts)),
    ]);
}

/** Takes the cost of each date from the entitlements, always from the one that lapses first. */
export function payInCoins(entitlements: readonly VacationEntitlement[], costs: readonly [string, number][]): Charge[] {
  const purses = entitlements.map((entitlement) => ({ entitlement, left: entitlement.plannedParts }));
  const paid = new Map<string, Charge>();
  for (const [date, cost] of costs) {
    let open = cost;
    while (open > 0) {
      const usable = purses
        .filter(({ entitlement, left }) => left > 0 && entitlement.starts_at <= date && date <= lastDay(entitlement))
        .sort((one, other) => (rank(one.entitlement) < rank(other.entitlement) ? -1 : 1));
      const purse = usable[0];
      const coin = [10_000, 1000, 100, 10, 1].find((size) => size <= open && (!purse || size <= purse.left))!;
      if (purse) purse.left -= coin;
      open -= coin;
      const entitlementId = purse?.entitlement.id ?? null;
      const key = `${date} ${entitlementId}`;
      paid.set(key, { date, entitlementId, parts: (paid.get(key)?.parts ?? 0) + coin });
    }
  }
  return [...paid.values()];
}

/** The amounts of absences in a range: the largest one for each kind and date. */
export function totalIn(rows: readonly AbsenceDayOfKind[], { from, to }: DateRange) {
  let [seconds, parts] = [0, 0];
  for (const { date } of pagesBetween(from, to))
    for (const kind of new Set(rows.map((row) => row.kind))) {
      const sameDay = rows.filter((row) => row.date === date && row.kind === kind);
      seconds += Math.max(0, ...sameDay.map((row) => row.seconds));
      parts += Math.max(0, ...sameDay.map((row) => row.parts));
    }
  return { seconds, parts };
}

/** The figures of a summary. Each follows its own definition. */
export function summaryOn(
  {
    entitlements,
    confirmed,
    pending,
  }: Record<'confirmed' | 'pending', readonly AbsenceDayOfKind[]> & {
    readonly entitlements: readonly VacationEntitlement[];
  },
  today: string,
) {
  const year = today.slice(0, 4);
  const costs = costByDate(confirmed);
  const charges = payInCoins(entitlements, costs);
  const add = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
  const left = (one: VacationEntitlement, until = forever): number =>
    one.plannedParts -
    add(
      charges.filter(({ entitlementId, date }) => entitlementId === one.id && date <= until).map(({ parts }) => parts),
    );
  const confirmedOn = new Map(costs);
  const sick = confirmed.filter(({ kind }) => kind === 'sickness');
  return {
    planned: add(
      entitlements
        .filter(({ starts_at, ends_at }) => !(ends_at < `${year}-01-01` || starts_at > `${year}-12-31`))
        .map(({ plannedParts }) => plannedParts),
    ),
    remaining: add(
      entitlements.filter((one) => one.starts_at <= today && lastDay(one) >= today).map((one) => left(one)),
    ),
    transferred: add(
      entitlements
        .filter((one) => one.transfer_remaining && one.end_of_transfer_period !== null && one.ends_at < today)
        .filter((one) => Number(one.end_of_transfer_period!.slice(0, 4)) >= Number(year))
        .map((one) => left(one, one.ends_at)),
    ),
    lapsed: add(
      entitlements
        .filter((one) => lastDay(one) < today && lastDay(one) >= `${Number(year) - 1}-12-31`)
        .map((one) => left(one)),
    ),
    taken: add(costs.filter(([date]) => date.slice(0, 4) === year && date <= today).map(([, parts]) => parts)),
    booked: add(costs.filter(([date]) => date > today).map(([, parts]) => parts)),
    requested: add(
      costByDate([...sick, ...pending])
        .filter(([date]) => date.slice(0, 4) >= year)
        .map(([date, parts]) => parts - Math.min(parts, confirmedOn.get(date) ?? 0)),
    ),
    uncovered: add(
      charges
        .filter(({ entitlementId, date }) => entitlementId === null && date.slice(0, 4) >= year)
        .map(({ parts }) => parts),
    ),
  };
}

/** Counts full months on the printed calendar. Each ends on the day before the same day of the next month, or with its month. */
export function monthsWorked(person: Person, year: number): number {
  const joined = person.start_of_work ?? person.start_of_accounting;
  const [newYear, newYearsEve] = [`${year}-01-01`, `${year}-12-31`];
  const first = joined > newYear ? joined : newYear;
  const last =
    person.end_of_contract !== null && person.end_of_contract < newYearsEve ? person.end_of_contract : newYearsEve;
  if (first > last) return 0;
  const numbered = Number(first.slice(8));
  let months = 0;
  for (const page of pagesBetween(first, last)) {
    const tomorrow = printedDays[page.position + 1]!;
    const isEve =
      numbered === 1
        ? tomorrow.day === 1
        : page.day === numbered - 1 || (tomorrow.day === 1 && page.day < numbered - 1);
    const isLaterMonth = numbered === 1 || page.date.slice(0, 7) > first.slice(0, 7);
    if (isEve && isLaterMonth) months += 1;
  }
  return months;
}
