import { v3 } from '../../platform/http/v3.ts';
import { listHolidayRegions } from './holiday_regions.ts';
import {
  createPublicHoliday,
  deletePublicHoliday,
  listPublicHolidays,
  updatePublicHoliday,
} from './public_holidays.ts';
import { holidayRegion, presentPublicHoliday } from './resource.ts';

export const publicHolidayHandlers = v3.part({
  async listPublicHolidays(call) {
    const { rows, paging } = await listPublicHolidays(call.db, call.actor, call.queryOptions, call.now);
    return { data: rows.map((row) => presentPublicHoliday(row, call)), meta: paging };
  },

  async createPublicHoliday(call) {
    const row = await createPublicHoliday(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: presentPublicHoliday(row, call) };
  },

  async updatePublicHoliday(call) {
    const { public_holiday_id } = call.params;
    const row = await updatePublicHoliday(call.db, call.actor, public_holiday_id, call.body.data.attributes, call.now);
    return { data: presentPublicHoliday(row, call) };
  },

  async deletePublicHoliday(call) {
    const row = await deletePublicHoliday(call.db, call.actor, call.params.public_holiday_id, call.query, call.now);
    return { data: presentPublicHoliday(row, call) };
  },

  async listHolidayRegions(call) {
    const { rows, paging } = await listHolidayRegions(call.db, call.queryOptions);
    return { data: rows.map(({ id, country, name }) => holidayRegion({ id, country, name })), meta: paging };
  },
});
