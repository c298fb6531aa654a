import type { components } from '../../../generated/public.ts';
import { refuse } from '../../platform/core/errors.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { userNamed } from '../../organisation/users/users.ts';
import { workspaceNamed } from '../../organisation/workspaces/workspaces.ts';
import { deleteAbsence, findAbsence } from './absences.ts';
import { createAbsence } from './create.ts';
import { decideAbsence } from './decide.ts';
import { listAbsencesInRange } from './list_in_range.ts';
import { presentPublicAbsence, presentPublicAbsenceInFull, presentPublicDecision } from './public_resource.ts';
import { updateAbsence } from './update.ts';

type Schemas = components['schemas'];

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
    if (isNamed('', query)) return presentPublicAbsenceInFull(await findAbsence(db, actor, refIn('', query)));
    const { range_start, range_end } = query;
    const missing = Object.entries({ range_start, range_end }).filter(([, value]) => value === undefined);
    refuse(
      missing.map(([pointer]) => ({
        code: 'required',
        pointer,
        title: `${pointer} is required unless id or external_id names one absence.`,
      })),
    );

    const user = isNamed('user_', query) ? refIn('user_', query) : undefined;
    const location = isNamed('location_', query) ? refIn('location_', query) : undefined;
    const userId = user && ((await userNamed(db, actor, user))?.id ?? noRecord);
    const workspaceId = location && ((await workspaceNamed(db, actor, location))?.id ?? noRecord);
    const { rows, paging } = await listAbsencesInRange(
      db,
      actor,
      { range_start: range_start!, range_end: range_end! },
      { userId, workspaceId },
      pageIn(call),
    );
    return { absences: rows.map(presentPublicAbsence), ...pageMembers(paging, call) };
  },

  async createPublicAbsence({ db, actor, body: { absence }, now }) {
    const input = {
      ...timesAndAmountIn(absence),
      absence_type: refIn('absence_type_', absence),
      user: refIn('user_', absence),
      external_id: absence.external_id,
    };
    return presentPublicAbsence(await createAbsence(db, actor, input, now));
  },

  async updatePublicAbsence({ db, actor, body: { absence }, now }) {
    // A type without an external id is shown with null.
    const isTyped = [absence.absence_type_id, absence.absence_type_external_id].some((name) => (name ?? '') !== '');
    const absence_type = isTyped ? refIn('absence_type_', absence) : undefined;
    const change = { ...timesAndAmountIn(absence), absence_type };
    return presentPublicAbsence(await updateAbsence(db, actor, refIn('', absence), change, now));
  },

  async confirmPublicAbsence({ db, actor, body, now }) {
    return presentPublicDecision(await decideAbsence(db, actor, refIn('', body.absence), 'confirmed', now));
  },

  async resetPublicAbsence({ db, actor, body, now }) {
    return presentPublicDecision(await decideAbsence(db, actor, refIn('', body.absence), 'pending', now));
  },

  async rejectPublicAbsence({ db, actor, body, now }) {
    return presentPublicDecision(await decideAbsence(db, actor, refIn('', body.absence), 'rejected', now));
  },

  async deletePublicAbsence({ db, actor, body, query, now }) {
    await deleteAbsence(db, actor, refIn('', body?.absence, query), now);
  },
});

/** An id that no record has, for an unknown name in a filter: it matches nothing. */
const noRecord = 0;
