import { sumOf, wholeDay } from '../amounts.ts';
import { vacationByDate, type AbsenceDayOfKind } from '../absence_totals.ts';
import { addDays, compareDates, type LocalDate } from '../dates.ts';
import {
  isUsableOn,
  lastUsableDate,
  spendVacation,
  spentOf,
  transferEnd,
  type Charge,
  type VacationEntitlement,
} from './entitlement_spending.ts';

/* How much vacation a user has on a day, in ten-thousandths of days. */

export interface VacationAccount {
  readonly entitlements: readonly VacationEntitlement[];
  /** The days of confirmed vacation and sickness. */
  readonly confirmed: readonly AbsenceDayOfKind[];
  /** The days of vacation that waits for a decision. */
  readonly pending: readonly AbsenceDayOfKind[];
}

/** Transfers, lapsed days and taken days count from 1 January of the year of the summary. */
export interface VacationSummary {
  /** The entitlements of the year, without what is transferred. */
  readonly planned: number;
  /** The rest of the entitlements that are usable on that day. */
  readonly remaining: number;
  readonly transferred: number;
  readonly lapsed: number;
  readonly taken: number;
  /** Confirmed, and still to come. */
  readonly booked: number;
  readonly requested: number;
  /** Confirmed days that no entitlement covers. */
  readonly uncovered: number;
}

/** The vacation of a user as it stands on a day. Confirmed days that are still to come count as spent. */
export function vacationSummary(account: VacationAccount, date: LocalDate): VacationSummary {
  const { entitlements } = account;
  const newYear = `${date.slice(0, 4)}-01-01`;
  const confirmed = vacationByDate(account.confirmed);
  const charges = spendVacation(entitlements, confirmed);
  const leftOf = (entitlement: VacationEntitlement): number =>
    entitlement.plannedParts - spentOf(charges, entitlement.id);
  const ofEntitlements = (
    isCounted: (entitlement: VacationEntitlement) => boolean,
    partsOf: (entitlement: VacationEntitlement) => number,
  ): number => sumOf(entitlements.filter(isCounted), partsOf);
  const ofVacation = (isCounted: (day: LocalDate) => boolean): number =>
    sumOf(confirmed, ([day, parts]) => (isCounted(day) ? parts : 0));
  return {
    planned: ofEntitlements(
      (entitlement) => isOfYear(entitlement, date.slice(0, 4)),
      ({ plannedParts }) => plannedParts,
    ),
    remaining: ofEntitlements((entitlement) => isUsableOn(entitlement, date), leftOf),
    transferred: ofEntitlements(
      (entitlement) => isTransferredSince(newYear, entitlement, date),
      (entitlement) => transferredOf(entitlement, charges),
    ),
    lapsed: ofEntitlements((entitlement) => hasLapsedSince(newYear, entitlement, date), leftOf),
    taken: ofVacation((day) => newYear <= day && day <= date),
    booked: ofVacation((day) => day > date),
    requested: requestedFrom(newYear, account, confirmed),
    uncovered: sumOf(charges, (charge) => (charge.entitlementId === null && charge.date >= newYear ? charge.parts : 0)),
  };
}

/** Whole days, rounded down, as users show them. */
export const wholeDaysLeft = ({ remaining }: VacationSummary): number => Math.floor(remaining / wholeDay);

/** The amounts that entitlements have received from earlier ones on a day, by id. It is for display: the earlier ones still hold it. */
export function transferredTo(
  entitlements: readonly VacationEntitlement[],
  charges: readonly Charge[],
  date: LocalDate,
): Map<number, number> {
  const received = new Map(entitlements.map(({ id }) => [id, 0]));
  const byStart = entitlements.toSorted(
    (one, other) => compareDates(one.starts_at, other.starts_at) || one.id - other.id,
  );
  for (const entitlement of entitlements) {
    const end = transferEnd(entitlement);
    if (end === null || date <= entitlement.ends_at) continue;
    const next = byStart.find(({ starts_at }) => entitlement.ends_at < starts_at && starts_at <= end);
    if (next) received.set(next.id, received.get(next.id)! + transferredOf(entitlement, charges));
  }
  return received;
}

/** The rest of an entitlement at its end. */
const transferredOf = ({ id, plannedParts, ends_at }: VacationEntitlement, charges: readonly Charge[]): number =>
  plannedParts - spentOf(charges, id, ends_at);

function isTransferredSince(newYear: LocalDate, entitlement: VacationEntitlement, date: LocalDate): boolean {
  const end = transferEnd(entitlement);
  return end !== null && end >= newYear && entitlement.ends_at < date;
}

/** An entitlement lapses on the day after its last one. */
function hasLapsedSince(newYear: LocalDate, entitlement: VacationEntitlement, date: LocalDate): boolean {
  const last = lastUsableDate(entitlement);
  return last !== null && last < date && addDays(last, 1) >= newYear;
}

/** Pending vacation counts only what it adds to the confirmed vacation of its dates. */
function requestedFrom(
  newYear: LocalDate,
  { confirmed, pending }: VacationAccount,
  confirmedParts: ReadonlyMap<LocalDate, number>,
): number {
  const sickness = confirmed.filter(({ kind }) => kind === 'sickness');
  return sumOf(vacationByDate([...sickness, ...pending]), ([day, parts]) =>
    day >= newYear ? Math.max(0, parts - (confirmedParts.get(day) ?? 0)) : 0,
  );
}

const isOfYear = ({ starts_at, ends_at }: VacationEntitlement, year: string): boolean =>
  starts_at.slice(0, 4) <= year && year <= ends_at.slice(0, 4);
