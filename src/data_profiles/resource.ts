import type { components } from '../../generated/v3.ts';
import { many, one, presenter } from '../http/answers/jsonapi.ts';
import type { CustomFieldRow } from './custom_fields.ts';
import { leastRoleOf, type DataProfileRow } from './data_profiles.ts';
import type { DataType } from './data_types.ts';
import type { CustomFieldValueRow } from './field_values.ts';

type Schemas = components['schemas'];

const dataProfile = presenter<Schemas['DataProfile']>('data_profile');
const customField = presenter<Schemas['CustomField']>('custom_field');
const customFieldValue = presenter<Schemas['CustomFieldValue']>('custom_field_value');

export const presentDataProfile = (
  row: DataProfileRow,
  permissions: Record<string, boolean> | null,
): Schemas['DataProfile'] =>
  dataProfile({
    id: row.id,
    attributes: {
      permissions,
      position: row.position,
      user_checkin: row.user_checkin,
      enabled: row.enabled,
      title: row.title,
      least_role: leastRoleOf(row),
    },
    relationships: { custom_fields: many('custom_field', row.custom_field_ids) },
  });

export const presentCustomField = (row: CustomFieldRow): Schemas['CustomField'] =>
  customField({
    id: row.id,
    attributes: {
      title: row.title,
      data_type: row.data_type as DataType,
      position: row.position,
      key: row.key,
      kind: row.data_type === 'date' ? 'date' : 'text',
    },
    relationships: { data_profile: one('data_profile', row.data_profile_id) },
  });

export const presentCustomFieldValue = (row: CustomFieldValueRow): Schemas['CustomFieldValue'] =>
  customFieldValue({
    id: row.id,
    attributes: { key: row.key, title: row.title, value: row.value, data_type: row.data_type as DataType },
    relationships: { custom_field: one('custom_field', row.custom_field_id) },
  });
