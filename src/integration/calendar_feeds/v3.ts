import type { CalendarFeedRow } from '../../access/auth/calendar_feeds.ts';
import * as fields from '../../../generated/fields.ts';
import { utcForm } from '../../platform/core/time.ts';
import { one, resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { createCalendarFeed, listCalendarFeeds, revokeCalendarFeed, type Scope } from './calendar_feeds.ts';

const calendarFeed = resource('calendar_feed', fields.CalendarFeed);

const presentCalendarFeed = (row: CalendarFeedRow, url?: string) =>
  calendarFeed(
    {
      id: row.id,
      name: row.name,
      scope: row.scope as Scope,
      created_at: utcForm(row.created_at),
      ...(url === undefined ? {} : { url }),
    },
    {
      user: one('user', row.user_id),
      workspace: one('workspace', row.workspace_id),
      area: one('area', row.area_id),
    },
  );

export const calendarFeedHandlers = v3.part({
  async listCalendarFeeds({ db, actor, params, queryOptions }) {
    const { rows, paging } = await listCalendarFeeds(db, actor, params.user_id, queryOptions);
    return { data: rows.map((row) => presentCalendarFeed(row)), meta: paging };
  },

  async createCalendarFeed({ db, actor, params, body, links, now }) {
    const row = await createCalendarFeed(db, actor, params.user_id, body.data.attributes, now);
    return {
      data: presentCalendarFeed(row, `${links.origin}/calendars/${row.secret}.ics`),
      headers: { 'Cache-Control': 'no-store' },
    };
  },

  async deleteCalendarFeed({ db, actor, params, now }) {
    const row = await revokeCalendarFeed(db, actor, params.user_id, params.calendar_feed_id, now);
    return { data: presentCalendarFeed(row) };
  },
});
