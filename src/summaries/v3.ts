import { v3 } from '../http/v3.ts';
import { countRecords } from './summaries.ts';

export const summaryHandlers = v3.part({
  async getSummary({ db, actor, query }) {
    return { data: [], meta: await countRecords(db, actor, query.resource, query.scopes) };
  },
});
