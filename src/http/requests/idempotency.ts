import { createHash } from 'node:crypto';
import { conflict } from '../../core/errors.ts';
import type { Actor } from '../../core/permissions.ts';
import type { Db } from '../../db/connection.ts';
import type { Answer } from '../answers/answer.ts';
import type { MatchedRequest } from '../definition.ts';
import type { Call, Operation } from '../contract.ts';

/*
 * A client that does not know whether its request arrived sends it again under the same Idempotency-Key. The key is claimed by
 * a row of the request's own transaction: equal requests at the same moment wait for the first one at the unique key, and the
 * answer is kept with what it acknowledges, so that neither exists without the other.
 */

export const keptForHours = 24;

/** A request under a key. */
export interface Claim {
  readonly account_id: number;
  readonly user_id: number;
  readonly key: string;
  readonly request_hash: string;
  readonly now: Date;
}

/** The claim that a request makes, if it has a key. */
export function claimIn(req: MatchedRequest, callIn: () => Call<Operation>): Claim | null {
  const key = req.get('Idempotency-Key');
  if (key === undefined) return null;
  const call = callIn();
  const actor: Actor = call.actor;
  return {
    account_id: actor.accountId,
    user_id: actor.userId ?? 0,
    key,
    request_hash: hashOf(req, call),
    now: call.now,
  };
}

function hashOf(req: MatchedRequest, { body, files }: Call<Operation>): string {
  const hash = createHash('sha256').update(
    JSON.stringify([req.method, req.originalUrl.split('?')[0], req.query, body ?? null]),
  );
  for (const file of files) hash.update(`\n${file.field}\n${file.name}\n`).update(file.bytes);
  return hash.digest('hex');
}

/** Does the work unless it was done under this key before; then the first answer is given again. */
export async function once(db: Db, claim: Claim | null, work: () => Promise<Answer>): Promise<Answer> {
  if (claim === null) return work();
  const { now, ...row } = claim;
  const { account_id, user_id, key } = row;
  const expired = new Date(now.getTime() - keptForHours * 3600 * 1000);
  await db
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('created_at', '<', expired)
    .execute();
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!claimed) return keptAnswer(db, claim);
  const answer = await work();
  await db
    .updateTable('idempotency_keys')
    .set({ status: answer.status, headers: JSON.stringify(answer.headers), body: answer.body })
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .execute();
  return answer;
}

async function keptAnswer(db: Db, { account_id, user_id, key, request_hash }: Claim): Promise<Answer> {
  const kept = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (kept.request_hash !== request_hash)
    throw conflict(
      'Idempotency-Key',
      'Idempotency-Key was used for another request in the last 24 hours. Use a new key for a new request.',
    );
  return {
    status: kept.status!,
    headers: { ...(kept.headers as Record<string, string>), 'Idempotency-Replayed': 'true' },
    body: kept.body,
  };
}

/** Forgets answers that nobody may ask for again. */
export const forgetOldAnswers = async (db: Db, now: Date): Promise<void> => {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(now.getTime() - keptForHours * 3600 * 1000))
    .execute();
};
