import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { boolean, number, text, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';

const columns: Columns = {
  id: number('data_profiles.id'),
  position: number('data_profiles.position'),
  user_checkin: boolean('data_profiles.user_checkin'),
  enabled: boolean('data_profiles.enabled'),
  title: text('data_profiles.title'),
};

const dataProfileRows = (db: Db, accountId: number) =>
  db
    .selectFrom('data_profiles')
    .where('data_profiles.account_id', '=', accountId)
    .selectAll('data_profiles')
    .select(
      sql<number[]>`array(
        select field.id from custom_fields field
        where field.account_id = ${accountId} and field.data_profile_id = data_profiles.id
        order by field.position, field.id)`.as('custom_field_ids'),
    );

export type DataProfileRow = Awaited<ReturnType<ReturnType<typeof dataProfileRows>['executeTakeFirstOrThrow']>>;

/** Which further facts the account keeps about its users. */
export function listDataProfiles(db: Db, { accountId }: Actor, selection: Selection) {
  const visible = db.selectFrom('data_profiles').where('data_profiles.account_id', '=', accountId);
  const rows = dataProfileRows(db, accountId);
  return list(db, { visible, rows, id: 'data_profiles.id', columns }, selection);
}

const customFieldRows = (db: Db, accountId: number) =>
  db.selectFrom('custom_fields').selectAll().where('account_id', '=', accountId);

export type CustomFieldRow = Awaited<ReturnType<ReturnType<typeof customFieldRows>['executeTakeFirstOrThrow']>>;

export const customFieldsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<CustomFieldRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : customFieldRows(db, accountId)
        .where('id', 'in', [...new Set(ids)])
        .orderBy('id')
        .execute();

const customFieldValueRows = (db: Db, accountId: number) =>
  db
    .selectFrom('custom_field_values as value')
    .innerJoin('custom_fields as field', (join) =>
      join.on('field.account_id', '=', accountId).onRef('field.id', '=', 'value.custom_field_id'),
    )
    .where('value.account_id', '=', accountId)
    .select(['value.id', 'value.value', 'value.user_id', 'field.id as custom_field_id', 'field.key', 'field.title']);

export type CustomFieldValueRow = Awaited<
  ReturnType<ReturnType<typeof customFieldValueRows>['executeTakeFirstOrThrow']>
>;

export const customFieldValuesByIds = (
  db: Db,
  { accountId }: Actor,
  ids: readonly number[],
): Promise<CustomFieldValueRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : customFieldValueRows(db, accountId)
        .where('value.id', 'in', [...new Set(ids)])
        .orderBy('value.id')
        .execute();
