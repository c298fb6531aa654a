import type { Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Limits } from '../../platform/config.ts';
import { networkOf } from '../../platform/core/client_network.ts';
import { invalid, type AppError } from '../../platform/core/errors.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { countAttempt, requireAttemptsLeft } from './attempts.ts';

/* The tokens in links that are mailed to a user: one kind sets a password, the other only confirms the address. */

type TokenKind = 'reset_password_token' | 'confirmation_token';
type MailedToken = Selectable<DB['reset_tokens']>;

/** Whether the user still has the address that the token was mailed to. Tokens of a former release do not know theirs. */
export const isOfMailedAddress = ({ email }: MailedToken, user: { readonly email: string | null }): boolean =>
  email === null || email.toLowerCase() === user.email?.toLowerCase();

/** The user behind a token that can be used. Other tokens are refused, all alike, and counted for the network of the caller. */
export async function requireMailedToken(
  db: Db,
  kind: TokenKind,
  token: string,
  { address, limits }: { readonly address: string; readonly limits: Limits },
  now: Date,
): Promise<{ readonly accountId: number; readonly userId: number; readonly email: string | null }> {
  const key = ['reset_token', networkOf(address)];
  await requireAttemptsLeft(db, key, limits.signInFailuresPerAddress, now);
  const known = await db
    .selectFrom('reset_tokens')
    .selectAll()
    .where('hash', '=', tokenHash(token))
    .where('confirms_only', '=', kind === 'confirmation_token')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const user =
    known &&
    (await db
      .selectFrom('users')
      .select('email')
      .where('account_id', '=', known.account_id)
      .where('id', '=', known.user_id)
      .where('status', '=', 'active')
      .executeTakeFirst());
  if (user && isOfMailedAddress(known, user))
    return { accountId: known.account_id, userId: known.user_id, email: user.email };
  await countAttempt(db, key, limits.signInWindowSeconds, now);
  throw invalidMailedToken(kind);
}

/** Uses a token up. The delete makes it work once: of two concurrent requests, one finds nothing. */
export async function takeMailedToken(
  tx: OpenTransaction,
  kind: TokenKind,
  token: string,
  now: Date,
): Promise<MailedToken> {
  const used = await tx
    .deleteFrom('reset_tokens')
    .where('hash', '=', tokenHash(token))
    .where('confirms_only', '=', kind === 'confirmation_token')
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (!used) throw invalidMailedToken(kind);
  return used;
}

export const invalidMailedToken = (kind: TokenKind): AppError =>
  invalid('invalid_token', kind, `${kind} is unknown, expired or already used. Request a new one.`);
