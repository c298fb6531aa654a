import { may } from '../../platform/core/permissions.ts';
import { localTime } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { factsOfUser } from '../../organisation/users/rows.ts';
import { presentTargetHour } from './resource.ts';
import {
  createTargetHour,
  deleteTargetHour,
  findTargetHour,
  listTargetHours,
  updateTargetHour,
} from './target_hours.ts';

export const targetHourHandlers = v3.part({
  async listTargetHours(call) {
    const { rows, paging, user, lastWritten } = await listTargetHours(
      call.db,
      call.actor,
      call.params.user_id,
      call.queryOptions,
    );
    const meta = {
      ...paging,
      can_create_target_hours: may(call.actor, 'change_target_hours', 'user', factsOfUser(user)),
      last_updated_at: localTime(lastWritten.updated_at, call),
      ...(lastWritten.updated_by === null ? {} : { last_updated_by: lastWritten.updated_by }),
    };
    return { data: rows.map((row) => presentTargetHour({ row, user }, call)), meta };
  },

  async createTargetHour(call) {
    const { attributes } = call.body.data;
    return {
      data: presentTargetHour(
        await createTargetHour(call.db, call.actor, call.params.user_id, attributes, call.now),
        call,
      ),
    };
  },

  async getTargetHour(call) {
    const { user_id, target_hour_id } = call.params;
    return { data: presentTargetHour(await findTargetHour(call.db, call.actor, user_id, target_hour_id), call) };
  },

  async updateTargetHour(call) {
    const { user_id, target_hour_id } = call.params;
    const { attributes } = call.body.data;
    return {
      data: presentTargetHour(
        await updateTargetHour(call.db, call.actor, user_id, target_hour_id, attributes, call.now),
        call,
      ),
    };
  },

  async deleteTargetHour(call) {
    const { user_id, target_hour_id } = call.params;
    const deleted = await deleteTargetHour(call.db, call.actor, user_id, target_hour_id, call.query, call.now);
    return { data: presentTargetHour(deleted, call) };
  },
});
