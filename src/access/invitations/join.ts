import { beginSession, type AccessToken } from '../../organisation/access_tokens/access_tokens.ts';
import { refuse } from '../../platform/core/errors.ts';
import { rank } from '../../platform/core/ranks.ts';
import { hashPassword, tokenHash } from '../../platform/core/secrets.ts';
import { localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import type { EventActor } from '../../platform/events/record.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { askingForAddress } from '../auth/address_limits.ts';
import type { Caller } from '../auth/caller.ts';
import { emailProblems, recordInvitations } from '../../organisation/users/emails.ts';
import { proveAddress, requireAddress } from '../auth/proven_addresses.ts';
import { recordUser } from '../../organisation/users/events/user_events.ts';
import { joinWorkspace } from '../../organisation/users/memberships.ts';
import { insertUser, storeUserChange } from '../../organisation/users/user_changes.ts';
import type { UserScope } from '../../organisation/users/rows.ts';
import { findUser } from '../../organisation/users/users.ts';
import { countRefusal, findInvitation, invalidInvitation, rivalOf, type Invitation } from './pending.ts';

interface Joining {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly take_address?: boolean;
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
  return askingForAddress(db, { ...caller, accountId: invitation.account_id }, now, () =>
    join(db, invitation, given, caller, now),
  );
}

async function join(db: Db, invitation: Invitation, given: Joining, caller: Caller, now: Date): Promise<AccessToken> {
  const invited = invitation.user_id === null ? null : { id: invitation.user_id };
  const { username, email } = given;
  const isMailed = invited !== null && invitation.email?.toLowerCase() === email.toLowerCase();
  const rival = isMailed ? await rivalOf(db, invitation) : undefined;
  if (isMailed) requireAddress(rival, email, given.take_address === true);
  else {
    const applicant = { accountId: invitation.account_id, id: invited?.id, isInvited: false };
    const taken = await emailProblems(db, applicant, email);
    if (taken.length > 0) await countRefusal(db, caller, now);
    refuse(taken);
  }
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
    if (isMailed) await proveAddress(tx, actor, email, rival, now);
    if (!invited) recordUser(tx, actor, 'created', { before: null, after: await findUser(tx, actor, userId) }, now);
    return beginSession(tx, actor, { kind: 'invitation', ...caller }, now);
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
  const stored = await findUser(tx, actor, userId);
  await storeUserChange(tx, actor, stored, { username, email }, now);
  const before = { ...stored, password_hash: null };
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
  await enqueue(tx, 'email_confirmation', { accountId, userId });
  return userId;
}
