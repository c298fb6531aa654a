import * as fields from '../../../generated/fields.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { listHolidayRegions } from './holiday_regions.ts';

const holidayRegion = resource('holiday_region', fields.HolidayRegion);

export const holidayRegionHandlers = v3.part({
  async listHolidayRegions(call) {
    const { rows, paging } = await listHolidayRegions(call.db, call.queryOptions);
    return {
      data: rows.map(({ id, country, name }) => holidayRegion({ id, country, name })),
      meta: paging,
    };
  },
});
