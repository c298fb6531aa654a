import { endSessionsOf } from '../../organisation/access_tokens/access_tokens.ts';
import { revokeApiToken } from '../../access/api_tokens/api_tokens.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import { rank } from '../../platform/core/ranks.ts';
import type { Db } from '../../platform/db/connection.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { jobActor } from '../../platform/events/record.ts';
import { recordUser } from '../../organisation/users/events/user_events.ts';
import { findUser } from '../../organisation/users/users.ts';
import { acceptedDemoCredentials, demoCredentials, usersWithDemoPassword, validToken } from './credentials.ts';

/**
 * Makes the public credentials useless and returns which ones there were. Records and changed passwords stay. If it is interrupted,
 * the next call removes the rest.
 */
export async function removeDemoCredentials(db: Db, now: Date): Promise<string[]> {
  const removed = await acceptedDemoCredentials(db);
  for (const user of await usersWithDemoPassword(db)) await removePassword(db, user, now);
  const token = await validToken(db);
  if (token)
    await forAccount(db, token.account_id, (tx) => revokeApiToken(tx, jobActor(token.account_id), token.id, now));
  // Revoked and not deleted, so that the next start does not create the organisation again.
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('hash', '=', tokenHash(demoCredentials.apiKey))
    .execute();
  return removed;
}

const removePassword = (db: Db, user: { account_id: number; id: number }, now: Date): Promise<void> =>
  forAccount(db, user.account_id, async (tx) => {
    const actor = { ...jobActor(user.account_id), workspace: null, rank: rank.accountAdmin };
    const before = await findUser(tx, actor, user.id);
    await tx
      .updateTable('users')
      .set({ password_hash: null, updated_at: now })
      .where('account_id', '=', user.account_id)
      .where('id', '=', user.id)
      .execute();
    recordUser(tx, actor, 'updated', { before, after: { ...before, password_hash: null } }, now);
    await endSessionsOf(tx, actor, user.id, now);
    await tx
      .deleteFrom('reset_tokens')
      .where('account_id', '=', user.account_id)
      .where('user_id', '=', user.id)
      .execute();
  });
