import { bearerIn, type Credentials } from '../../access/auth/credentials.ts';
import { managesTransaction } from '../../platform/http/handlers.ts';
import { requireAccess } from '../../platform/http/security/access.ts';
import { v3 } from '../../platform/http/v3.ts';
import { listEvents } from './events.ts';
import type { ChangeFeed } from './feed/feed.ts';
import { presentEvent } from './resource.ts';

export const eventHandlers = (feed: ChangeFeed, credentials: Credentials) =>
  v3.part({
    async listEvents(call) {
      const { rows, paging } = await listEvents(call.db, call.actor, call.queryOptions);
      return { data: rows.map((row) => presentEvent(row, call)), meta: paging };
    },

    getChanges: managesTransaction(async (call) => {
      const readmit = async (): Promise<void> => {
        const actor = await credentials.actorWithToken(bearerIn(call.header('Authorization')), undefined);
        requireAccess(actor, call.params, 'account_admin');
      };
      const { rows, paging, ...rest } = await feed({ ...call, readmit });
      return { data: rows.map((row) => presentEvent(row, call)), meta: paging, ...rest };
    }),
  });
