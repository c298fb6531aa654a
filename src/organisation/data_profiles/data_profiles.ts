import { sql, type RawBuilder } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { invalid, notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Rank } from '../../platform/core/ranks.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { readableDataProfile } from '../../platform/db/visibility.ts';
import { eventsOf } from '../../platform/events/record.ts';

type Schemas = components['schemas'];
type NewDataProfile = Schemas['DataProfileCreation']['data']['attributes'];
type DataProfileChange = Schemas['DataProfileUpdate']['data']['attributes'];

const stored = storedAttributes({
  table: 'data_profiles',
  schemas: ['DataProfileCreation', 'DataProfileUpdate'],
  handled: ['least_role'],
});

/** The roles that see a data profile, by their rank, from 1 on. */
const leastRoles = ['employee', 'working_area_admin', 'workspace_admin', 'account_admin'] as const satisfies readonly Schemas['RoleName'][]; // prettier-ignore

export const leastRoleOf = ({ least_rank }: { readonly least_rank: number }): Schemas['RoleName'] =>
  leastRoles[least_rank - 1]!;

const columns = listColumns('listAccountDataProfiles', 'data_profiles');

/** The id of the account's default data profile, which is its oldest. */
export const defaultProfileId = (accountId: number): RawBuilder<number> =>
  sql<number>`(select min(oldest.id) from data_profiles oldest where oldest.account_id = ${accountId})`;

const dataProfileRows = (db: Db, accountId: number) =>
  db
    .selectFrom('data_profiles')
    .where('data_profiles.account_id', '=', accountId)
    .selectAll('data_profiles')
    .select([
      sql<boolean>`data_profiles.id = ${defaultProfileId(accountId)}`.as('is_default'),
      sql<number[]>`array(
        select field.id from custom_fields field
        where field.account_id = ${accountId} and field.data_profile_id = data_profiles.id
        order by field.position, field.id)`.as('custom_field_ids'),
    ]);

export type DataProfileRow = Awaited<ReturnType<ReturnType<typeof dataProfileRows>['executeTakeFirstOrThrow']>>;

const profileEvents = eventsOf<DataProfileRow>()('data_profile', [...stored, 'least_rank']);

/** The facts about a data profile that the table of rights asks for. */
export const factsOfProfile = ({ least_rank, is_default, user_checkin }: DataProfileRow) => ({
  least_rank: least_rank as Rank,
  isDefault: is_default,
  asksUsers: user_checkin,
});

/** The data profiles of the account that the actor may see: groups of custom fields about its users. */
export function listDataProfiles(db: Db, actor: Actor, selection: Selection) {
  const { accountId } = actor;
  const visible = db
    .selectFrom('data_profiles')
    .where('data_profiles.account_id', '=', accountId)
    .where(readableDataProfile(actor));
  const rows = dataProfileRows(db, accountId);
  return list(db, { visible, rows, id: 'data_profiles.id', columns, timeZone: 'UTC' }, selection);
}

/** One data profile of the account, whether or not the actor may see it; a miss is 404. */
export async function findDataProfile(
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  ref: Id,
): Promise<DataProfileRow> {
  const row = await dataProfileRows(db, accountId)
    .where('data_profiles.id', '=', numericId(ref) ?? null)
    .executeTakeFirst();
  if (!row) throw notFound('data profile');
  return row;
}

/** One data profile that the actor may see; 404 and 403 otherwise. */
export async function showDataProfile(db: Db, actor: Actor, ref: Id): Promise<DataProfileRow> {
  const row = await findDataProfile(db, actor, ref);
  authorize(actor, 'read', 'data_profile', factsOfProfile(row));
  return row;
}

const columnsOf = (input: DataProfileChange, now: Date) => ({
  ...pick(input, stored),
  ...(input.least_role === undefined ? {} : { least_rank: leastRoles.indexOf(input.least_role) + 1 }),
  updated_at: now,
});

/** Creates a data profile without fields. */
export async function createDataProfile(
  db: OpenTransaction,
  actor: Actor,
  input: NewDataProfile,
  now: Date,
): Promise<DataProfileRow> {
  const { id } = await db
    .insertInto('data_profiles')
    .values({ ...columnsOf(input, now), title: input.title, account_id: actor.accountId, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = await findDataProfile(db, actor, id);
  profileEvents.record(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** Changes what is given and leaves the rest alone. */
export async function updateDataProfile(
  db: OpenTransaction,
  actor: Actor,
  ref: Id,
  change: DataProfileChange,
  now: Date,
): Promise<DataProfileRow> {
  const before = await findToChange(db, actor, 'data_profiles', ref, (found) => findDataProfile(db, actor, found));
  await db
    .updateTable('data_profiles')
    .set(columnsOf(change, now))
    .where('account_id', '=', actor.accountId)
    .where('id', '=', before.id)
    .execute();
  const after = await findDataProfile(db, actor, before.id);
  profileEvents.record(db, actor, 'updated', { before, after }, now);
  return after;
}

/** Deletes a data profile with its fields and their values. The default one stays. */
export async function deleteDataProfile(
  db: OpenTransaction,
  actor: Actor,
  ref: Id,
  now: Date,
): Promise<DataProfileRow> {
  const profile = await findToChange(db, actor, 'data_profiles', ref, (found) => findDataProfile(db, actor, found));
  if (profile.is_default)
    throw invalid(
      'protected',
      'base',
      `The data profile "${profile.title}" is the default one and cannot be deleted, because time accounts and the public API read its fields.`,
    );
  const { numDeletedRows } = await db
    .deleteFrom('data_profiles')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', profile.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('data profile');
  profileEvents.record(db, actor, 'deleted', { before: profile, after: null }, now);
  return profile;
}
