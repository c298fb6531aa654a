import { alreadyUsed, type Problem } from '../core/errors.ts';
import type { Selectable } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import { eventsOf, recordEvents, type EventActor } from '../events/record.ts';

/* The directory of e-mail addresses. It covers all accounts: an address signs in one user of the whole service. */

/** The problem of an address that another user has, in whatever account. */
export async function emailProblems(
  db: Db,
  email: string | null | undefined,
  user: { readonly id: number } | null,
): Promise<Problem[]> {
  if (!email) return [];
  const owner = await ownerOfEmail(db, email);
  return owner && owner.userId !== user?.id ? [alreadyUsed('email', email, 'user')] : [];
}

/** The user who has an address, and their account. */
export const ownerOfEmail = (
  db: Db,
  email: string,
): Promise<{ readonly accountId: number; readonly userId: number } | undefined> =>
  db
    .selectFrom('directory_emails')
    .select(['account_id as accountId', 'user_id as userId'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();

export const registerEmail = (db: Db, accountId: number, userId: number, email: string) =>
  db
    .insertInto('directory_emails')
    .values({ email: email.toLowerCase(), account_id: accountId, user_id: userId })
    .execute();

/** Has the token of an invitation lead to its account, in place of the one that it had before. */
export async function registerInvitation(
  tx: OpenTransaction,
  accountId: number,
  hash: string,
  formerHash: string | null | undefined,
): Promise<void> {
  if (formerHash) await unregisterInvitations(tx, [formerHash]);
  await tx.insertInto('directory_invitations').values({ hash, account_id: accountId }).execute();
}

const unregisterInvitations = (tx: OpenTransaction, hashes: readonly string[]) =>
  tx.deleteFrom('directory_invitations').where(isAnyOf('hash', hashes)).execute();

type StoredInvitation = Selectable<DB['invitations']>;

interface InvitationChange {
  readonly before: StoredInvitation | null;
  readonly after: StoredInvitation | null;
}

const withToken = ({ hash, ...row }: StoredInvitation) => ({ ...row, token: hash });

const invitationEvents = eventsOf<ReturnType<typeof withToken>>()(
  'invitation',
  ['user_id', 'checkin', 'welcome_message', 'expires_at', 'used_at'],
  { hidden: ['token'] },
);

/** Records what a verb did to invitations. */
export function recordInvitations(
  tx: OpenTransaction,
  actor: EventActor,
  verb: 'created' | 'updated' | 'deleted',
  changes: readonly InvitationChange[],
  now: Date,
): void {
  const events = changes.flatMap(
    ({ before, after }) => invitationEvents.eventOf(verb, before && withToken(before), after && withToken(after)) ?? [],
  );
  recordEvents(tx, actor, events, now);
}

/** Withdraws the invitation that was mailed to the user, unless they have used it. */
export async function withdrawInvitation(
  tx: OpenTransaction,
  actor: EventActor,
  userId: number,
  now: Date,
): Promise<void> {
  const withdrawn = await tx
    .deleteFrom('invitations')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .returningAll()
    .execute();
  await unregisterInvitations(
    tx,
    withdrawn.flatMap(({ hash }) => hash ?? []),
  );
  recordInvitations(
    tx,
    actor,
    'deleted',
    withdrawn.map((before) => ({ before, after: null })),
    now,
  );
}

export const unregisterEmail = (db: Db, accountId: number, userId: number) =>
  db.deleteFrom('directory_emails').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
