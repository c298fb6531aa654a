import type { components } from '../../../generated/public.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { ShiftRow } from './rows.ts';

export const presentPublicShift = (row: ShiftRow): components['schemas']['PublicShift'] => ({
  id: row.id,
  company_id: row.workspace_id,
  working_area_id: row.area_id,
  starts_at: utcForm(row.starts_at),
  ends_at: utcForm(row.ends_at),
  number_of_employees: row.number_of_employees,
  note: row.note,
  visible: row.visible,
  tags: row.tag_ids.map((id) => ({ id })),
  edited: row.edited,
  // The contract keeps these names for older clients.
  outlook_id: null,
  shift_id: null,
  user_shift: null,
  created_at: utcForm(row.created_at),
  updated_at: utcForm(row.updated_at),
});
