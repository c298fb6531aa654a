import {
  beginSession,
  endSessions,
  endSessionsOf,
  sessionsOf,
  type AccessToken,
} from '../../organisation/access_tokens/access_tokens.ts';
import { accountEvents, confirmAccount, createAccount, findAccount } from '../../organisation/accounts/accounts.ts';
import { networkOf } from '../../platform/core/client_network.ts';
import { rank } from '../../platform/core/ranks.ts';
import { forbidden, wrongCredentials } from '../../platform/core/errors.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { hashPassword, passwordMatches } from '../../platform/core/secrets.ts';
import { localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { actFor, forAccount, forNoAccount } from '../../platform/db/transactions.ts';
import { jobActor, type EventActor } from '../../platform/events/record.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { ownerOfEmail } from '../../organisation/users/emails.ts';
import { proveAddress, requireAddress, rivalFor, type Rival } from './proven_addresses.ts';
import { recordUser } from '../../organisation/users/events/user_events.ts';
import { joinWorkspace } from '../../organisation/users/memberships.ts';
import { insertUser } from '../../organisation/users/user_changes.ts';
import { findUser, userNamed } from '../../organisation/users/users.ts';
import { insertWorkspace } from '../../organisation/workspaces/workspaces.ts';
import { askingForAddress } from './address_limits.ts';
import { countAttempt, requireAttemptsLeft } from './attempts.ts';
import type { Caller } from './caller.ts';
import { forgetPasswordReset } from './mail_limits.ts';
import { invalidMailedToken, isOfMailedAddress, requireMailedToken, takeMailedToken } from './mailed_tokens.ts';
import { signInLimits } from './sign_in_limits.ts';

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
  const { requestId } = caller;
  return askingForAddress(db, { ...caller, accountId: null }, now, () =>
    forNoAccount(db, async (tx) => {
      const created = await createAccountFor(tx, { ...person, password_hash, isConfirmed: false, requestId }, now);
      await enqueue(tx, 'email_confirmation', created);
      return beginSession(tx, { ...created, requestId }, { kind: 'password', ...caller }, now);
    }),
  );
}

interface FirstAdmin {
  readonly email: string;
  readonly username: string;
  readonly password_hash: string;
  /** Whether the e-mail address is known to be theirs. */
  readonly isConfirmed: boolean;
  /** The request with which they sign up. A command of the operator has none. */
  readonly requestId?: string;
}

/** Creates an account, its first admin and its first workspace. */
export async function createAccountFor(db: OpenTransaction, person: FirstAdmin, now: Date): Promise<Person> {
  const accountId = await createAccount(db, { name: person.username, isConfirmed: person.isConfirmed }, now);
  const input = { username: person.username, email: person.email, start_of_accounting: localDay(now, 'Europe/Berlin') };
  const userId = await insertUser(
    db,
    accountId,
    input,
    { created_in_workspace: false, is_account_admin: true, password_hash: person.password_hash },
    now,
  );
  if (person.isConfirmed) await proveAddress(db, { accountId, userId }, person.email, undefined, now);
  const { requestId } = person;
  const actor = requestId === undefined ? jobActor(accountId) : { accountId, userId, requestId };
  accountEvents.record(db, actor, 'created', { before: null, after: await findAccount(db, actor) }, now);
  const { id: workspaceId } = await insertWorkspace(db, actor, { name: person.username }, now);
  await joinWorkspace(db, { accountId, workspaceId, userId }, undefined, now);
  await recordCreated(db, actor, userId, now);
  return { accountId, userId };
}

/** Records a new user, with everything that they have in the account. */
async function recordCreated(tx: OpenTransaction, actor: EventActor, userId: number, now: Date): Promise<void> {
  const scope = { ...actor, workspace: null, rank: rank.accountAdmin };
  recordUser(tx, scope, 'created', { before: null, after: await findUser(tx, scope, userId) }, now);
}

/** Creates another admin of an account, as a member of all its workspaces. The operator does this, and vouches for the address. */
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
  await proveAddress(db, { accountId, userId }, person.email, undefined, now);
  const workspaces = await db
    .selectFrom('workspaces')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of workspaces) await joinWorkspace(db, { accountId, workspaceId: id, userId }, undefined, now);
  await recordCreated(db, jobActor(accountId), userId, now);
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

  const user = await userWithEmail(db, email);
  const isRight = await passwordMatches(user?.password_hash ?? null, given.password);
  if (!user || !isRight || user.status !== 'active') {
    await limits.countFailure();
    throw wrongCredentials();
  }
  // Concurrent guesses all pass the first check. The failed ones are counted by now, so a right guess among them is refused.
  await limits.require();
  await limits.countSuccess();
  const actor = { accountId: user.account_id, userId: user.id, requestId: caller.requestId };
  return forAccount(db, actor.accountId, (tx) => beginSession(tx, actor, { kind: 'password', ...caller }, now));
}

