import { included } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { createBreak, deleteBreak, findBreak, listBreaks, updateBreak } from './breaks.ts';
import { breakLoaders } from './includes.ts';
import { presentBreak } from './resource.ts';

export const breakHandlers = v3.part({
  async listBreaks(call) {
    const { rows, paging } = await listBreaks(call.db, call.actor, call.params.time_tracking_id, call.queryOptions);
    return {
      data: rows.map((row) => presentBreak(row, call)),
      ...(await included(call, rows, breakLoaders)),
      meta: paging,
    };
  },

  async createBreak(call) {
    const { starts_at, ends_at } = call.body.data.attributes;
    return {
      data: presentBreak(
        await createBreak(call.db, call.actor, call.params.time_tracking_id, { starts_at, ends_at }, call.now),
        call,
      ),
    };
  },

  async getBreak(call) {
    const row = await findBreak(call.db, call.actor, call.params.time_tracking_id, call.params.break_id);
    return { data: presentBreak(row, call), ...(await included(call, [row], breakLoaders)) };
  },

  async updateBreak(call) {
    const { starts_at, ends_at } = call.body.data.attributes;
    const { time_tracking_id, break_id } = call.params;
    return {
      data: presentBreak(
        await updateBreak(call.db, call.actor, time_tracking_id, break_id, { starts_at, ends_at }, call.now),
        call,
      ),
    };
  },

  async deleteBreak(call) {
    return {
      data: presentBreak(
        await deleteBreak(call.db, call.actor, call.params.time_tracking_id, call.params.break_id, call.now),
        call,
      ),
    };
  },
});
