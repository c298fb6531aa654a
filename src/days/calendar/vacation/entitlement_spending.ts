import { sumOf } from '../amounts.ts';
import { compareDates, type LocalDate } from '../dates.ts';

/* From which entitlement each vacation day is spent. Amounts are ten-thousandths of days. */

export interface VacationEntitlement {
  readonly id: number;
  readonly starts_at: LocalDate;
  readonly ends_at: LocalDate;
  readonly plannedParts: number;
  readonly expires: boolean;
  readonly transfer_remaining: boolean;
  readonly end_of_transfer_period: LocalDate | null;
}

/** The amount that a date takes from an entitlement. */
export interface Charge {
  readonly date: LocalDate;
  /** Null where no entitlement covers it. */
  readonly entitlementId: number | null;
  readonly parts: number;
}

/** The last day on which an entitlement can be used; null where it never lapses. */
export const lastUsableDate = (entitlement: VacationEntitlement): LocalDate | null =>
  transferEnd(entitlement) ?? (entitlement.expires ? entitlement.ends_at : null);

/** The last day to which the rest of an entitlement is transferred; null where it is not. */
export const transferEnd = ({ transfer_remaining, end_of_transfer_period }: VacationEntitlement): LocalDate | null =>
  transfer_remaining ? end_of_transfer_period : null;

export function isUsableOn(entitlement: VacationEntitlement, date: LocalDate): boolean {
  const last = lastUsableDate(entitlement);
  return entitlement.starts_at <= date && (last === null || date <= last);
}

/**
 * Spends vacation in the order of its dates. Each date takes from the usable entitlement that lapses first and still has days,
 * and the rest from the next one.
 */
export function spendVacation(
  entitlements: readonly VacationEntitlement[],
  vacation: ReadonlyMap<LocalDate, number>,
): Charge[] {
  const byLapse = entitlements.toSorted(lapsesFirst);
  const left = new Map(entitlements.map(({ id, plannedParts }) => [id, plannedParts]));
  return [...vacation]
    .toSorted(([one], [other]) => compareDates(one, other))
    .flatMap(([date, parts]) => {
      let open = parts;
      const charges: Charge[] = [];
      for (const { id } of byLapse.filter((entitlement) => isUsableOn(entitlement, date))) {
        const taken = Math.min(open, left.get(id)!);
        left.set(id, left.get(id)! - taken);
        open -= taken;
        charges.push({ date, entitlementId: id, parts: taken });
      }
      return [...charges, { date, entitlementId: null, parts: open }].filter((charge) => charge.parts > 0);
    });
}

/** The spent part of an entitlement, up to a day or in all. */
export const spentOf = (charges: readonly Charge[], id: number, until?: LocalDate): number =>
  sumOf(charges, ({ entitlementId, date, parts }) =>
    entitlementId === id && (until === undefined || date <= until) ? parts : 0,
  );

/** The rest of an entitlement on a day: nothing once it has lapsed. */
export function remainingOf(entitlement: VacationEntitlement, charges: readonly Charge[], date: LocalDate): number {
  const last = lastUsableDate(entitlement);
  return last !== null && last < date ? 0 : entitlement.plannedParts - spentOf(charges, entitlement.id);
}

const lapsesFirst = (one: VacationEntitlement, other: VacationEntitlement): number =>
  compareLapses(lastUsableDate(one), lastUsableDate(other)) ||
  compareDates(one.ends_at, other.ends_at) ||
  compareDates(one.starts_at, other.starts_at) ||
  one.id - other.id;

/** Entitlements that never lapse come last. */
const compareLapses = (one: LocalDate | null, other: LocalDate | null): number =>
  one === null || other === null ? Number(one === null) - Number(other === null) : compareDates(one, other);
