import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { AppError } from '../../core/errors.ts';
import type { Actor } from '../../core/permissions.ts';
import type { Db } from '../../db/connection.ts';
import {
  claimKey,
  findClaimedKey,
  keyLifetimeHours,
  storeResponse,
  type IdempotencyKey,
} from '../../db/idempotency_keys.ts';
import type { Call, Operation } from '../contract.ts';
import type { Answer, PreparedResponse } from '../handlers.ts';

/*
 * A client that does not know whether its request arrived sends it again with the same Idempotency-Key. A row of the request's
 * own transaction claims the key: equal requests at the same time wait for the first one at the unique index, and the response
 * is stored together with the records that it acknowledges, so that neither exists without the other.
 */

/** A request with an Idempotency-Key. */
interface KeyedRequest extends IdempotencyKey {
  readonly request_hash: string;
}

/** An answer that is given once to a key: the same request with the same key gets the first response again. */
export function oncePerKey(answer: Answer): Answer {
  return async (call, req) => {
    const key = req.get('Idempotency-Key');
    if (key === undefined) return answer(call, req);
    const actor: Actor = call.actor;
    const request = {
      account_id: actor.accountId,
      user_id: actor.userId ?? 0,
      key,
      request_hash: hashOf(req, call),
    };
    if (!(await claimKey(call.db, request, call.now))) return storedResponse(call.db, request);
    const response = await answer(call, req);
    const { status, headers, body } = response;
    await storeResponse(call.db, request, { status, headers: JSON.stringify(headers), body });
    return response;
  };
}

function hashOf(req: Request, { body, files }: Call<Operation>): string {
  const hash = createHash('sha256').update(
    JSON.stringify([req.method, req.originalUrl.split('?')[0], req.query, body ?? null]),
  );
  for (const file of files) hash.update(`\n${file.field}\n${file.name}\n`).update(file.bytes);
  return hash.digest('hex');
}

async function storedResponse(db: Db, request: KeyedRequest): Promise<PreparedResponse> {
  const stored = await findClaimedKey(db, request);
  if (stored.request_hash !== request.request_hash)
    throw new AppError(409, [
      {
        code: 'idempotency_key_reused',
        pointer: 'Idempotency-Key',
        title: `Idempotency-Key was used for another request in the last ${keyLifetimeHours} hours. Use a new key for a new request.`,
      },
    ]);
  return {
    status: stored.status!,
    headers: { ...(stored.headers as Record<string, string>), 'Idempotency-Replayed': 'true' },
    body: stored.body,
  };
}
