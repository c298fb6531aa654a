import { v3 } from '../../platform/http/v3.ts';
import { findBalance, findUserDays } from './ledger.ts';
import { presentRecordsSummary, presentUserDay } from './resource.ts';

export const ledgerHandlers = v3.part({
  async getUserDays(call) {
    const days = await findUserDays(call.db, call.actor, call.params.user_id, call.query);
    return { data: days.map(presentUserDay) };
  },

  async getRecordsSummary({ db, actor, params, query, now }) {
    const { userId, balance } = await findBalance(db, actor, params.user_id, query.date, now);
    return { data: presentRecordsSummary(userId, balance) };
  },
});
