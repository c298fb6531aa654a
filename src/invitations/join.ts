import { issueToken, type AccessToken } from '../access_tokens/access_tokens.ts';
import { refuse } from '../core/errors.ts';
import { rank } from '../core/ranks.ts';
import { hashPassword, tokenHash } from '../core/secrets.ts';
import { localDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forAccount } from '../db/transactions.ts';
import type { EventActor } from '../events/record.ts';
import { emailProblems, recordInvitations } from '../users/emails.ts';
import { recordUser } from '../users/events/user_events.ts';
import { joinWorkspace } from '../users/memberships.ts';
import { insertUser, storeUserChange } from '../users/user_changes.ts';
import type { UserScope } from '../users/rows.ts';
import { findUser } from '../users/users.ts';
import { countRefusal, findInvitation, invalidInvitation, type Caller, type Invitation } from './pending.ts';

interface Joining {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

/** A user as the two kinds of invitation store them. */
interface Joined {
  readonly username: string;
  readonly email: string;
  readonly password_hash: string;
}

/** Joins a workspace with an invitation and signs the user in: the invited user, or a new employee with a general invitation. */
export async function joinWithInvitation(db: Db, given: Joining, caller: Caller, now: Date): Promise<AccessToken> {
  // Checked before hashing, which is expensive on purpose: a guessed token must not trigger it.
  const invitation = await findInvitation(db, given.token, 'token', caller, now);
  const invited = invitation.user_id === null ? null : { id: invitation.user_id };
  const taken = await emailProblems(db, given.email, invited);
  if (taken.length > 0) await countRefusal(db, caller, now);
  refuse(taken);
  const { username, email } = given;
  const joined = { username, email, password_hash: await hashPassword(given.password) };
  const { account_id: accountId, workspace_id } = invitation;
  return forAccount(db, accountId, async (tx) => {
    const used = await takeUp(tx, accountId, given.token, now);
    if (!used) throw invalidInvitation('token');
    const userId = invited ? invited.id : await addEmployee(tx, invitation, joined, now);
    const actor = {
      accountId,
      userId,
      requestId: caller.requestId,
      workspace: { id: workspace_id },
      rank: rank.employee,
    };
    recordInvitations(tx, actor, 'updated', [used], now);
    if (invited) await completeUser(tx, actor, joined, now);
    else recordUser(tx, actor, 'created', { before: null, after: await findUser(tx, actor, userId) }, now);
    return issueToken(tx, actor, now);
  });
}

/** Notes the use of an invitation, if it can be used. Of two at the same time, one uses a personal one. */
async function takeUp(tx: OpenTransaction, accountId: number, token: string, now: Date) {
  const after = await tx
    .updateTable('invitations')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('hash', '=', tokenHash(token))
    .where(({ and, eb, or }) =>
      or([
        and([eb('user_id', 'is', null), eb('expires_at', '>', now)]),
        and([eb('user_id', 'is not', null), eb('used_at', 'is', null)]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return after && { before: { ...after, used_at: null }, after };
}

type Joiner = EventActor & UserScope & { readonly userId: number };

/** Gives the invited user their password, name and address. The mail with a reset token that they may have got is void then. */
async function completeUser(
  tx: OpenTransaction,
  actor: Joiner,
  { password_hash, username, email }: Joined,
  now: Date,
): Promise<void> {
  const { accountId, userId } = actor;
  const changed = await tx
    .updateTable('users')
    .set({ password_hash, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .where('password_hash', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!changed) throw invalidInvitation('token');
  const before = { ...(await findUser(tx, actor, userId)), password_hash: null };
  await storeUserChange(tx, actor, before, { username, email }, now);
  recordUser(tx, actor, 'updated', { before, after: await findUser(tx, actor, userId) }, now);
  await tx.deleteFrom('reset_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

async function addEmployee(
  tx: OpenTransaction,
  { account_id: accountId, workspace_id: workspaceId, time_zone }: Invitation,
  { password_hash, username, email }: Joined,
  now: Date,
): Promise<number> {
  const input = { username, email, start_of_accounting: localDay(now, time_zone) };
  const userId = await insertUser(tx, accountId, input, { created_in_workspace: true, password_hash }, now);
  await joinWorkspace(tx, { accountId, workspaceId, userId }, undefined, now);
  return userId;
}
