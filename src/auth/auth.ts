import { randomUUID } from 'node:crypto';
import { confirmAccount, createAccount } from '../accounts/accounts.ts';
import type { Limits } from '../config.ts';
import { networkOf } from '../core/client_network.ts';
import type { AppError } from '../core/errors.ts';
import { forbidden, invalid, unauthorized } from '../core/errors.ts';
import { hashPassword, newAccessToken, passwordMatches, tokenHash } from '../core/secrets.ts';
import { localDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { actFor, forNoAccount } from '../db/transactions.ts';
import { enqueue } from '../jobs/queue.ts';
import { joinWorkspace } from '../users/memberships.ts';
import { insertUser } from '../users/user_changes.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { countAttempt, requireAttemptsLeft } from './attempts.ts';
import { forgetPasswordReset } from './mail_limits.ts';
import { signInLimits } from './sign_in_limits.ts';

export interface AccessToken {
  readonly id: string;
  readonly token: string;
}

/** The IP address of the client, and how often it may try something. */
interface Caller {
  readonly address: string;
  readonly limits: Limits;
}

interface Person {
  readonly accountId: number;
  readonly userId: number;
}

/*
 * signUp, signIn and updatePassword hash a password, which is slow on purpose. They open their transaction afterwards, so that
 * it does not stay open meanwhile.
 */

/** Creates a user with an account and a first workspace, and signs them in. */
export async function signUp(
  db: Db,
  person: { email: string; password: string; username: string },
  caller: Caller & { isOpen: boolean },
  now: Date,
): Promise<AccessToken> {
  if (!caller.isOpen) throw forbidden();
  const key = ['sign_up', networkOf(caller.address)];
  await requireAttemptsLeft(db, key, caller.limits.signUpsPerAddress, now);
  await countAttempt(db, key, 3600, now);
  const password_hash = await hashPassword(person.password);
  return forNoAccount(db, async (tx) =>
    issueToken(tx, await createAccountFor(tx, { ...person, password_hash, isConfirmed: false }, now), now),
  );
}

/** Creates an account, its first admin and its first workspace. `isConfirmed`: whether the e-mail address is known to be theirs. */
export async function createAccountFor(
  db: OpenTransaction,
  person: { email: string; username: string; password_hash: string; isConfirmed: boolean },
  now: Date,
): Promise<Person> {
  const accountId = await createAccount(db, person.username, now);
  if (person.isConfirmed) await confirmAccount(db, accountId, now);
  await actFor(db, accountId);
  const input = { username: person.username, email: person.email, start_of_accounting: localDay(now, 'Europe/Berlin') };
  const userId = await insertUser(
    db,
    accountId,
    input,
    { created_in_workspace: false, is_account_admin: true, password_hash: person.password_hash },
    now,
  );
  await createWorkspace(db, { accountId, userId }, { name: person.username }, now);
  return { accountId, userId };
}

/** Creates another admin of an account, as a member of all its workspaces. */
export async function createAccountAdmin(
  db: OpenTransaction,
  accountId: number,
  person: { email: string; username: string; password_hash: string },
  now: Date,
): Promise<Person> {
  await actFor(db, accountId);
  const { password_hash, ...names } = person;
  const input = { ...names, start_of_accounting: localDay(now, 'Europe/Berlin') };
  const userId = await insertUser(
    db,
    accountId,
    input,
    { created_in_workspace: false, is_account_admin: true, password_hash },
    now,
  );
  const workspaces = await db
    .selectFrom('workspaces')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of workspaces) await joinWorkspace(db, { accountId, workspaceId: id, userId }, undefined, now);
  return { accountId, userId };
}

