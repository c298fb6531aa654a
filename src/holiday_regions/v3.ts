import { presenter } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { listHolidayRegions } from './holiday_regions.ts';

const holidayRegion = presenter<Schemas['HolidayRegion']>('holiday_region');

export const holidayRegionHandlers = v3.part({
  async listHolidayRegions(call) {
    const { rows, paging } = await listHolidayRegions(call.db, call.view);
    return {
      data: rows.map(({ id, country, name }) => holidayRegion({ id, attributes: { country, name } })),
      meta: paging,
    };
  },
});
