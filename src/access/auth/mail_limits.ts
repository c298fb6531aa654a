import type { Limits } from '../../platform/config.ts';
import type { Db } from '../../platform/db/connection.ts';
import { forNoAccount } from '../../platform/db/transactions.ts';
import { claim, clearAttempts, countAttempt } from './attempts.ts';

/*
 * Limits on mails, so that nobody can use the service to flood an address or to send mails to strangers. They are counted when a
 * mail is sent, so that every way to cause one is covered.
 */

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

export type MailKind = 'password_reset' | 'email_confirmation' | 'invitation' | 'workspace_invitation' | 'notification';

export interface LimitedMail {
  /** The job that sends the mail. */
  readonly jobId: string;
  readonly kind: MailKind;
  /** The e-mail address, in lower case. */
  readonly recipient: string;
  readonly accountId: number;
  /** Whether an admin of the account has shown that they receive mails. */
  readonly isConfirmed: boolean;
}

interface Counter {
  readonly key: readonly string[];
  readonly windowSeconds: number;
  readonly limit: number;
}

const recipientKey = (kind: MailKind, recipient: string) => ['mail', kind, recipient];

/** The counters of a mail. The order is the same for every mail, so that two mails cannot deadlock. */
function countersOf({ kind, recipient, accountId, isConfirmed }: LimitedMail, limits: Limits): Counter[] {
  // Mails that the recipient has asked for leave room for a password reset.
  if (kind === 'notification')
    return [{ key: recipientKey(kind, recipient), windowSeconds: daySeconds, limit: limits.notificationMailsPerDay }];
  const ofAccount = {
    // Confirmations leave the invitations of the account alone.
    key: [kind === 'email_confirmation' ? 'confirmations' : 'invitations', String(accountId)],
    windowSeconds: daySeconds,
    limit: isConfirmed ? limits.invitationsPerDay : limits.invitationsPerDayUnconfirmed,
  };
  return [
    { key: recipientKey(kind, recipient), windowSeconds: hourSeconds, limit: limits.mailsPerRecipientPerHour },
    { key: ['mail', recipient], windowSeconds: daySeconds, limit: limits.mailsPerRecipientPerDay },
    // The recipient of a password reset asked for it. The others go to people whom an account chooses.
    ...(kind === 'password_reset' ? [] : [ofAccount]),
  ];
}

const overLimit = new Error('The mail is over a limit.');

/** Counts a mail and returns true, or returns false where it is over a limit. A job that is retried is counted once. */
export async function countMail(db: Db, mail: LimitedMail, limits: Limits, now: Date): Promise<boolean> {
  try {
    await forNoAccount(db, async (tx) => {
      if (!(await claim(tx, ['mail_job', mail.jobId], daySeconds, now))) return;
      for (const { key, windowSeconds, limit } of countersOf(mail, limits))
        if (limit > 0 && (await countAttempt(tx, key, windowSeconds, now)) > limit) throw overLimit;
    });
    return true;
  } catch (error) {
    if (error === overLimit) return false;
    throw error;
  }
}

/** Allows another password reset at once, because the last one was used. */
export const forgetPasswordReset = (db: Db, recipient: string): Promise<void> =>
  clearAttempts(db, recipientKey('password_reset', recipient.toLowerCase()));
