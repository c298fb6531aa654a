import { countAttempt, requireAttemptsLeft } from '../auth/attempts.ts';
import type { Caller } from '../auth/caller.ts';
import { networkOf } from '../../platform/core/client_network.ts';
import { invalid, type AppError } from '../../platform/core/errors.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import { rivalFor, type Rival } from '../auth/proven_addresses.ts';

/** The invitations of an account that can be used now, with their workspace, and with the user of a personal one. */
export const pendingInvitations = (db: Db, accountId: number, now: Date) =>
  db
    .selectFrom('invitations as invitation')
    .innerJoin('workspaces as workspace', (join) =>
      join.on('workspace.account_id', '=', accountId).onRef('workspace.id', '=', 'invitation.workspace_id'),
    )
    .leftJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'invitation.user_id'),
    )
    .leftJoin('memberships as membership', (join) =>
      join
        .on('membership.account_id', '=', accountId)
        .onRef('membership.workspace_id', '=', 'invitation.workspace_id')
        .onRef('membership.user_id', '=', 'invitation.user_id'),
    )
    .where('invitation.account_id', '=', accountId)
    .where('workspace.deleted_at', 'is', null)
    .where(({ and, eb, or }) =>
      or([
        and([eb('invitation.user_id', 'is', null), eb('invitation.expires_at', '>', now)]),
        // A user who has a password has joined already, in whatever way.
        and([
          eb('invitation.used_at', 'is', null),
          eb('membership.user_id', 'is not', null),
          eb('user.status', '=', 'active'),
          eb('user.password_hash', 'is', null),
        ]),
      ]),
    );

/** The invitation behind a token. Other tokens are refused, all alike, and counted for the network of the caller. */
export async function findInvitation(db: Db, token: string, pointer: string, caller: Caller, now: Date) {
  const { limits } = caller;
  await requireAttemptsLeft(db, attemptsOf(caller), limits.signInFailuresPerAddress, now);
  const found = await pendingWithHash(db, tokenHash(token), now);
  if (found) return found;
  await countRefusal(db, caller, now);
  throw invalidInvitation(pointer);
}

export type Invitation = Awaited<ReturnType<typeof findInvitation>>;

/** The other user who holds the address to which a personal invitation was mailed. */
export const rivalOf = async (db: Db, { account_id, user_id, email }: Invitation): Promise<Rival | undefined> =>
  user_id === null || !email ? undefined : rivalFor(db, { accountId: account_id, userId: user_id }, email);

/** The directory knows the account of a token. */
async function pendingWithHash(db: Db, hash: string, now: Date) {
  const known = await db
    .selectFrom('directory_invitations')
    .select('account_id')
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!known) return undefined;
  return pendingInvitations(db, known.account_id, now)
    .select(['invitation.account_id', 'invitation.workspace_id', 'invitation.user_id'])
    .select(['invitation.checkin', 'invitation.welcome_message'])
    .select(['workspace.time_zone', 'user.username', 'user.email'])
    .where('invitation.hash', '=', hash)
    .executeTakeFirst();
}

const attemptsOf = ({ address }: Caller): string[] => ['invitation', networkOf(address)];

/** Counts a refused request for the network of the caller. */
export const countRefusal = async (db: Db, caller: Caller, now: Date): Promise<void> => {
  await countAttempt(db, attemptsOf(caller), caller.limits.signInWindowSeconds, now);
};

export const invalidInvitation = (pointer: string): AppError =>
  invalid('invalid_token', pointer, `${pointer} is unknown, used, withdrawn or expired. Ask for a new invitation.`);
