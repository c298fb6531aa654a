import { presentAbsence } from '../../absence/absences/resource.ts';
import { v3 } from '../../platform/http/v3.ts';
import { presentTimeTracking } from '../../working_time/time_trackings/resource.ts';
import { restoreAbsence } from './restore_absence.ts';
import { restoreTimeTracking } from './restore_time_tracking.ts';

export const restorationHandlers = v3.part({
  async restoreTimeTracking(call) {
    const row = await restoreTimeTracking(call.db, call.actor, call.params.time_tracking_id, call.now);
    return { data: presentTimeTracking(row, call) };
  },

  async restoreAbsence(call) {
    const row = await restoreAbsence(call.db, call.actor, call.params.absence_id, call.now);
    return { data: presentAbsence(row, call) };
  },
});
