import { refIn } from '../../platform/core/names.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { listTargetHoursOnDays } from './list_on_days.ts';
import { presentPublicTargetHour } from './public_resource.ts';

export const publicTargetHourHandlers = publicApi.part({
  async listPublicTargetHours(call) {
    const { db, actor, query } = call;
    const { rows, paging } = await listTargetHoursOnDays(db, actor, refIn('user_', query), query, pageIn(call));
    return { target_hours: rows.map(presentPublicTargetHour), ...pageMembers(paging, call) };
  },
});
