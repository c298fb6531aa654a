import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { newAccessToken, tokenHash } from '../../platform/core/secrets.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor } from '../../platform/events/record.ts';

/** An access token that was just issued. It is stored as a hash only. */
export interface AccessToken {
  readonly id: string;
  readonly token: string;
}

const accessTokenEvents = eventsOf<Selectable<DB['access_tokens']>>()('access_token', ['user_id']);

/** Signs a user in: creates an access token for them. */
export async function issueToken(
  tx: OpenTransaction,
  actor: EventActor & { readonly userId: number },
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
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  accessTokenEvents.record(tx, actor, 'created', { before: null, after }, now);
  return { id: after.id, token };
}

/** Revokes one access token. */
export const revokeToken = (tx: OpenTransaction, actor: EventActor, token: string, now: Date): Promise<void> =>
  recordDeleted(tx, actor, tx.deleteFrom('access_tokens').where('hash', '=', tokenHash(token)), now);

/** Signs a user out everywhere: revokes all their access tokens. */
export const revokeTokensOf = (tx: OpenTransaction, actor: EventActor, userId: number, now: Date): Promise<void> =>
  recordDeleted(tx, actor, tx.deleteFrom('access_tokens').where('user_id', '=', userId), now);

async function recordDeleted(
  tx: OpenTransaction,
  actor: EventActor,
  deletion: ReturnType<typeof tx.deleteFrom<'access_tokens'>>,
  now: Date,
): Promise<void> {
  const deleted = await deletion.where('account_id', '=', actor.accountId).returningAll().execute();
  const events = deleted.flatMap((row) => accessTokenEvents.eventOf('deleted', row, null) ?? []);
  recordEvents(tx, actor, events, now);
}
