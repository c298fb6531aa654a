import { forbidden, notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';

/** The id of the actor; 403 for any other user of the account, and 404 for others. */
export async function requireSelf(db: Db, { accountId, userId }: Actor, ref: Id): Promise<number> {
  const id = numericId(ref);
  if (userId !== null && userId === id) return userId;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id ?? null)
    .executeTakeFirst();
  throw user ? forbidden() : notFound('user');
}
