import { randomUUID } from 'node:crypto';
import { notFound } from '../../platform/core/errors.ts';
import { isUuid } from '../../platform/core/ids.ts';
import { newApiKey, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';

/** The valid keys, oldest first. A key identifies a client program and belongs to no account. */
export const listApiKeys = (db: Db) =>
  db.selectFrom('api_keys').selectAll().where('revoked_at', 'is', null).orderBy('created_at').orderBy('id').execute();

/** Creates a key for a client program. Only its hash is stored: the key itself is in this result and nowhere else. */
export async function createApiKey(db: Db, name: string, now: Date) {
  const key = newApiKey();
  const row = await db
    .insertInto('api_keys')
    .values({ id: randomUUID(), name, hash: tokenHash(key), created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, key };
}

/** Revokes a key. Users who signed in with it stay signed in. */
export async function revokeApiKey(db: Db, id: string, now: Date) {
  const revoke = db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null);
  const row = isUuid(id) ? await revoke.returningAll().executeTakeFirst() : undefined;
  if (!row) throw notFound('Api-Key');
  return row;
}
