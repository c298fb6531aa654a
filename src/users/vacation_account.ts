import { sql, type RawBuilder } from 'kysely';
import { remainingDays, spentByEntitlement, type Entitlement } from '../calendar/vacation_days.ts';
import type { Db } from '../db/connection.ts';

/** A user's entitlements, and the confirmed vacation that uses them up, as JSON from the database. */
export interface VacationAccount {
  readonly entitlements: readonly Entitlement[];
  readonly vacations: readonly {
    readonly starts_at: string;
    readonly ends_at: string;
    readonly days: number;
    readonly zone: string;
  }[];
}

/**
 * The vacation account of each user of a query, as one expression, so that a list of users needs no query per user. It holds
 * the wanted entitlements, those that overlap them (a day counts for the one that ends first), and the vacation within.
 */
export function vacationAccount(
  accountId: number,
  userId: RawBuilder<unknown>,
  isWanted: RawBuilder<unknown> = sql`true`,
) {
  const wanted = sql`
    select from vacation_entitlements wanted
    where wanted.account_id = ${accountId} and wanted.user_id = ${userId} and wanted.status = 'active' and ${isWanted}`;
  return sql<VacationAccount>`json_build_object(
    'entitlements', array_to_json(array(
      select json_build_object(
        'id', entitlement.id, 'starts_at', entitlement.starts_at, 'ends_at', entitlement.ends_at,
        'planned_days', entitlement.planned_days, 'transferred_days', entitlement.transferred_days)
      from vacation_entitlements entitlement
      where entitlement.account_id = ${accountId} and entitlement.user_id = ${userId} and entitlement.status = 'active'
        and exists (${wanted} and wanted.starts_at <= entitlement.ends_at and wanted.ends_at >= entitlement.starts_at))),
    'vacations', array_to_json(array(
      select json_build_object('starts_at', absence.starts_at, 'ends_at', absence.ends_at, 'days', absence.days, 'zone', workspace.time_zone)
      from absences absence
      join absence_types type on type.account_id = ${accountId} and type.id = absence.absence_type_id
      join workspaces workspace on workspace.account_id = ${accountId} and workspace.id = absence.workspace_id
      where absence.account_id = ${accountId} and absence.user_id = ${userId}
        and absence.confirmation_status = 'confirmed' and type.kind = 'vacation'
        and exists (${wanted} and absence.starts_at < wanted.ends_at + 2 and absence.ends_at > wanted.starts_at - 1))))`;
}

/** The vacation account of this year, by the clock of the database. It is a day wider, because years start earlier in the east. */
export const thisYearsVacation = (accountId: number, userId: RawBuilder<unknown>) =>
  vacationAccount(
    accountId,
    userId,
    sql`wanted.starts_at <= date_trunc('year', now() at time zone 'UTC') + interval '1 year 1 day'
      and wanted.ends_at >= date_trunc('year', now() at time zone 'UTC') - interval '1 day'`,
  );

/** The vacation days left in that year, in whole days. */
export const remainingVacationDays = ({ entitlements, vacations }: VacationAccount, year: number): number =>
  remainingDays(entitlements, vacations.map(withTimes), year);

/** The days spent of each entitlement of a user, by the id of the entitlement. */
export async function spentDays(db: Db, accountId: number, userId: number): Promise<Map<number, number>> {
  const { account } = await db
    .selectNoFrom(vacationAccount(accountId, sql`${userId}::bigint`).as('account'))
    .executeTakeFirstOrThrow();
  return spentByEntitlement(account.entitlements, account.vacations.map(withTimes));
}

const withTimes = (vacation: VacationAccount['vacations'][number]) => ({
  ...vacation,
  starts_at: new Date(vacation.starts_at),
  ends_at: new Date(vacation.ends_at),
});
