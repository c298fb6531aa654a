import type { components } from '../../generated/v3.ts';
import { many, one, presenter } from '../http/answers/jsonapi.ts';
import type { CustomFieldRow, CustomFieldValueRow, DataProfileRow } from './data_profiles.ts';

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
    },
    relationships: { custom_fields: many('custom_field', row.custom_field_ids) },
  });

export const presentCustomField = (row: CustomFieldRow): Schemas['CustomField'] =>
  customField({
    id: row.id,
    attributes: { title: row.title, key: row.key, kind: row.kind as 'text' | 'date', position: row.position },
  });

export const presentCustomFieldValue = (row: CustomFieldValueRow): Schemas['CustomFieldValue'] =>
  customFieldValue({
    id: row.id,
    attributes: { key: row.key, title: row.title, value: row.value },
    relationships: { custom_field: one('custom_field', row.custom_field_id) },
  });
