import { may } from '../../platform/core/permissions.ts';
import { included, related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { newTimeTracking } from '../time_trackings/create.ts';
import { presentTimeTracking } from '../time_trackings/resource.ts';
import { factsOf } from '../time_trackings/rows.ts';
import { timeTrackingsByIds } from '../time_trackings/time_trackings.ts';
import { presentUser } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import { checkTimeTracking } from './check.ts';
import { presentCheck, presentViolation } from './resource.ts';
import { acknowledgeViolation, findViolation, listViolations, type ViolationRow } from './working_time_violations.ts';

const loaders: Record<string, Loader<ViolationRow, Schemas['User'] | Schemas['TimeTracking']>> = {
  user: related((row) => [row.user_id], usersByIds, presentUser),
  // An actor who reads a violation cannot always read its time tracking. Such a tracking is named, but not included.
  time_tracking: async (rows, loading) => {
    const ids = rows.map((row) => row.time_tracking_id).filter((id) => id !== null);
    const trackings = await timeTrackingsByIds(loading.db, loading.actor, ids);
    return trackings
      .filter((row) => may(loading.actor, 'read', 'time_tracking', factsOf(row)))
      .map((row) => presentTimeTracking(row, loading));
  },
  acknowledged_by: related((row) => [row.acknowledged_by_user_id], usersByIds, presentUser),
};

export const workingTimeViolationHandlers = v3.part({
  async checkTimeTracking(call) {
    const expected = await checkTimeTracking(call.db, call.actor, newTimeTracking(call.body), call.now);
    return { data: presentCheck(expected, call.requestId) };
  },

  async listWorkingTimeViolations(call) {
    const { rows, paging } = await listViolations(call.db, call.actor, call.queryOptions);
    return {
      data: rows.map((row) => presentViolation(row, call)),
      ...(await included(call, rows, loaders)),
      meta: paging,
    };
  },

  async getWorkingTimeViolation(call) {
    const row = await findViolation(call.db, call.actor, call.params.working_time_violation_id);
    return { data: presentViolation(row, call), ...(await included(call, [row], loaders)) };
  },

  async acknowledgeWorkingTimeViolation(call) {
    const { reason } = call.body.data.attributes;
    const row = await acknowledgeViolation(
      call.db,
      call.actor,
      call.params.working_time_violation_id,
      reason,
      call.now,
    );
    return { data: presentViolation(row, call) };
  },
});
