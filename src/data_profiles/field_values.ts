import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';

/** The fields of the account's default data profile, which is its oldest. */
const defaultFields = (db: Db, accountId: number) =>
  db
    .selectFrom('custom_fields as field')
    .where('field.account_id', '=', accountId)
    .where('field.data_profile_id', '=', (from) =>
      from
        .selectFrom('data_profiles as profile')
        .where('profile.account_id', '=', accountId)
        .select((eb) => eb.fn.min('profile.id').as('id')),
    );

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
    .select(['field.id', 'field.key', 'field.title'])
    .orderBy('field.position')
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

/** Writes the given fields of the user's default data profile and leaves the others alone. */
export async function setFieldValues(
  db: Db,
  accountId: number,
  userId: number,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  const keys = Object.keys(values);
  if (keys.length === 0) return;
  const fields = await defaultFields(db, accountId)
    .where(isAnyOf('field.key', keys))
    .select(['field.id', 'field.key'])
    .execute();
  await db
    .insertInto('custom_field_values')
    .values(
      fields.map(({ id, key }) => ({
        account_id: accountId,
        custom_field_id: id,
        user_id: userId,
        value: values[key]!,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'user_id', 'custom_field_id'])
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    )
    .execute();
}
