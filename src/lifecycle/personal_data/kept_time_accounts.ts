import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Person } from './person.ts';

/** What is counted or measured from the start of accounting on. Without any of it, no sum needs to know where an account began. */
const accounted = [
  ...['absences', 'accounting_periods', 'deleted_records', 'time_account_entries', 'time_trackings'],
  'vacation_entitlements',
];

/** Whether figures stay that depend on where the time account of the person began. */
export const hasTimeAccount = ({ accountId, userId }: Person): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    accounted.map(
      (table) => sql`exists (
      select from ${sql.table(table)} counted where counted.account_id = ${accountId} and counted.user_id = ${userId})`,
    ),
    sql` or `,
  )})`;

/** The value of a column that only time accounts need. A row is called `held`. */
export const ifAccounted = (column: string, person: Person, otherwise: RawBuilder<unknown>) =>
  sql`case when ${hasTimeAccount(person)} then held.${sql.ref(column)} else ${otherwise} end`;

/** Time accounts read these dates of contracts. */
export const isFieldOfTimeAccount = (
  person: Person,
) => sql<SqlBool>`(${hasTimeAccount(person)} and held.value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' and exists (
  select from custom_fields field
  where field.account_id = ${person.accountId} and field.id = held.custom_field_id and is_field_of_time_account(field.key)))`;
