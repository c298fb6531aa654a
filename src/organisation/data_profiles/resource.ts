import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { many, one, resource, type Flat } from '../../platform/http/answers/jsonapi.ts';
import type { CustomFieldRow } from './custom_fields.ts';
import { leastRoleOf, type DataProfileRow } from './data_profiles.ts';
import type { DataType } from './data_types.ts';
import type { CustomFieldValueRow } from './field_values.ts';

type Schemas = components['schemas'];
type Permissions = Schemas['PermissionFlags'];

const dataProfile = resource('data_profile', fields.DataProfile);
const customField = resource('custom_field', fields.CustomField);
const customFieldValue = resource('custom_field_value', fields.CustomFieldValue);

/** The attributes that a data profile has for everybody. */
export const flatDataProfile = (row: DataProfileRow, permissions: Permissions): Flat<Schemas['DataProfile']> => ({
  id: row.id,
  permissions,
  position: row.position,
  user_checkin: row.user_checkin,
  enabled: row.enabled,
  title: row.title,
  least_role: leastRoleOf(row),
});

export const presentDataProfile = (row: DataProfileRow, permissions: Permissions) =>
  dataProfile(flatDataProfile(row, permissions), { custom_fields: many('custom_field', row.custom_field_ids) });

export const presentCustomField = (row: CustomFieldRow) =>
  customField(
    {
      id: row.id,
      title: row.title,
      data_type: row.data_type as DataType,
      position: row.position,
      key: row.key,
      kind: row.data_type === 'date' ? 'date' : 'text',
    },
    { data_profile: one('data_profile', row.data_profile_id) },
  );

export const presentCustomFieldValue = (row: CustomFieldValueRow) =>
  customFieldValue(
    { id: row.id, key: row.key, title: row.title, value: row.value, data_type: row.data_type as DataType },
    { custom_field: one('custom_field', row.custom_field_id) },
  );
