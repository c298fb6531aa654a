import { AppError, alreadyUsed, invalid } from '../../platform/core/errors.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { ownerOfEmail } from '../../organisation/users/emails.ts';

interface Person {
  readonly accountId: number;
  readonly userId: number;
}

/** Another user who holds the address that somebody is about to prove. */
export interface Rival extends Person {
  readonly isProven: boolean;
  readonly hasPassword: boolean;
  readonly accountName: string;
}

/** The rival of a user for an address, if there is one. It reads another account, so it cannot be in a transaction of theirs. */
export async function rivalFor(db: Db, { accountId, userId }: Person, email: string): Promise<Rival | undefined> {
  const owner = await ownerOfEmail(db, email);
  if (!owner || (owner.accountId === accountId && owner.userId === userId)) return undefined;
  const row = await db
    .selectFrom('users as user')
    .innerJoin('accounts as account', (join) => join.on('account.id', '=', owner.accountId))
    .select(['user.password_hash', 'account.account_name'])
    .where('user.account_id', '=', owner.accountId)
    .where('user.id', '=', owner.userId)
    .executeTakeFirst();
  return {
    accountId: owner.accountId,
    userId: owner.userId,
    isProven: owner.provenAt !== null,
    hasPassword: Boolean(row?.password_hash),
    accountName: row?.account_name ?? '',
  };
}

/** The account in which somebody would lose their sign-in, or null. */
export const addressHeldBy = (rival: Rival | undefined): string | null =>
  rival && rival.hasPassword && !rival.isProven ? rival.accountName : null;

/** Refuses an address that its holder has proven, and asks before one is taken that its holder signs in with. */
export function requireAddress(rival: Rival | undefined, email: string, isTaken: boolean): void {
  if (rival?.isProven) throw provenElsewhere(email);
  const account = addressHeldBy(rival);
  if (account !== null && !isTaken)
    throw invalid(
      'address_in_use',
      'take_address',
      `Nobody has confirmed "${email}" for the account "${account}", where it signs somebody in with a password. To use it here, send take_address true: it then no longer signs in there, and that account loses the address.`,
    );
}

/** They have followed a link that was mailed to the address, so this is no secret to them. */
const provenElsewhere = (email: string) => new AppError(400, [alreadyUsed('email', email, 'user')]);

/**
 * Notes that a user receives the mails to their address, and makes them its holder in place of the rival. Refuses if anybody else
 * holds it meanwhile, or the rival has proven it.
 */
export async function proveAddress(
  tx: OpenTransaction,
  { accountId, userId }: Person,
  address: string,
  rival: Rival | undefined,
  now: Date,
): Promise<void> {
  const email = address.toLowerCase();
  if (rival) await evict(tx, email, rival);
  const proven = await tx
    .insertInto('directory_emails')
    .values({ email, account_id: accountId, user_id: userId, proven_at: now })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ proven_at: now })
        .where('directory_emails.account_id', '=', accountId)
        .where('directory_emails.user_id', '=', userId),
    )
    .returning('email')
    .executeTakeFirst();
  if (!proven) throw provenElsewhere(address);
}

/** Takes an unproven address from its holder. The rest is up to a job, which acts for their account. */
async function evict(tx: OpenTransaction, email: string, { accountId, userId }: Rival): Promise<void> {
  // The links that were mailed to the address for them. First, in the order in which they use one themselves.
  await tx.deleteFrom('reset_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
  const evicted = await tx
    .deleteFrom('directory_emails')
    .where('email', '=', email)
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('proven_at', 'is', null)
    .returning('email')
    .executeTakeFirst();
  if (evicted) await enqueue(tx, 'address_lost', { accountId, userId });
}
