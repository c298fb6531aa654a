import { isUuid } from '../core/ids.ts';
import { lockAccount } from './locks.ts';
import type { OpenTransaction } from './open_transaction.ts';

/*
 * Locks on single records: those that a request names in its path, and those that a verb is about to change. locks.ts has the
 * order.
 */

interface RecordToLock {
  readonly accountId: number;
  /** As the API shows it. */
  readonly id: string;
}

type RecordLock = (tx: OpenTransaction, record: RecordToLock) => Promise<readonly object[]>;

type OwnTable =
  | 'absence_types'
  | 'areas'
  | 'custom_fields'
  | 'data_profiles'
  | 'notes'
  | 'public_holidays'
  | 'shifts'
  | 'tags'
  | 'users'
  | 'wage_types'
  | 'webhooks'
  | 'workspaces';

type TableOfUsers = 'absences' | 'accounting_periods' | 'target_hours' | 'time_trackings' | 'vacation_entitlements';

const ownRecord =
  (table: OwnTable): RecordLock =>
  (tx, { accountId, id }) =>
    tx
      .selectFrom(table as 'users')
      .where('account_id', '=', accountId)
      .where('id', '=', Number(id))
      .forNoKeyUpdate()
      .execute();

const recordsOfUsers = (tx: OpenTransaction, table: TableOfUsers, accountId: number) =>
  tx
    .selectFrom(`${table as 'time_trackings'} as record`)
    .innerJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'record.user_id'),
    )
    .where('record.account_id', '=', accountId)
    .forNoKeyUpdate('user')
    .forUpdate('record');

/** A record of a user: the user first, then the record. */
const recordOfUser =
  (table: TableOfUsers): RecordLock =>
  (tx, { accountId, id }) =>
    recordsOfUsers(tx, table, accountId).where('record.id', '=', Number(id)).execute();

const lockTimeTracking: RecordLock = (tx, { accountId, id }) =>
  isUuid(id)
    ? recordsOfUsers(tx, 'time_trackings', accountId).where('record.uuid', '=', id).execute()
    : recordOfUser('time_trackings')(tx, { accountId, id });

const lockTimeTrackingOfBreak: RecordLock = (tx, { accountId, id }) =>
  recordsOfUsers(tx, 'time_trackings', accountId)
    .innerJoin('breaks as pause', (join) =>
      join.on('pause.account_id', '=', accountId).onRef('pause.time_tracking_id', '=', 'record.id'),
    )
    .where('pause.id', '=', Number(id))
    .execute();

/** The taggings of time trackings and those of actions are in two tables. */
const lockTagging: RecordLock = async (tx, { accountId, id }) => {
  const lockIn = (table: 'time_tracking_tags' | 'taggings') =>
    tx.selectFrom(table).where('account_id', '=', accountId).where('id', '=', id).forUpdate().execute();
  return [...(await lockIn('time_tracking_tags')), ...(await lockIn('taggings'))];
};

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
export const recordLocks: Readonly<Record<string, RecordLock>> = {
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
  tagging_id: lockTagging,
  shift_id: ownRecord('shifts'),
  // Also where the path names a user: writes of values share the lock of the data profile.
  data_profile_id: ownRecord('data_profiles'),
  custom_field_id: ownRecord('custom_fields'),
  target_hour_id: recordOfUser('target_hours'),
  vacation_entitlement_id: recordOfUser('vacation_entitlements'),
  absence_id: recordOfUser('absences'),
  accounting_period_id: recordOfUser('accounting_periods'),
  time_tracking_id: lockTimeTracking,
  break_id: lockTimeTrackingOfBreak,
};
