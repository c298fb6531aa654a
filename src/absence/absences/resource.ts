import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { utcForm, utcFormOrNull } from '../../platform/core/time.ts';
import { many, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { AbsenceSpan, Amount } from '../../days/balance/measure_absence.ts';
import type { AbsenceRow } from './rows.ts';

type Schemas = components['schemas'];
type Absence = Schemas['Absence'];

const absence = resource('absence', fields.Absence);

/** The state of an absence as a boolean; null while it is pending. */
const confirmedOf = ({ confirmation_status }: Pick<AbsenceRow, 'confirmation_status'>): boolean | null =>
  confirmation_status === 'pending' ? null : confirmation_status === 'confirmed';

export const presentAbsence = (row: AbsenceRow, { actor, queryOptions }: PresentContext) =>
  absence(
    {
      id: row.id,
      permissions: permissionsOf(actor, 'absence', row, queryOptions.permissions),
      title: row.title,
      hours: row.hours,
      days: row.days,
      full_day: row.full_day,
      confirmation_status: row.confirmation_status as Absence['attributes']['confirmation_status'],
      confirmed: confirmedOf(row),
      created_by: row.created_by,
      use_custom_values: row.use_custom_values,
      external_id: row.external_id,
      confirm_message: row.confirm_message,
      attachments_count: row.attachment_ids.length,
      system_notes_count: row.system_notes_count,
      user_notes_count: row.note_ids.length - row.system_notes_count,
      starts_at: utcForm(row.starts_at),
      ends_at: utcForm(row.ends_at),
      confirmed_at: utcFormOrNull(row.confirmed_at),
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
      half_start: row.half_start,
      half_end: row.half_end,
    },
    {
      absence_type: one('absence_type', row.absence_type_id),
      user: one('user_overview', row.user_id),
      confirmed_by_user: one('user_overview', row.confirmed_by_user_id),
      followers: many('user_overview', row.follower_ids),
      notes: many('note', row.note_ids),
      attachments: many('attachment', row.attachment_ids),
    },
  );

const calculation = resource('absences_calculation', fields.AbsencesCalculation);

/** A calculation. Nothing is stored, so the id of the request serves as its id. */
export const presentCalculation = (
  result: AbsenceSpan & Amount & { full_day: boolean; user_id: number },
  requestId: string,
) =>
  calculation(
    {
      id: requestId,
      starts_at: utcForm(result.starts_at),
      ends_at: utcForm(result.ends_at),
      full_day: result.full_day,
      days: result.days,
      hours: result.hours,
    },
    { user: one('user_overview', result.user_id) },
  );
