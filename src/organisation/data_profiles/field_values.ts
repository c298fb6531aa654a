import { sql } from 'kysely';
import type { Problem } from '../../platform/core/errors.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { shareDataProfile } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import type { EventActor } from '../../platform/events/record.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { remeasureAbsences } from '../../days/balance/remeasure_absences.ts';
import { customFieldRows, isNeeded, type CustomFieldRow } from './custom_fields.ts';
import { defaultProfileId } from './data_profiles.ts';
import { formProblems } from './data_types.ts';

/** The fields of the account's default data profile. */
const defaultFields = (db: Db, accountId: number) =>
  customFieldRows(db, accountId).where('custom_fields.data_profile_id', '=', defaultProfileId(accountId));

const customFieldValueRows = (db: Db, accountId: number) =>
  db
    .selectFrom('custom_field_values as value')
    .innerJoin('custom_fields as field', (join) =>
      join.on('field.account_id', '=', accountId).onRef('field.id', '=', 'value.custom_field_id'),
    )
    .where('value.account_id', '=', accountId)
    .select(['value.id', 'value.value', 'value.user_id'])
    .select(['field.id as custom_field_id', 'field.key', 'field.title', 'field.data_type']);

export type CustomFieldValueRow = Awaited<
  ReturnType<ReturnType<typeof customFieldValueRows>['executeTakeFirstOrThrow']>
>;

export const customFieldValuesByIds = (
  db: Db,
  { accountId }: Actor,
  ids: readonly number[],
): Promise<CustomFieldValueRow[]> => rowsByIds(customFieldValueRows(db, accountId), 'value.id', ids);

export interface FieldValue {
  readonly label: string;
  readonly value: string | null;
}

/** The fields of the default data profile for each user, by key. Fields without a value are included. */
export async function fieldValuesOf(
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  userIds: readonly number[],
): Promise<Map<number, Map<string, FieldValue>>> {
  const fields = await defaultFields(db, accountId)
    .orderBy('custom_fields.position')
    .orderBy('custom_fields.id')
    .execute();
  const values = await db
    .selectFrom('custom_field_values')
    .select(['custom_field_id', 'user_id', 'value'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', sql<number>`any(${userIds}::bigint[])`)
    .execute();
  const known = new Map(values.map((row) => [`${row.user_id} ${row.custom_field_id}`, row.value]));
  return new Map(
    userIds.map((userId) => [
      userId,
      new Map(fields.map(({ id, key, title }) => [key, { label: title, value: known.get(`${userId} ${id}`) ?? null }])),
    ]),
  );
}

/** A new value of a user in a field. */
export interface NewFieldValue {
  readonly field: CustomFieldRow;
  readonly value: string | null;
}

/** The values of fields of the default data profile, by key. Fields that the contract of the public API names take any text. */
export async function fieldValuesNamed(
  tx: OpenTransaction,
  accountId: number,
  values: Readonly<Record<string, string | null>>,
): Promise<{ values: NewFieldValue[]; problems: Problem[] }> {
  if (Object.keys(values).length === 0) return { values: [], problems: [] };
  await shareDataProfile(tx, { accountId, id: null });
  const fields = new Map((await defaultFields(tx, accountId).execute()).map((field) => [field.key, field]));
  const given = Object.entries(values).map(([key, value]) => ({ key, value, field: fields.get(key) }));
  return {
    values: given.flatMap(({ field, value }) => (field ? [{ field, value }] : [])),
    problems: given.flatMap(({ key, value, field }) => {
      const pointer = `data_profiles/${key}`;
      if (!field)
        return [{ code: 'unknown_name', pointer, title: `${pointer} is no field of the default data profile.` }];
      return isNeeded(field) ? [] : formProblems(pointer, field, value);
    }),
  };
}

/** Stores new values of a user and leaves the others alone. */
export async function storeFieldValues(
  db: Db,
  accountId: number,
  userId: number,
  values: readonly NewFieldValue[],
): Promise<void> {
  if (values.length === 0) return;
  await db
    .insertInto('custom_field_values')
    .values(
      values.map(({ field, value }) => ({
        account_id: accountId,
        custom_field_id: field.id,
        user_id: userId,
        value: value === '' ? null : value,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'user_id', 'custom_field_id'])
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}

/** Stores new values of a user. A new end of the contract measures the absences of the user again. */
export async function changeFieldValues(
  tx: OpenTransaction,
  actor: EventActor,
  userId: number,
  values: readonly NewFieldValue[],
  { resetsConfirmed }: { readonly resetsConfirmed: boolean },
  now: Date,
): Promise<void> {
  await storeFieldValues(tx, actor.accountId, userId, values);
  if (values.some(({ field }) => isNeeded(field) && field.key === 'end_of_contract'))
    await remeasureAbsences(tx, actor, [userId], { from: null, resetsConfirmed }, now);
}
