import { randomUUID } from 'node:crypto';
import type { Limits } from '../../platform/config.ts';
import { newResetToken, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import { enqueue, type JobHandlers } from '../../platform/jobs/queue.ts';
import type { Mailer } from '../../platform/notifications/mailer.ts';
import { countMail, type MailKind } from './mail_limits.ts';

interface Addressee {
  readonly accountId: number;
  readonly userId: number;
}

interface Template {
  /** The page of the app that takes the token, up to its value. */
  readonly page: string;
  readonly lifetimeHours: number;
  readonly subject: string;
  readonly text: (greeting: string, link: string) => string;
}

/** The mails that carry a reset token. */
type TokenMailKind = Extract<MailKind, 'password_reset' | 'invitation' | 'email_confirmation'>;

const passwordPage = '/password?reset_password_token=';

const templates: Record<TokenMailKind, Template> = {
  password_reset: {
    page: passwordPage,
    lifetimeHours: 2,
    subject: 'Reset your password',
    text: (greeting, link) =>
      `${greeting}\n\nwe received a request to reset your password. Choose a new one within 2 hours:\n\n${link}\n\nIf you did not ask for this, ignore this mail. Your password stays the same.\n`,
  },
  invitation: {
    page: passwordPage,
    lifetimeHours: 7 * 24,
    subject: 'Welcome to Punchcard',
    text: (greeting, link) =>
      `${greeting}\n\nan account was created for you. Choose a password within 7 days:\n\n${link}\n`,
  },
  email_confirmation: {
    page: '/confirm-email?confirmation_token=',
    lifetimeHours: 7 * 24,
    subject: 'Confirm your e-mail address',
    text: (greeting, link) =>
      `${greeting}\n\nsomebody uses Punchcard with this e-mail address. If that is you, confirm within 7 days that it is yours:\n\n${link}\n\nIf it is not you, do not follow the link. The address then stays unconfirmed, and you can still be invited with it.\n`,
  },
};

const hourSeconds = 3600;

/**
 * The jobs that mail a reset token. A job carries ids only. The token is created when the mail is sent, so that no queue, log or backup
 * contains a valid one.
 */
export function authJobs(
  db: Db,
  mailer: Mailer,
  { appUrl, limits }: { appUrl: string; limits: Limits },
  clock: () => Date,
): JobHandlers {
  /** Sends a mail, unless the user has no address any more. Returns false where a limit forbids it. */
  const send = async (
    kind: TokenMailKind,
    { accountId, userId }: Addressee,
    jobId: string = randomUUID(),
  ): Promise<boolean> => {
    const now = clock();
    const user = await db
      .selectFrom('users as user')
      .innerJoin('accounts as account', (join) => join.on('account.id', '=', accountId))
      .select(['user.username', 'user.email', 'account.confirmed_at'])
      .where('user.account_id', '=', accountId)
      .where('user.id', '=', userId)
      .where('user.status', '=', 'active')
      .executeTakeFirst();
    if (!user?.email) return true;
    const recipient = user.email.toLowerCase();
    const mail = { jobId, kind, recipient, accountId, isConfirmed: user.confirmed_at !== null };
    if (!(await countMail(db, mail, limits, now))) return false;
    const { page, lifetimeHours, subject, text } = templates[kind];
    const token = newResetToken();
    await db
      .insertInto('reset_tokens')
      .values({
        hash: tokenHash(token),
        account_id: accountId,
        user_id: userId,
        email: user.email,
        confirms_only: kind === 'email_confirmation',
        expires_at: new Date(now.getTime() + lifetimeHours * hourSeconds * 1000),
      })
      .execute();
    const link = `${appUrl}${page}${token}`;
    await mailer.send({ to: user.email, subject, text: text(greetingOf(user.username), link) });
    return true;
  };

  return {
    // Where a limit forbids it, the link that was mailed before still works.
    password_reset: async (addressee: Addressee, jobId) => void (await send('password_reset', addressee, jobId)),
    // A reset link confirms the address as well.
    email_confirmation: async (addressee: Addressee, jobId) =>
      void (await send('email_confirmation', addressee, jobId)),
    // Nobody has another link to this account, so the invitation is tried again.
    invitation: async ({ accountId, userId }: Addressee, jobId) => {
      if (!(await send('invitation', { accountId, userId }, jobId)))
        await enqueue(db, 'invitation', { accountId, userId }, hourSeconds);
    },
  };
}

const maxNameLength = 60;
const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Text that mail programs turn into a link: an address with a scheme, a host name, a mail address. */
const link = /:\/\/|@|[\p{L}\p{N}][.。][\p{L}\p{N}]{2}/u;

/** Addresses a person by name. A name that could carry a message of its own is left out: anybody can choose one for others. */
export function greetingOf(username: string): string {
  const name = username.normalize('NFKC').trim();
  const isPlain = name.length <= maxNameLength && !controlCharacters.test(name) && !link.test(name);
  return isPlain ? `Hello ${name},` : 'Hello,';
}

/** Deletes the reset tokens that have expired. */
export const deleteExpiredResetTokens = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('reset_tokens').where('expires_at', '<', now).execute();
};
