import type { components } from '../../generated/public.ts';
import { refuse } from '../core/errors.ts';
import { isNamed, refIn } from '../core/names.ts';
import { pageIn, pageMembers } from '../http/answers/pages.ts';
import { publicApi } from '../http/public.ts';
import { userNamed } from '../users/users.ts';
import { workspaceNamed } from '../workspaces/workspaces.ts';
import { createAbsence, deleteAbsence, findAbsence, updateAbsence, type AbsenceInput } from './absences.ts';
import { decideAbsence } from './confirmation.ts';
import { presentJudgedAbsence, presentPublicAbsence, presentShownAbsence } from './public_resource.ts';
import { listAbsencesInRange } from './range.ts';

type Schemas = components['schemas'];
type Written = Schemas['AbsenceCreation']['absence'] | Schemas['AbsenceUpdate']['absence'];

/** The numbers of an absence go by other names here. */
const inputIn = ({
  starts_at,
  ends_at,
  time_zone,
  full_day,
  force_calc_custom_hours,
  paid_hours,
  vacation_days,
}: Written) =>
  ({
    starts_at,
    ends_at,
    time_zone,
    full_day,
    use_custom_values: force_calc_custom_hours,
    hours: paid_hours,
    days: vacation_days,
  }) satisfies AbsenceInput;

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
    // The absences of a deleted user are still to be found by his id.
    const userId =
      user && ((await userNamed(db, actor, user))?.id ?? (user.external_id === undefined ? user.id : nobody));
    const workspaceId = location && ((await workspaceNamed(db, actor, location))?.id ?? nobody);
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
      ...inputIn(absence),
      absence_type: refIn('absence_type_', absence),
      user: refIn('user_', absence),
      external_id: absence.external_id,
    };
    return presentPublicAbsence(await createAbsence(db, actor, input, now));
  },

  async updatePublicAbsence({ db, actor, body: { absence }, now }) {
    return presentPublicAbsence(await updateAbsence(db, actor, refIn('', absence), inputIn(absence), now));
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

/** An id that nothing has: an unknown name in a filter matches nothing. */
const nobody = 0;
