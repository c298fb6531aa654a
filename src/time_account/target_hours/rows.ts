import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import type { StoredCycleDay } from './cycle.ts';

/** The target hours of an account. Each ends on the day before the next one of its user. */
export const targetHourRows = (db: Db, accountId: number) =>
  db
    .selectFrom('target_hours')
    .where('target_hours.account_id', '=', accountId)
    .selectAll('target_hours')
    .select([
      sql<string | null>`(
        select min(next.start_date) - 1 from target_hours next
        where next.account_id = ${accountId} and next.user_id = target_hours.user_id and next.start_date > target_hours.start_date)`.as(
        'end_date',
      ),
      sql<string | null>`(
        select editor.username from users editor
        where editor.account_id = ${accountId} and editor.id = target_hours.updated_by_user_id)`.as('updated_by'),
      sql<StoredCycleDay[]>`array_to_json(array(
        select json_build_object('id', day.id, 'day_type', day.day_type, 'hours_s', day.hours_s)
        from target_working_days day
        where day.account_id = ${accountId} and day.target_hour_id = target_hours.id
        order by day.position))`.as('cycle'),
    ]);

export type TargetHourRow = Awaited<ReturnType<ReturnType<typeof targetHourRows>['executeTakeFirstOrThrow']>>;