/** The user with an address. An address that nobody has takes as many statements. */
async function userWithEmail(db: Db, email: string) {
  const { accountId, userId } = (await ownerOfEmail(db, email)) ?? nobody;
  return db
    .selectFrom('users')
    .select(['account_id', 'id', 'password_hash', 'status'])
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirst();
}

const nobody: Person = { accountId: 0, userId: 0 };

/** Ends the session in which the actor asks. */
export async function signOut(tx: OpenTransaction, actor: Actor, now: Date): Promise<void> {
  const sessions = sessionsOf(tx, actor.accountId, actor.userId!).where('access_tokens.id', '=', actor.sessionId!);
  await endSessions(tx, actor, sessions, now);
}

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
  const { accountId, userId } = (await ownerOfEmail(db, email)) ?? nobody;
  // Without a job for unknown addresses, which does nothing, the response time would reveal them.
  await enqueue(db, 'password_reset', { accountId, userId });
}

/**
 * Refuses a reset token with which no password can be set. Such tokens are counted for the network of the caller. Returns the
 * address that the token was mailed to, and who else holds it.
 */
export async function checkResetToken(
  db: Db,
  token: string,
  caller: Caller,
  now: Date,
): Promise<{ readonly email: string | null; readonly rival: Rival | undefined }> {
  const { email, ...person } = await requireMailedToken(db, 'reset_password_token', token, caller, now);
  return { email, rival: email === null ? undefined : await rivalFor(db, person, email) };
}

/** Sets a password with a reset token, which works once, and signs the user out everywhere else. */
export async function updatePassword(
  db: Db,
  given: { reset_password_token: string; password: string; take_address?: boolean },
  caller: Caller,
  now: Date,
): Promise<AccessToken> {
  // Checked before hashing, which is expensive on purpose: a guessed token must not trigger it.
  const { email, rival } = await checkResetToken(db, given.reset_password_token, caller, now);
  if (email !== null) requireAddress(rival, email, given.take_address === true);
  const password_hash = await hashPassword(given.password);
  return forNoAccount(db, async (transaction) => {
    const used = await takeMailedToken(transaction, 'reset_password_token', given.reset_password_token, now);
    const { account_id: accountId, user_id: userId } = used;
    await actFor(transaction, accountId);
    const before = await userNamed(transaction, { accountId, workspace: null, rank: rank.employee }, userId);
    const changed =
      before &&
      isOfMailedAddress(used, before) &&
      (await transaction
        .updateTable('users')
        .set({ password_hash, updated_at: now })
        .where('account_id', '=', accountId)
        .where('id', '=', userId)
        .where('status', '=', 'active')
        .returning('id')
        .executeTakeFirst());
    if (!changed) throw invalidMailedToken('reset_password_token');
    const actor = { accountId: before.account_id, userId: before.id, requestId: caller.requestId, workspace: null };
    recordUser(transaction, actor, 'updated', { before, after: { ...before, password_hash } }, now);
    if (before.is_account_admin) await confirmAccount(transaction, actor, now);
    if (before.email) {
      await proveAddress(transaction, actor, before.email, rival, now);
      await forgetPasswordReset(transaction, before.email);
    }
    await endSessionsOf(transaction, actor, actor.userId, now);
    await transaction
      .deleteFrom('reset_tokens')
      .where('account_id', '=', actor.accountId)
      .where('user_id', '=', actor.userId)
      .execute();
    const kind = before.password_hash === null ? 'invitation' : 'password';
    return beginSession(transaction, actor, { kind, ...caller }, now);
  });
}

/** Confirms the address to which the token was mailed. Nobody is signed in. */
export async function confirmEmail(db: Db, token: string, caller: Caller, now: Date): Promise<void> {
  const { accountId } = await requireMailedToken(db, 'confirmation_token', token, caller, now);
  await forAccount(db, accountId, async (tx) => {
    const used = await takeMailedToken(tx, 'confirmation_token', token, now);
    const actor = { accountId, userId: used.user_id, requestId: caller.requestId, workspace: null };
    const user = await userNamed(tx, { accountId, workspace: null, rank: rank.employee }, used.user_id);
    if (!user?.email || !isOfMailedAddress(used, user)) throw invalidMailedToken('confirmation_token');
    await proveAddress(tx, actor, user.email, undefined, now);
    const change = { before: { ...user, email_confirmed: false }, after: { ...user, email_confirmed: true } };
    recordUser(tx, actor, 'updated', change, now);
    if (user.is_account_admin) await confirmAccount(tx, actor, now);
  });
}
