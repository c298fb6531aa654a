import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Selects records about members of the areas, and about time trackings recorded in them. The table refers to both. */
export const concernsAreas = (
  table: 'notifications' | 'working_time_violations',
  accountId: number,
  areaIds: readonly number[],
): RawBuilder<SqlBool> => sql`(
  ${sql.ref(`${table}.user_id`)} = any(array(
    select member.user_id from area_members member
    where member.account_id = ${accountId} and member.area_id = any(${areaIds}::bigint[])))
  or exists (
    select from time_trackings located
    where located.account_id = ${accountId} and located.id = ${sql.ref(`${table}.time_tracking_id`)}
      and located.area_id = any(${areaIds}::bigint[])))`;
