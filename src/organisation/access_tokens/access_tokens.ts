import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { networkOf } from '../../platform/core/client_network.ts';
import { newAccessToken, tokenHash } from '../../platform/core/secrets.ts';
import { startOfHour } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor } from '../../platform/events/record.ts';

/*
 * A session is what begins when somebody signs in. Its secret is an access token, of which only the hash is stored.
 */

/** An access token that was just issued. */
export interface AccessToken {
  readonly id: string;
  readonly token: string;
}

export type Session = Selectable<DB['access_tokens']>;

/** How somebody signs in, and from where. */
export interface SignIn {
  readonly kind: 'password' | 'invitation';
  /** The IP address of the client. */
  readonly address: string;
  readonly userAgent: string | undefined;
}

const sessionEvents = eventsOf<Session>()('access_token', ['user_id']);

const maxUserAgentLength = 255;

/** Signs a user in: begins a session. */
export async function beginSession(
  tx: OpenTransaction,
  actor: EventActor & { readonly userId: number },
  { kind, address, userAgent }: SignIn,
  now: Date,
): Promise<AccessToken> {
  const token = newAccessToken();
  const after = await tx
    .insertInto('access_tokens')
    .values({
      id: randomUUID(),
      hash: tokenHash(token),
      account_id: actor.accountId,
      user_id: actor.userId,
      kind,
      network: networkOf(address),
      user_agent: userAgent?.slice(0, maxUserAgentLength) ?? null,
      created_at: now,
      last_used_at: startOfHour(now),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  sessionEvents.record(tx, actor, 'created', { before: null, after }, now);
  return { id: after.id, token };
}

/** Notes that a session is used, once an hour. */
export const noteUse = (db: Db, hash: string, now: Date) =>
  db
    .updateTable('access_tokens')
    .set({ last_used_at: startOfHour(now) })
    .where('hash', '=', hash)
    .where('last_used_at', '<', startOfHour(now))
    .execute();

/** Signs a user out everywhere. */
export async function endSessionsOf(tx: OpenTransaction, actor: EventActor, userId: number, now: Date): Promise<void> {
  await endSessions(tx, actor, sessionsOf(tx, actor.accountId, userId), now);
}

/** The sessions of a user that nobody has ended. */
export const sessionsOf = (db: Db, accountId: number, userId: number) =>
  db
    .selectFrom('access_tokens')
    .where('access_tokens.account_id', '=', accountId)
    .where('access_tokens.user_id', '=', userId)
    .where('access_tokens.ended_at', 'is', null);

/** Ends the sessions that a query selects, and returns them. From the commit on, their tokens work nowhere. */
export async function endSessions(
  tx: OpenTransaction,
  actor: EventActor,
  sessions: ReturnType<typeof sessionsOf>,
  now: Date,
): Promise<Session[]> {
  const ended = await tx
    .updateTable('access_tokens')
    .set({ ended_at: now })
    .where('hash', 'in', sessions.select('access_tokens.hash'))
    .where('ended_at', 'is', null)
    .returningAll()
    .execute();
  const events = ended.flatMap((row) => sessionEvents.eventOf('deleted', row, null) ?? []);
  recordEvents(tx, actor, events, now);
  return ended;
}
