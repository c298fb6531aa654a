import { v3 } from '../http/v3.ts';
import { presentUserSummary } from './resource.ts';
import { listUserSummaries } from './user_summaries.ts';

export const userSummaryHandlers = v3.part({
  async listUserSummaries(call) {
    const { rows, paging } = await listUserSummaries(call.db, call.actor, call.query, call.view);
    return { data: rows.map(presentUserSummary), meta: paging };
  },
});
