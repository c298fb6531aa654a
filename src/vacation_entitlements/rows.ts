import { vacationByDate } from '../calendar/absence_totals.ts';
import { daysShown } from '../calendar/amounts.ts';
import type { LocalDate } from '../calendar/dates.ts';
import { remainingOf, spendVacation, spentOf } from '../calendar/vacation/entitlement_spending.ts';
import { transferredTo, type VacationAccount } from '../calendar/vacation/vacation_summary.ts';
import type { Db } from '../db/connection.ts';
import { eventsOf } from '../events/record.ts';

/** The entitlements of an account. */
export const entitlementRows = (db: Db, accountId: number) =>
  db
    .selectFrom('vacation_entitlements')
    .where('vacation_entitlements.account_id', '=', accountId)
    .selectAll('vacation_entitlements');

export type StoredEntitlement = Awaited<ReturnType<ReturnType<typeof entitlementRows>['executeTakeFirstOrThrow']>>;

export const entitlementEvents = eventsOf<StoredEntitlement>()('vacation_entitlement', [
  'title',
  'starts_at',
  'ends_at',
  'planned_days',
  'expires',
  'transfer_remaining',
  'end_of_transfer_period',
]);

/** An entitlement with what is spent of it. */
export interface EntitlementRow extends StoredEntitlement {
  readonly spent_days: number;
  readonly remaining_days: number;
}

/** The entitlements of a user as they stand on a day. */
export function withSpending(
  rows: readonly StoredEntitlement[],
  { entitlements, confirmed }: VacationAccount,
  date: LocalDate,
): EntitlementRow[] {
  const charges = spendVacation(entitlements, vacationByDate(confirmed));
  const transferred = transferredTo(entitlements, charges, date);
  const known = new Map(entitlements.map((entitlement) => [entitlement.id, entitlement]));
  return rows.map((row) => {
    const entitlement = known.get(row.id);
    return {
      ...row,
      spent_days: daysShown(spentOf(charges, row.id)),
      transferred_days: daysShown(transferred.get(row.id) ?? 0),
      remaining_days: daysShown(entitlement ? remainingOf(entitlement, charges, date) : 0),
    };
  });
}
