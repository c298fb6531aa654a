import { pagingOf } from '../../platform/db/list/list.ts';
import { v3 } from '../../platform/http/v3.ts';
import { countRecords } from './summaries.ts';
import { presentUserSummary } from './resource.ts';
import { listUserSummaries } from './user_summaries.ts';

export const userSummaryHandlers = v3.part({
  async listUserSummaries(call) {
    const { rows, paging } = await listUserSummaries(call.db, call.actor, call.query, call.queryOptions);
    return { data: rows.map(presentUserSummary), meta: paging };
  },

  async getSummary({ db, actor, query }) {
    const counts = await countRecords(db, actor, query.resource, query.scopes);
    return { data: [], meta: { ...pagingOf({ page: 1, items: 20, outset: 0 }, 0), ...counts } };
  },
});
