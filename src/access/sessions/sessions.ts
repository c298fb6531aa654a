import { endSessions, sessionsOf, type Session } from '../../organisation/access_tokens/access_tokens.ts';
import { notFound } from '../../platform/core/errors.ts';
import { isUuid } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { openSince, type SessionBounds } from './session_bounds.ts';

const columns = listColumns('listSessions', 'access_tokens');

/** The sessions in which the actor is signed in. */
function openSessions(db: Db, { accountId, userId }: Actor, bounds: SessionBounds, now: Date) {
  const { usedSince, begunSince } = openSince(bounds, now);
  return sessionsOf(db, accountId, userId!)
    .where('access_tokens.last_used_at', '>=', usedSince)
    .where('access_tokens.created_at', '>=', begunSince);
}

export const listSessions = (db: Db, actor: Actor, selection: Selection, bounds: SessionBounds, now: Date) =>
  list(
    db,
    {
      visible: openSessions(db, actor, bounds, now),
      rows: openSessions(db, actor, bounds, now).selectAll('access_tokens'),
      id: 'access_tokens.id',
      idKind: 'uuid',
      columns,
      timeZone: 'UTC',
    },
    selection,
  );

/** Ends one session of the actor. */
export async function deleteSession(
  tx: OpenTransaction,
  actor: Actor,
  id: string,
  bounds: SessionBounds,
  now: Date,
): Promise<Session> {
  const [ended] = isUuid(id)
    ? await endSessions(tx, actor, openSessions(tx, actor, bounds, now).where('access_tokens.id', '=', id), now)
    : [];
  if (!ended) throw notFound('session');
  return ended;
}

/** Ends all sessions of the actor but the one in which they ask. */
export const deleteOtherSessions = (
  tx: OpenTransaction,
  actor: Actor,
  bounds: SessionBounds,
  now: Date,
): Promise<Session[]> =>
  endSessions(tx, actor, openSessions(tx, actor, bounds, now).where('access_tokens.id', '<>', actor.sessionId!), now);

/** How long an ended session is kept, so that its client hears why it is refused. */
const keptDays = 30;

/** Removes the sessions that ended or expired a while ago. */
export async function removeOldSessions(db: Db, bounds: SessionBounds, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - keptDays * 86_400_000);
  const { usedSince, begunSince } = openSince(bounds, longAgo);
  await db
    .deleteFrom('access_tokens')
    .where(({ eb, or }) =>
      or([eb('ended_at', '<', longAgo), eb('last_used_at', '<', usedSince), eb('created_at', '<', begunSince)]),
    )
    .execute();
}
