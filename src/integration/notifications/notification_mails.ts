import { randomUUID } from 'node:crypto';
import { countMail } from '../../access/auth/mail_limits.ts';
import { greetingOf } from '../../access/auth/mails.ts';
import type { Limits } from '../../platform/config.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { JobHandlers } from '../../platform/jobs/queue.ts';
import type { Mailer } from '../../platform/notifications/mailer.ts';

/** The job that mails one notification. It carries ids only. */
interface NotificationMail {
  readonly accountId: number;
  readonly notificationId: number;
}

/**
 * The job that mails notifications to users who want that. A mail says what happened and no more: the details may be about
 * somebody's health, and contain names that others have chosen.
 */
export const notificationMailJobs = (
  db: Db,
  mailer: Mailer,
  { appUrl, limits }: { appUrl: string; limits: Limits },
  clock: () => Date,
): JobHandlers => ({
  notification_mail: async ({ accountId, notificationId }: NotificationMail, jobId = randomUUID()) => {
    const notification = await findMailed(db, accountId, notificationId);
    if (!notification?.email) return;
    const recipient = notification.email.toLowerCase();
    const mail = { jobId, kind: 'notification', recipient, accountId, isConfirmed: true } as const;
    // Over the limit, the notification is still in the app.
    if (!(await countMail(db, mail, limits, clock()))) return;
    await mailer.send({
      to: notification.email,
      subject: notification.title,
      text: `${greetingOf(notification.username)}\n\nyou have a new notification: ${notification.title}.\n\nRead it here:\n\n${appUrl}\n\nYou get this mail because you have turned on mails about notifications. You can turn them off in your settings.\n`,
    });
  },
});

/** A notification and its addressee, unless it was deleted or the addressee gets no mail any more. */
const findMailed = (db: Db, accountId: number, notificationId: number) =>
  db
    .selectFrom('notifications as notification')
    .innerJoin('users as user', (join) =>
      join.on('user.account_id', '=', accountId).onRef('user.id', '=', 'notification.user_id'),
    )
    .innerJoin('accounts as account', (join) => join.on('account.id', '=', accountId))
    .select(['notification.title', 'user.username', 'user.email'])
    .where('notification.account_id', '=', accountId)
    .where('notification.id', '=', notificationId)
    .where('user.mail_notifications', '=', true)
    .where('user.status', '=', 'active')
    // Nobody has shown yet that mails to an unconfirmed account arrive where they should.
    .where('account.confirmed_at', 'is not', null)
    .executeTakeFirst();
