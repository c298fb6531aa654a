import type { components } from '../../../generated/public.ts';
import { apiTokenIn, type Credentials } from '../../access/auth/credentials.ts';
import { utcForm } from '../../platform/core/time.ts';
import { managesTransaction } from '../../platform/http/handlers.ts';
import { publicApi } from '../../platform/http/public.ts';
import type { EventRow } from './events.ts';
import type { ChangeFeed } from './feed/feed.ts';

type PublicChange = components['schemas']['PublicChange'];

/** The public API shows ids as numbers, except those that are UUIDs. */
const shownId = (id: string): number | string => (/^\d+$/.test(id) ? Number(id) : id);

const presentChange = (row: EventRow): PublicChange => ({
  id: row.id,
  type: 'history_event',
  name: row.name as PublicChange['name'],
  at: utcForm(row.at),
  actor_type: row.actor_type as PublicChange['actor_type'],
  actor_id: row.actor_id === null ? null : shownId(row.actor_id),
  request_id: row.request_id,
  record_type: row.record_type,
  record_id: shownId(row.record_id),
  external_id: row.external_id,
  user_id: row.user_id,
  location_id: row.workspace_id,
  changes: row.changes as PublicChange['changes'],
});

export const publicChangeHandlers = (feed: ChangeFeed, credentials: Credentials) =>
  publicApi.part({
    getPublicChanges: managesTransaction(async (call) => {
      const { body, query, header } = call;
      const readmit = () =>
        credentials.actorWithApiToken(apiTokenIn(body, query, header('Authorization')), { isRead: true });
      const { rows, paging, ...rest } = await feed({ ...call, readmit });
      return { changes: rows.map(presentChange), ...paging, ...rest };
    }),
  });