/** Signs a user in. Failures are counted, and look and take the same time for known and unknown addresses. */
export async function signIn(
  db: Db,
  given: { email: string; password: string },
  caller: Caller,
  now: Date,
): Promise<AccessToken> {
  const email = given.email.toLowerCase();
  const limits = signInLimits(db, { ...caller, email }, now);
  await limits.require();

  const user = await db
    .selectFrom('directory_emails as directory')
    .innerJoin('users as user', (join) =>
      join.onRef('user.account_id', '=', 'directory.account_id').onRef('user.id', '=', 'directory.user_id'),
    )
    .select(['user.account_id', 'user.id', 'user.password_hash', 'user.status'])
    .where('directory.email', '=', email)
    .executeTakeFirst();
  const isRight = await passwordMatches(user?.password_hash ?? null, given.password);
  if (!user || !isRight || user.status !== 'active') {
    await limits.countFailure();
    throw unauthorized('The e-mail address or the password is wrong.');
  }
  // Concurrent guesses all pass the first check. The failed ones are counted by now, so a right guess among them is refused.
  await limits.require();
  await limits.countSuccess();
  return issueToken(db, { accountId: user.account_id, userId: user.id }, now);
}

/** Revokes an access token. */
export const signOut = async (db: Db, token: string): Promise<void> => {
  await db.deleteFrom('access_tokens').where('hash', '=', tokenHash(token)).execute();
};

/** Sends a mail if the address is known. The response does not reveal whether it is. */
export async function requestPasswordReset(
  db: Db,
  email: string,
  { address, limits }: Caller,
  now: Date,
): Promise<void> {
  const key = ['password', networkOf(address)];
  await requireAttemptsLeft(db, key, limits.signInFailuresPerAddress, now);
  await countAttempt(db, key, limits.signInWindowSeconds, now);
  const owner = await db
    .selectFrom('directory_emails')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  // Without a job for unknown addresses, which does nothing, the response time would reveal them.
  await enqueue(db, 'password_reset', owner ? { accountId: owner.account_id, userId: owner.user_id } : nobody);
}

const nobody = { accountId: 0, userId: 0 };

/** Sets a password with a reset token, which works once, and signs the user out everywhere else. */
export async function updatePassword(
  db: Db,
  given: { reset_password_token: string; password: string },
  { address, limits }: Caller,
  now: Date,
): Promise<AccessToken> {
  const key = ['reset_token', networkOf(address)];
  await requireAttemptsLeft(db, key, limits.signInFailuresPerAddress, now);
  const hash = tokenHash(given.reset_password_token);
  // Checked before hashing, which is expensive on purpose: a guessed token must not trigger it.
  const known = await db
    .selectFrom('reset_tokens')
    .select('hash')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!known) {
    await countAttempt(db, key, limits.signInWindowSeconds, now);
    throw invalidResetToken();
  }
  const password_hash = await hashPassword(given.password);
  return forNoAccount(db, async (transaction) => {
    // The delete makes the token work once: of two concurrent requests, one finds nothing.
    const used = await transaction
      .deleteFrom('reset_tokens')
      .where('hash', '=', hash)
      .where('expires_at', '>', now)
      .returningAll()
      .executeTakeFirst();
    if (used) await actFor(transaction, used.account_id);
    const changed = used
      ? await transaction
          .updateTable('users')
          .set({ password_hash, updated_at: now })
          .where('account_id', '=', used.account_id)
          .where('id', '=', used.user_id)
          .where('status', '=', 'active')
          .returning(['account_id', 'id', 'email', 'is_account_admin'])
          .executeTakeFirst()
      : undefined;
    if (!changed) throw invalidResetToken();
    const person = { accountId: changed.account_id, userId: changed.id };
    if (changed.is_account_admin) await confirmAccount(transaction, person.accountId, now);
    if (changed.email) await forgetPasswordReset(transaction, changed.email);
    await transaction
      .deleteFrom('access_tokens')
      .where('account_id', '=', person.accountId)
      .where('user_id', '=', person.userId)
      .execute();
    await transaction
      .deleteFrom('reset_tokens')
      .where('account_id', '=', person.accountId)
      .where('user_id', '=', person.userId)
      .execute();
    return issueToken(transaction, person, now);
  });
}

const invalidResetToken = (): AppError =>
  invalid('reset_password_token', 'reset_password_token is unknown, expired or already used. Request a new one.');

async function issueToken(db: Db, { accountId, userId }: Person, now: Date): Promise<AccessToken> {
  const issued = { id: randomUUID(), token: newAccessToken() };
  await db
    .insertInto('access_tokens')
    .values({ id: issued.id, hash: tokenHash(issued.token), account_id: accountId, user_id: userId, created_at: now })
    .execute();
  return issued;
}
