import { newResetToken, tokenHash } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import type { Mailer } from '../mail/mailer.ts';

interface Addressee {
  readonly accountId: number;
  readonly userId: number;
}

const hours = 3600 * 1000;

/**
 * The mails that carry a token. Jobs hold ids only: the token is made here, when the mail is sent, so that no queue, log or
 * backup ever holds one that works.
 */
export function authJobs(db: Db, mailer: Mailer, appUrl: string): JobHandlers {
  const send = async (
    { accountId, userId }: Addressee,
    lifetime: number,
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
        expires_at: new Date(Date.now() + lifetime),
      })
      .execute();
    await mailer.send({ to: user.email, ...compose(user, `${appUrl}/password?reset_password_token=${token}`) });
  };

  return {
    password_reset: (addressee: Addressee) =>
      send(addressee, 2 * hours, ({ username }, link) => ({
        subject: 'Reset your password',
        text: `Hello ${username},\n\nsomebody, hopefully you, asked to reset your password. Choose a new one within 2 hours here:\n\n${link}\n\nIf it was not you, ignore this mail: your password stays as it is.\n`,
      })),
    invitation: (addressee: Addressee) =>
      send(addressee, 7 * 24 * hours, ({ username }, link) => ({
        subject: 'Welcome to Punchcard',
        text: `Hello ${username},\n\nan account was made for you. Choose a password within 7 days here:\n\n${link}\n`,
      })),
  };
}
