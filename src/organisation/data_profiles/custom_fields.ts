import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { alreadyUsed, AppError, invalid, notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Rank } from '../../platform/core/ranks.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { lockDataProfile } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { readableDataProfile } from '../../platform/db/visibility.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { defaultProfileId, findDataProfile, type DataProfileRow } from './data_profiles.ts';
import { fits, type DataType } from './data_types.ts';

type Schemas = components['schemas'];
type NewCustomField = Schemas['CustomFieldCreation']['data']['attributes'];
type CustomFieldChange = Schemas['CustomFieldUpdate']['data']['attributes'];

const columns = listColumns('listCustomFields', 'custom_fields');

const stored = storedAttributes({
  table: 'custom_fields',
  schemas: ['CustomFieldCreation', 'CustomFieldUpdate'],
  handled: ['data_profile_id', 'key', 'data_type'],
});

/** The fields of the account, each with what decides who sees it and whether it can be changed. */
export const customFieldRows = (db: Db, accountId: number) =>
  db
    .selectFrom('custom_fields')
    .innerJoin('data_profiles', (join) =>
      join
        .on('data_profiles.account_id', '=', accountId)
        .onRef('data_profiles.id', '=', 'custom_fields.data_profile_id'),
    )
    .where('custom_fields.account_id', '=', accountId)
    .selectAll('custom_fields')
    .select([
      'data_profiles.least_rank',
      sql<boolean>`custom_fields.data_profile_id = ${defaultProfileId(accountId)}`.as('is_in_default_profile'),
    ]);

export type CustomFieldRow = Awaited<ReturnType<ReturnType<typeof customFieldRows>['executeTakeFirstOrThrow']>>;

const fieldEvents = eventsOf<CustomFieldRow>()('custom_field', [
  'title',
  'key',
  'data_type',
  'position',
  'data_profile_id',
]);

export const customFieldsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<CustomFieldRow[]> =>
  rowsByIds(customFieldRows(db, accountId), 'custom_fields.id', ids);

/** The fields of the default data profile that the public API and time accounts read by their key. */
const neededKeys = ['phone', 'start_of_work', 'trial_period', 'end_of_contract', 'desc', 'cost_center', 'cost_object'];

/** Whether the public API or time accounts need a field as it is. */
export const isNeeded = (field: Pick<CustomFieldRow, 'is_in_default_profile' | 'key'>): boolean =>
  field.is_in_default_profile && neededKeys.includes(field.key);

/** The fields of the data profiles that the actor may see. */
export function listCustomFields(db: Db, actor: Actor, selection: Selection) {
  const { accountId } = actor;
  const visible = db
    .selectFrom('custom_fields')
    .where('custom_fields.account_id', '=', accountId)
    .where(
      sql<boolean>`exists (
      select from data_profiles
      where data_profiles.account_id = ${accountId} and data_profiles.id = custom_fields.data_profile_id
        and ${readableDataProfile(actor)})`,
    );
  const rows = customFieldRows(db, accountId);
  return list(db, { visible, rows, id: 'custom_fields.id', columns, timeZone: 'UTC' }, selection);
}

/** One field of a data profile that the actor may see; 404 and 403 otherwise. */
export async function findCustomField(db: Db, actor: Actor, ref: Id): Promise<CustomFieldRow> {
  const row = await customFieldRows(db, actor.accountId)
    .where('custom_fields.id', '=', numericId(ref) ?? null)
    .executeTakeFirst();
  if (!row) throw notFound('custom field');
  authorize(actor, 'read', 'data_profile', { ...noProfile, least_rank: row.least_rank as Rank });
  return row;
}

/** Reading asks for the least rank alone. */
const noProfile = { isDefault: false, asksUsers: false };

/** The column of a type. */
const kindOf = (type: DataType): string => (type === 'string' ? 'text' : type);

