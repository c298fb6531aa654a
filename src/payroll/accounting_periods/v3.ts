import { v3 } from '../../platform/http/v3.ts';
import { listAccountingPeriods, reopenMonth, showAccountingPeriod } from './accounting_periods.ts';
import { closeMonth } from './close.ts';
import { presentAccountingPeriod } from './resource.ts';

export const accountingPeriodHandlers = v3.part({
  async listAccountingPeriods(call) {
    const { rows, paging } = await listAccountingPeriods(call.db, call.actor, call.queryOptions);
    return { data: rows.map((row) => presentAccountingPeriod(row, call)), meta: paging };
  },

  async createAccountingPeriods(call) {
    const rows = await closeMonth(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: rows.map((row) => presentAccountingPeriod(row, call)) };
  },

  async getAccountingPeriod(call) {
    const row = await showAccountingPeriod(call.db, call.actor, call.params.accounting_period_id);
    return { data: presentAccountingPeriod(row, call) };
  },

  async deleteAccountingPeriod(call) {
    const { accounting_period_id } = call.params;
    const row = await reopenMonth(call.db, call.actor, accounting_period_id, call.query.reason, call.now);
    return { data: presentAccountingPeriod(row, call) };
  },
});
