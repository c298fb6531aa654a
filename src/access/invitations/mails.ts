import { randomUUID } from 'node:crypto';
import { countMail } from '../auth/mail_limits.ts';
import { greetingOf } from '../auth/mails.ts';
import type { Limits } from '../../platform/config.ts';
import { newResetToken, tokenHash } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { jobActor } from '../../platform/events/record.ts';
import { enqueue, type JobHandlers } from '../../platform/jobs/queue.ts';
import type { Mailer } from '../../platform/notifications/mailer.ts';
import { recordInvitations, registerInvitation } from '../../organisation/users/emails.ts';
import { joinAddress } from './invitations.ts';
import { pendingInvitations } from './pending.ts';

/** The job that mails one personal invitation. It carries ids only. */
interface InvitationMail {
  readonly accountId: number;
  readonly invitationId: string;
}

const hourSeconds = 3600;

/**
 * The job that mails personal invitations. The token is created when the mail is sent, so that no queue, log or backup contains
 * a valid one. The mail contains no text of the account: anybody can have one, and could send messages to strangers.
 */
export const invitationJobs = (
  db: Db,
  mailer: Mailer,
  { appUrl, limits }: { appUrl: string; limits: Limits },
  clock: () => Date,
): JobHandlers => ({
  workspace_invitation: async ({ accountId, invitationId }: InvitationMail, jobId = randomUUID()) => {
    const now = clock();
    const found = await findMailed(db, accountId, invitationId, now);
    if (!found?.email) return;
    const recipient = found.email.toLowerCase();
    const isConfirmed = found.confirmed_at !== null;
    const mail = { jobId, kind: 'workspace_invitation', recipient, accountId, isConfirmed } as const;
    if (!(await countMail(db, mail, limits, now)))
      return enqueue(db, 'workspace_invitation', { accountId, invitationId }, hourSeconds);
    const token = newResetToken();
    if (!(await setToken(db, { accountId, invitationId }, token, now))) return;
    const link = joinAddress(appUrl, token, found.locale ?? found.workspace_locale);
    await mailer.send({
      to: found.email,
      subject: 'Join your workspace',
      text: `${greetingOf(found.username!)}\n\nyou are invited to join your workspace on Punchcard. Choose a password here:\n\n${link}\n\nThis link works once. If you do not expect it, ignore this mail.\n`,
    });
  },
});

/** Gives an invitation the token that is about to be mailed. Returns whether it can still be used. */
const setToken = (db: Db, { accountId, invitationId }: InvitationMail, token: string, now: Date): Promise<boolean> =>
  forAccount(db, accountId, async (tx) => {
    const before = await tx
      .selectFrom('invitations')
      .select('hash')
      .where('account_id', '=', accountId)
      .where('id', '=', invitationId)
      .where('used_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    const hash = tokenHash(token);
    await registerInvitation(tx, accountId, hash, before.hash);
    const after = await tx
      .updateTable('invitations')
      .set({ hash })
      .where('account_id', '=', accountId)
      .where('id', '=', invitationId)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordInvitations(tx, jobActor(accountId), 'updated', [{ before: { ...after, hash: null }, after }], now);
    return true;
  });

/** An invitation with its addressee, unless they have joined, or have been invited again, meanwhile. */
const findMailed = (db: Db, accountId: number, invitationId: string, now: Date) =>
  pendingInvitations(db, accountId, now)
    .innerJoin('accounts as account', (join) => join.on('account.id', '=', accountId))
    .select(['user.email', 'user.username', 'user.locale', 'workspace.locale as workspace_locale'])
    .select('account.confirmed_at')
    .where('invitation.id', '=', invitationId)
    .executeTakeFirst();