/** Adds a field to a data profile. */
export async function createCustomField(
  tx: OpenTransaction,
  actor: Actor,
  input: NewCustomField,
  now: Date,
): Promise<CustomFieldRow> {
  const { accountId } = actor;
  const profile = await profileNamed(tx, actor, input.data_profile_id);
  // The keys and positions of a data profile are given out one after the other.
  await lockDataProfile(tx, { accountId, id: profile.id });
  const others = await tx
    .selectFrom('custom_fields')
    .select(['key', 'position'])
    .where('account_id', '=', accountId)
    .where('data_profile_id', '=', profile.id)
    .execute();
  // The public API has the birthday of a user under this key.
  const taken = [...others.map(({ key }) => key), ...(profile.is_default ? ['birthday'] : [])];
  refuse(keyProblems(input.key, taken));
  const { id } = await tx
    .insertInto('custom_fields')
    .values({
      account_id: accountId,
      data_profile_id: profile.id,
      title: input.title,
      kind: kindOf(input.data_type),
      key: input.key ?? freeKey(input.title, taken),
      position: input.position ?? Math.max(0, ...others.map(({ position }) => position)) + 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = await findCustomField(tx, actor, id);
  fieldEvents.record(tx, actor, 'created', { before: null, after }, now);
  return after;
}

async function profileNamed(db: Db, actor: Actor, ref: Id): Promise<DataProfileRow> {
  try {
    return await findDataProfile(db, actor, ref);
  } catch (error) {
    // A record that a body refers to is unknown: that is 400, not 404.
    if (error instanceof AppError) refuse(unknownIds('data_profile_id', [ref], 'data profile of this account'));
    throw error;
  }
}

const keyProblems = (key: string | undefined, taken: readonly string[]): Problem[] =>
  key !== undefined && taken.includes(key) ? [alreadyUsed('key', key, 'field of this data profile')] : [];

/** A key that is made from the title, with a number where it is taken. */
function freeKey(title: string, taken: readonly string[]): string {
  const plain = title.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '').replaceAll(/[^a-z0-9]+/g, '_'); // prettier-ignore
  const key = plain.replace(/^[^a-z]+/, '').slice(0, 50).replace(/_$/, '') || 'field'; // prettier-ignore
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key}_${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}

/** Finds a field, and locks its data profile until the transaction ends. The field is read again, because it may have changed before. */
async function lockCustomField(tx: OpenTransaction, actor: Actor, ref: Id): Promise<CustomFieldRow> {
  const { id, data_profile_id } = await findCustomField(tx, actor, ref);
  await lockDataProfile(tx, { accountId: actor.accountId, id: data_profile_id });
  return findCustomField(tx, actor, id);
}

/** Changes what is given and leaves the rest alone. A new type must fit all values of the field. */
export async function updateCustomField(
  tx: OpenTransaction,
  actor: Actor,
  ref: Id,
  change: CustomFieldChange,
  now: Date,
): Promise<CustomFieldRow> {
  const { accountId } = actor;
  // Writers of values share this lock, so no value is stored between the comparison and the change.
  const field = await lockCustomField(tx, actor, ref);
  const type = change.data_type;
  if (type !== undefined && type !== field.data_type) refuse(await typeProblems(tx, field, type));
  await tx
    .updateTable('custom_fields')
    .set({
      ...pick(change, stored),
      kind: kindOf(type ?? (field.data_type as DataType)),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', field.id)
    .execute();
  const after = await findCustomField(tx, actor, field.id);
  fieldEvents.record(tx, actor, 'updated', { before: field, after }, now);
  return after;
}

async function typeProblems(db: Db, field: CustomFieldRow, type: DataType): Promise<Problem[]> {
  if (isNeeded(field))
    return [
      {
        code: 'protected',
        pointer: 'data_type',
        title: `data_type of the field "${field.key}" must stay ${field.data_type}, because time accounts and the public API depend on it.`,
      },
    ];
  const values = await db
    .selectFrom('custom_field_values')
    .select('value')
    .where('account_id', '=', field.account_id)
    .where('custom_field_id', '=', field.id)
    .execute();
  const count = values.filter(({ value }) => value !== null && !fits(type, value)).length;
  return count === 0
    ? []
    : [
        {
          code: 'wrong_state',
          pointer: 'data_type',
          title: `data_type ${type} does not fit ${count} ${count === 1 ? 'value' : 'values'} of the field "${field.title}". Change or clear ${count === 1 ? 'it' : 'them'} first.`,
        },
      ];
}

/** Deletes a field and the values of all users in it. Fields that time accounts or the public API need stay. */
export async function deleteCustomField(
  tx: OpenTransaction,
  actor: Actor,
  ref: Id,
  now: Date,
): Promise<CustomFieldRow> {
  const field = await lockCustomField(tx, actor, ref);
  if (isNeeded(field))
    throw invalid(
      'protected',
      'base',
      `The field "${field.key}" of the default data profile cannot be deleted, because time accounts and the public API depend on it.`,
    );
  const { numDeletedRows } = await tx
    .deleteFrom('custom_fields')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', field.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('custom field');
  fieldEvents.record(tx, actor, 'deleted', { before: field, after: null }, now);
  return field;
}
