import { managesTransaction } from '../http/handlers.ts';
import { v3 } from '../http/v3.ts';
import { listEvents } from './events.ts';
import type { ChangeFeed } from './feed/feed.ts';
import { presentEvent } from './resource.ts';

export const eventHandlers = (feed: ChangeFeed) =>
  v3.part({
    async listEvents(call) {
      const { rows, paging } = await listEvents(call.db, call.actor, call.view);
      return { data: rows.map((row) => presentEvent(row, call)), meta: paging };
    },

    getChanges: managesTransaction(async (call) => {
      const { rows, paging, ...rest } = await feed(call);
      return { data: rows.map((row) => presentEvent(row, call)), meta: paging, ...rest };
    }),
  });
