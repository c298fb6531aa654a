import type { components } from '../../../generated/public.ts';
import { cityOf, localForm, utcForm, utcFormOrNull } from '../../platform/core/time.ts';
import type { AbsenceRow } from './rows.ts';
import { publicSpan, publicZone } from './span.ts';

type Schemas = components['schemas'];

const confirmed: Readonly<Record<string, boolean | null>> = { confirmed: true, rejected: false, pending: null };

/** An absence as writes and lists show it: with times in UTC. */
export const presentPublicAbsence = (row: AbsenceRow): Schemas['Absence'] => ({
  id: row.id,
  absence_type_id: row.absence_type_id,
  user_id: row.user_id,
  title: row.title,
  starts_at: utcForm(publicSpan(row).starts_at),
  ends_at: utcForm(publicSpan(row).ends_at),
  time_zone: cityOf(publicZone(row)),
  full_day: row.full_day,
  external_id: row.external_id,
  force_calc_custom_hours: row.use_custom_values,
  paid_hours: row.hours,
  vacation_days: row.days,
  confirm: null,
  confirmed_at: utcFormOrNull(row.confirmed_at),
  confirmed_by: row.confirmed_by_user_id,
  confirm_message: row.confirm_message,
  created_at: utcForm(row.created_at),
  updated_at: utcForm(row.updated_at),
  created_by: row.created_by_user_id,
  note: null,
  charge_days_job_status: row.charge_days_job_status,
  import_id: row.import_id,
  outlook_id: row.outlook_id,
  secure_id: row.secure_id,
});

/** An absence with its decision, and with local times. */
export const presentPublicDecision = (row: AbsenceRow): Schemas['AbsenceJudged'] => ({
  ...presentPublicAbsence(row),
  absence_type_external_id: row.absence_type_external_id,
  starts_at: localForm(publicSpan(row).starts_at, publicZone(row)),
  ends_at: localForm(publicSpan(row).ends_at, publicZone(row)),
  confirmed: confirmed[row.confirmation_status]!,
});

export const presentPublicAbsenceInFull = (row: AbsenceRow): Schemas['AbsenceShown'] => ({
  ...presentPublicDecision(row),
  uuid: row.uuid,
  status: 'active',
});
