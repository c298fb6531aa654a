import { refIn } from '../../platform/core/names.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { listPayrolls } from './payrolls.ts';
import { presentPayroll } from './public_resource.ts';

export const payrollHandlers = publicApi.part({
  async listPayrolls(call) {
    const { rows, paging } = await listPayrolls(call.db, call.actor, refIn('user_', call.query), pageIn(call));
    return { payrolls: rows.map(presentPayroll), ...pageMembers(paging, call) };
  },
});
