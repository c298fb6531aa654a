import { alreadyUsed, type Problem } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';

/* The directory of e-mail addresses. It covers all accounts: an address signs in one user of the whole service. */

/** The problem of an address that another user has, in whatever account. */
export async function emailProblems(
  db: Db,
  email: string | null | undefined,
  user: { readonly id: number } | null,
): Promise<Problem[]> {
  if (!email) return [];
  const owner = await db
    .selectFrom('directory_emails')
    .select('user_id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return owner && owner.user_id !== user?.id ? [alreadyUsed('email', email, 'user')] : [];
}

export const registerEmail = (db: Db, accountId: number, userId: number, email: string) =>
  db
    .insertInto('directory_emails')
    .values({ email: email.toLowerCase(), account_id: accountId, user_id: userId })
    .execute();

export const unregisterEmail = (db: Db, accountId: number, userId: number) =>
  db.deleteFrom('directory_emails').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
