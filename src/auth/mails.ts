import { newResetToken, tokenHash } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import type { Mailer } from '../mail/mailer.ts';

interface Addressee {
  readonly accountId: number;
  readonly userId: number;
}

const hourMs = 3600 * 1000;

/**
 * The jobs that mail a token. A job carries ids only. The token is created when the mail is sent, so that no queue, log or backup
 * contains a valid one.
 */
export function authJobs(db: Db, mailer: Mailer, appUrl: string): JobHandlers {
  const send = async (
    { accountId, userId }: Addressee,
    lifetimeMs: number,
    compose: (user: { username: string }, link: string) => { subject: string; text: string },
  ) => {
    const user = await db
      .selectFrom('users')
      .select(['username', 'email'])
      .where('account_id', '=', accountId)
      .where('id', '=', userId)
      .where('status', '=', 'active')
      .executeTakeFirst();
    if (!user?.email) return;
    const token = newResetToken();
    await db
      .insertInto('reset_tokens')
      .values({
        hash: tokenHash(token),
        account_id: accountId,
        user_id: userId,
        expires_at: new Date(Date.now() + lifetimeMs),
      })
      .execute();
    await mailer.send({ to: user.email, ...compose(user, `${appUrl}/password?reset_password_token=${token}`) });
  };

  return {
    password_reset: (addressee: Addressee) =>
      send(addressee, 2 * hourMs, ({ username }, link) => ({
        subject: 'Reset your password',
        text: `Hello ${username},\n\nwe received a request to reset your password. Choose a new one within 2 hours:\n\n${link}\n\nIf you did not ask for this, ignore this mail. Your password stays the same.\n`,
      })),
    invitation: (addressee: Addressee) =>
      send(addressee, 7 * 24 * hourMs, ({ username }, link) => ({
        subject: 'Welcome to Punchcard',
        text: `Hello ${username},\n\nan account was created for you. Choose a password within 7 days:\n\n${link}\n`,
      })),
  };
}

/** Deletes the reset tokens that have expired. */
export const deleteExpiredResetTokens = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('reset_tokens').where('expires_at', '<', now).execute();
};
