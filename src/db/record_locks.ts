import { sql, type RawBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { lock, lockAccount, type Lock } from './locks.ts';
import type { OpenTransaction } from './open_transaction.ts';
import type { Placeholders } from './placeholders.ts';
import { statement } from './statement.ts';

/*
 * Locks on single records: those that a request names in its path, and those that a verb is about to change. locks.ts has the
 * order.
 */

interface RecordToLock {
  accountId: number;
  /** As the API shows it. */
  id: string;
}

const recordLock = (select: (values: Placeholders<RecordToLock>) => RawBuilder<object>) =>
  lock(statement<RecordToLock, object>((_db, values) => select(values)));

const ownRecord = (table: keyof DB) =>
  recordLock(
    ({ accountId, id }) => sql<object>`
      select from ${sql.table(table)} where account_id = ${accountId} and id = ${id}::bigint for no key update`,
  );

/** A record of a user: the user first, then the record. */
const recordOfUser = (table: keyof DB) =>
  recordLock(
    ({ accountId, id }) => sql<object>`
      select from ${sql.table(table)} record
      join users "user" on "user".account_id = ${accountId} and "user".id = record.user_id
      where record.account_id = ${accountId} and record.id = ${id}::bigint
      for no key update of "user" for update of record`,
  );

const changeable = {
  absence_types: ownRecord('absence_types'),
  areas: ownRecord('areas'),
  data_profiles: ownRecord('data_profiles'),
  notes: ownRecord('notes'),
  public_holidays: ownRecord('public_holidays'),
  tags: ownRecord('tags'),
  users: ownRecord('users'),
  wage_types: ownRecord('wage_types'),
};

/**
 * Finds a record, locks it, and finds it again: as it is while nobody else can change it. An event about a change then has the
 * values that the change has replaced.
 */
export async function findToChange<Ref, Row extends { readonly id: number }>(
  tx: OpenTransaction,
  { accountId }: { readonly accountId: number },
  table: keyof typeof changeable,
  ref: Ref,
  find: (ref: Ref | number) => Promise<Row>,
): Promise<Row> {
  const { id } = await find(ref);
  await changeable[table](tx, { accountId, id: String(id) });
  return find(id);
}

/** Locks the record that a path ends with, by the name of its last step. No row: there is none, or it moved to another user meanwhile. */
export const recordLocks: Readonly<Record<string, Lock<RecordToLock, object>>> = {
  account_id: lockAccount,
  workspace_id: ownRecord('workspaces'),
  area_id: ownRecord('areas'),
  user_id: ownRecord('users'),
  me: ownRecord('users'),
  // The paths of the public API name no record.
  users: ownRecord('users'),
  absences: recordOfUser('absences'),
  working_areas: ownRecord('areas'),
  working_sessions: recordOfUser('time_trackings'),
  filters: ownRecord('tags'),
  shifts: ownRecord('shifts'),
  locations: ownRecord('workspaces'),
  wage_type_id: ownRecord('wage_types'),
  webhook_id: ownRecord('webhooks'),
  tag_id: ownRecord('tags'),
  // The taggings of time trackings and those of actions are in two tables.
  tagging_id: recordLock(
    ({ accountId, id }) => sql<object>`
      with of_time_tracking as (
        select from time_tracking_tags where account_id = ${accountId} and id = ${id}::uuid for update
      ), of_action as (
        select from taggings where account_id = ${accountId} and id = ${id}::uuid for update
      )
      select from of_time_tracking union all select from of_action`,
  ),
  shift_id: ownRecord('shifts'),
  // Also where the path names a user: writes of values share the lock of the data profile.
  data_profile_id: ownRecord('data_profiles'),
  custom_field_id: ownRecord('custom_fields'),
  target_hour_id: recordOfUser('target_hours'),
  vacation_entitlement_id: recordOfUser('vacation_entitlements'),
  absence_id: recordOfUser('absences'),
  accounting_period_id: recordOfUser('accounting_periods'),
  time_tracking_id: recordLock(
    ({ accountId, id }) => sql<object>`
      select from time_trackings record
      join users "user" on "user".account_id = ${accountId} and "user".id = record.user_id
      where record.account_id = ${accountId}
        and (record.id = case when ${id}::text ~ '^[0-9]+$' then ${id}::text::bigint end
          or record.uuid = case when ${id}::text !~ '^[0-9]+$' then ${id}::text::uuid end)
      for no key update of "user" for update of record`,
  ),
  break_id: recordLock(
    ({ accountId, id }) => sql<object>`
      select from breaks
      join time_trackings record on record.account_id = ${accountId} and record.id = breaks.time_tracking_id
      join users "user" on "user".account_id = ${accountId} and "user".id = record.user_id
      where breaks.account_id = ${accountId} and breaks.id = ${id}::bigint
      for no key update of "user" for update of record`,
  ),
};
