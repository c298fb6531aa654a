import * as fields from '../../../generated/fields.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { utcForm } from '../../platform/core/time.ts';
import { many, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { ShiftRow } from './rows.ts';

const event = resource('event', fields.Shift);

export const presentShift = (row: ShiftRow, { actor, queryOptions }: PresentContext) =>
  event(
    {
      id: row.id,
      permissions: permissionsOf(actor, 'shift', row, queryOptions.permissions),
      uuid: row.uuid,
      number_of_employees: row.number_of_employees,
      starts_at: utcForm(row.starts_at),
      ends_at: utcForm(row.ends_at),
      note: row.note,
      visible: row.visible,
      edited: row.edited,
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
    },
    {
      working_area: one('area', row.area_id),
      // Shifts neither repeat nor have breaks. The contract keeps the names for older clients.
      recurrence: null,
      users: many('user', row.user_ids),
      event_pauses: [],
      tags: many('tag', row.tag_ids),
    },
  );
