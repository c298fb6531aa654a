import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { list, type Selection } from '../db/list/list.ts';
import { listColumns } from '../db/list/columns.ts';
import { rowsByIds } from '../db/rows_by_ids.ts';

const columns = listColumns('listDataProfiles', 'data_profiles');

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

/** The data profiles of the account: groups of custom fields about its users. */
export function listDataProfiles(db: Db, { accountId }: Actor, selection: Selection) {
  const visible = db.selectFrom('data_profiles').where('data_profiles.account_id', '=', accountId);
  const rows = dataProfileRows(db, accountId);
  return list(db, { visible, rows, id: 'data_profiles.id', columns, timeZone: 'UTC' }, selection);
}

const customFieldRows = (db: Db, accountId: number) =>
  db.selectFrom('custom_fields').selectAll().where('account_id', '=', accountId);

export type CustomFieldRow = Awaited<ReturnType<ReturnType<typeof customFieldRows>['executeTakeFirstOrThrow']>>;

export const customFieldsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<CustomFieldRow[]> =>
  rowsByIds(customFieldRows(db, accountId), 'custom_fields.id', ids);

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
): Promise<CustomFieldValueRow[]> => rowsByIds(customFieldValueRows(db, accountId), 'value.id', ids);
