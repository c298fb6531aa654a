import { storedAttributes } from '../../platform/core/pick.ts';
import { vacationByDate } from '../../days/calendar/absence_totals.ts';
import { daysShown } from '../../days/calendar/amounts.ts';
import type { LocalDate } from '../../days/calendar/dates.ts';
import { remainingOf, spendVacation, spentOf } from '../../days/calendar/vacation/entitlement_spending.ts';
import { transferredTo, type VacationAccount } from '../../days/calendar/vacation/vacation_summary.ts';
import type { Db } from '../../platform/db/connection.ts';
import { eventsOf } from '../../platform/events/record.ts';

/** The entitlements of an account. */
export const entitlementRows = (db: Db, accountId: number) =>
  db
    .selectFrom('vacation_entitlements')
    .where('vacation_entitlements.account_id', '=', accountId)
    .selectAll('vacation_entitlements');

export type StoredEntitlement = Awaited<ReturnType<ReturnType<typeof entitlementRows>['executeTakeFirstOrThrow']>>;

/** The attributes that are stored as they come. */
export const stored = storedAttributes({
  table: 'vacation_entitlements',
  schemas: ['VacationEntitlementCreation', 'VacationEntitlementUpdate'],
  handled: ['starts_at', 'ends_at', 'transfer_remaining', 'end_of_transfer_period'],
});

export const entitlementEvents = eventsOf<StoredEntitlement>()('vacation_entitlement', [
  ...stored,
  'starts_at',
  'ends_at',
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
