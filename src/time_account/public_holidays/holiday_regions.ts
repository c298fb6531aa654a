import type { Db } from '../../platform/db/connection.ts';
import { listComputed } from '../../platform/db/list/computed_list.ts';
import type { Selection } from '../../platform/db/list/list.ts';
import { allRegions } from '../../days/calendar/holiday_calendar.ts';

/** The regions whose public holidays are known, which are the same for all accounts. */
export const listHolidayRegions = async (db: Db, selection: Selection) =>
  listComputed(
    db,
    {
      rows: await allRegions(),
      kinds: { id: 'text', country: 'text', name: 'text' },
      timeZone: 'UTC',
      defaultSort: ['id'],
    },
    selection,
  );
