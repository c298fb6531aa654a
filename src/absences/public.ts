import type { components } from '../../generated/public.ts';
import { refuse } from '../core/errors.ts';
import { isNamed, refIn } from '../core/names.ts';
import { cityOf, localForm, utcForm, utcFormOrNull } from '../core/time.ts';
import { pageIn, pageMembers } from '../http/answers/pages.ts';
import { publicApi } from '../http/public.ts';
import { userNamed } from '../users/users.ts';
import { workspaceNamed } from '../workspaces/workspaces.ts';
import { deleteAbsence, findAbsence } from './absences.ts';
import { createAbsence } from './create.ts';
import { decideAbsence } from './decide.ts';
import { listAbsencesInRange } from './list_in_range.ts';
import type { AbsenceRow } from './rows.ts';
import { updateAbsence } from './update.ts';

type Schemas = components['schemas'];

const confirmed: Readonly<Record<string, boolean | null>> = { confirmed: true, rejected: false, pending: null };

/** An absence as writes and lists show it: with times in UTC. */
const presentAbsence = (row: AbsenceRow): Schemas['Absence'] => ({
  id: row.id,
  absence_type_id: row.absence_type_id,
  user_id: row.user_id,
  title: row.title,
  starts_at: utcForm(row.starts_at),
  ends_at: utcForm(row.ends_at),
  time_zone: cityOf(zoneOf(row)),
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
const presentJudgedAbsence = (row: AbsenceRow): Schemas['AbsenceJudged'] => ({
  ...presentAbsence(row),
  absence_type_external_id: row.absence_type_external_id,
  starts_at: localForm(row.starts_at, zoneOf(row)),
  ends_at: localForm(row.ends_at, zoneOf(row)),
  confirmed: confirmed[row.confirmation_status]!,
});

const presentShownAbsence = (row: AbsenceRow): Schemas['AbsenceShown'] => ({
  ...presentJudgedAbsence(row),
  uuid: row.uuid,
  status: 'active',
});

/** The zone of an absence: its own, otherwise that of its location. */
const zoneOf = (row: AbsenceRow): string => row.time_zone ?? row.workspace_time_zone;

/** The times and the amount in a body. The amount goes by other names here than in the resource API. */
const timesAndAmountIn = (absence: Schemas['AbsenceCreation']['absence'] | Schemas['AbsenceUpdate']['absence']) => ({
  starts_at: absence.starts_at,
  ends_at: absence.ends_at,
  time_zone: absence.time_zone,
  full_day: absence.full_day,
  use_custom_values: absence.force_calc_custom_hours,
  hours: absence.paid_hours,
  days: absence.vacation_days,
});

export const publicAbsenceHandlers = publicApi.part({
  async findPublicAbsences(call) {
    const { db, actor, query } = call;
    if (isNamed('', query)) return presentShownAbsence(await findAbsence(db, actor, refIn('', query)));
    const { range_start, range_end } = query;
    const missing = Object.entries({ range_start, range_end }).filter(([, value]) => value === undefined);
    refuse(
      missing.map(([pointer]) => ({
        pointer,
        title: `${pointer} is required unless id or external_id names one absence.`,
      })),
    );

    const user = isNamed('user_', query) ? refIn('user_', query) : undefined;
    const location = isNamed('location_', query) ? refIn('location_', query) : undefined;
    // The id of a deleted user still finds their absences.
    const userId =
      user && ((await userNamed(db, actor, user))?.id ?? (user.external_id === undefined ? user.id : noRecord));
    const workspaceId = location && ((await workspaceNamed(db, actor, location))?.id ?? noRecord);
    const { rows, paging } = await listAbsencesInRange(
      db,
      actor,
      { range_start: range_start!, range_end: range_end! },
      { userId, workspaceId },
      pageIn(call),
    );
    return { absences: rows.map(presentAbsence), ...pageMembers(paging, call) };
  },

  async createPublicAbsence({ db, actor, body: { absence }, now }) {
    const input = {
      ...timesAndAmountIn(absence),
      absence_type: refIn('absence_type_', absence),
      user: refIn('user_', absence),
      external_id: absence.external_id,
    };
    return presentAbsence(await createAbsence(db, actor, input, now));
  },

  async updatePublicAbsence({ db, actor, body: { absence }, now }) {
    return presentAbsence(await updateAbsence(db, actor, refIn('', absence), timesAndAmountIn(absence), now));
  },

  async confirmPublicAbsence({ db, actor, body, now }) {
    return presentJudgedAbsence(await decideAbsence(db, actor, refIn('', body.absence), 'confirmed', now));
  },

  async resetPublicAbsence({ db, actor, body, now }) {
    return presentJudgedAbsence(await decideAbsence(db, actor, refIn('', body.absence), 'pending', now));
  },

  async rejectPublicAbsence({ db, actor, body, now }) {
    return presentJudgedAbsence(await decideAbsence(db, actor, refIn('', body.absence), 'rejected', now));
  },

  async deletePublicAbsence({ db, actor, body, query }) {
    await deleteAbsence(db, actor, refIn('', body?.absence, query));
  },
});

/** An id that no record has, for an unknown name in a filter: it matches nothing. */
const noRecord = 0;
