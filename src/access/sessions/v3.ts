import * as fields from '../../../generated/fields.ts';
import type { Session } from '../../organisation/access_tokens/access_tokens.ts';
import type { Config } from '../../platform/config.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { utcForm } from '../../platform/core/time.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { deleteOtherSessions, deleteSession, listSessions } from './sessions.ts';

const session = resource('session', fields.Session);

const presentSession = (row: Session, actor: Actor) =>
  session({
    id: row.id,
    kind: row.kind as Schemas['Session']['attributes']['kind'],
    created_at: utcForm(row.created_at),
    last_used_at: utcForm(row.last_used_at),
    network: row.network,
    user_agent: row.user_agent,
    is_current: row.id === actor.sessionId,
  });

export const sessionHandlers = ({ sessions }: Pick<Config, 'sessions'>) =>
  v3.part({
    async listSessions(call) {
      const { rows, paging } = await listSessions(call.db, call.actor, call.queryOptions, sessions, call.now);
      return { data: rows.map((row) => presentSession(row, call.actor)), meta: paging };
    },

    async deleteSession(call) {
      const row = await deleteSession(call.db, call.actor, call.params.session_id, sessions, call.now);
      return { data: presentSession(row, call.actor) };
    },

    async deleteOtherSessions(call) {
      const ended = await deleteOtherSessions(call.db, call.actor, sessions, call.now);
      return { data: ended.map((row) => presentSession(row, call.actor)) };
    },
  });
