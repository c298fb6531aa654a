import { sql, type RawBuilder } from 'kysely';
import { partsOfDays } from '../../days/calendar/amounts.ts';
import type { AbsenceKind } from '../../days/calendar/absence_days.ts';
import type { LocalDate } from '../../days/calendar/dates.ts';
import type { VacationAccount } from '../../days/calendar/vacation/vacation_summary.ts';
import type { Db } from '../../platform/db/connection.ts';

/** A user's entitlements, and the days that vacation and sickness take, as JSON from the database. */
export interface VacationRows {
  readonly entitlements: readonly {
    readonly id: number;
    readonly starts_at: LocalDate;
    readonly ends_at: LocalDate;
    readonly planned_days: number;
    readonly expires: boolean;
    readonly transfer_remaining: boolean;
    readonly end_of_transfer_period: LocalDate | null;
  }[];
  readonly days: readonly {
    readonly date: LocalDate;
    readonly kind: AbsenceKind;
    readonly seconds: number;
    readonly parts: number;
    readonly status: 'confirmed' | 'pending';
  }[];
}

/** The vacation of each user of a query, as one expression, so that a list of users needs no query per user. */
export const vacationRows = (accountId: number, userId: RawBuilder<unknown>) => sql<VacationRows>`json_build_object(
  'entitlements', array_to_json(array(
    select json_build_object(
      'id', entitlement.id, 'starts_at', entitlement.starts_at, 'ends_at', entitlement.ends_at,
      'planned_days', entitlement.planned_days, 'expires', entitlement.expires,
      'transfer_remaining', entitlement.transfer_remaining, 'end_of_transfer_period', entitlement.end_of_transfer_period)
    from vacation_entitlements entitlement
    where entitlement.account_id = ${accountId} and entitlement.user_id = ${userId} and entitlement.status = 'active'
    order by entitlement.id)),
  'days', array_to_json(array(
    select json_build_object('date', day.date, 'kind', type.kind, 'seconds', day.seconds, 'parts', day.parts, 'status', absence.confirmation_status)
    from absence_days day
    join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
    join absence_types type on type.account_id = ${accountId} and type.id = absence.absence_type_id
    where day.account_id = ${accountId} and day.user_id = ${userId} and type.kind in ('vacation', 'sickness')
      and absence.confirmation_status in ('confirmed', 'pending') and (day.parts > 0 or day.seconds > 0)
    order by day.date, absence.id)))`;

/** The same as the calculations take it. */
export const vacationAccount = ({ entitlements, days }: VacationRows): VacationAccount => ({
  entitlements: entitlements.map(({ planned_days, ...entitlement }) => ({
    ...entitlement,
    plannedParts: partsOfDays(planned_days),
  })),
  confirmed: days.filter(({ status }) => status === 'confirmed'),
  pending: days.filter(({ status, kind }) => status === 'pending' && kind === 'vacation'),
});

/** The vacation of one user. */
export async function vacationAccountOf(db: Db, accountId: number, userId: number): Promise<VacationAccount> {
  const { rows } = await db
    .selectNoFrom(vacationRows(accountId, sql`${userId}::bigint`).as('rows'))
    .executeTakeFirstOrThrow();
  return vacationAccount(rows);
}
