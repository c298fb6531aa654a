import { addressTakenElsewhere, alreadyUsed, refuse, type Problem } from '../../platform/core/errors.ts';
import { sql, type Selectable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { eventsOf, recordEvents, type EventActor } from '../../platform/events/record.ts';

/*
 * The directory of e-mail addresses. It covers all accounts: an address signs in one user of the whole service, its holder. It is
 * proven once the holder has followed a link that was mailed to it. Until then, users of other accounts who have no password may
 * have the address too, without an entry in the directory. Following their link makes one of them its holder.
 */

/** The user who wants an address. `id` is missing for a new one. */
interface Applicant {
  readonly accountId: number;
  readonly id?: number | undefined;
  /** Whether they have no password yet: they can prove the address later, with the link that invites them. */
  readonly isInvited: boolean;
}

/** The problem of an address that another user has. */
export async function emailProblems(
  db: Db,
  { accountId, id, isInvited }: Applicant,
  email: string | null | undefined,
): Promise<Problem[]> {
  if (!email) return [];
  const colleague = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (colleague) return colleague.id === id ? [] : [alreadyUsed('email', email, 'user')];
  const owner = await ownerOfEmail(db, email);
  return owner && !(isInvited && owner.provenAt === null) ? [addressTakenElsewhere(email)] : [];
}

/** The holder of an address, and their account. */
export const ownerOfEmail = (db: Db, email: string) =>
  db
    .selectFrom('directory_emails')
    .select(['account_id as accountId', 'user_id as userId', 'proven_at as provenAt'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();

/** Makes a user the holder of an address. One who is invited goes without, while the holder has not proven it. */
export async function registerEmail(
  db: Db,
  { accountId, id, isInvited }: Applicant & { readonly id: number },
  email: string,
): Promise<void> {
  const entry = db
    .insertInto('directory_emails')
    .values({ email: email.toLowerCase(), account_id: accountId, user_id: id });
  if (!isInvited) return void (await entry.execute());
  const added = await entry
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('email')
    .executeTakeFirst();
  if (!added && (await ownerOfEmail(db, email))?.provenAt) refuse([addressTakenElsewhere(email)]);
}

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
