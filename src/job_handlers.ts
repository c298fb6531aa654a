import { decisionSteps } from './absences/batch/decisions.ts';
import { createForUsers } from './absences/create_for_many.ts';
import { deleteExpiredAttempts } from './auth/attempts.ts';
import { authJobs, deleteExpiredResetTokens } from './auth/mails.ts';
import type { BatchStep } from './batch_actions/batches.ts';
import { batchJobs } from './batch_actions/chunks.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connection.ts';
import { all } from './db/distribution/all_accounts.ts';
import { isDistributed } from './db/distribution/citus.ts';
import { distribute } from './db/distribution/distribute.ts';
import { deleteExpiredKeys } from './db/idempotency_keys.ts';
import { prepareTenantRole } from './db/tenant_role.ts';
import { removeExpiredRecords } from './deleted_records/retention.ts';
import { removeExpiredEvents } from './events/retention.ts';
import { exportJobs } from './exports/make.ts';
import { signedLinks, signingKey } from './files/links.ts';
import { deleteExpired } from './files/made_files.ts';
import { removeUnusedObjects } from './files/storage/housekeeping.ts';
import { invitationJobs } from './invitations/mails.ts';
import type { JobHandlers, Side } from './jobs/queue.ts';
import type { Mailer } from './mail/mailer.ts';
import { notificationMailJobs } from './notification_mails/notification_mails.ts';
import { notificationSteps } from './notifications/inbox.ts';
import { dataExportJobs } from './personal_data/make.ts';
import { shiftSteps } from './shifts/copy_week.ts';
import { timeAccountJobs, timeAccountSchedules } from './time_account/jobs.ts';
import { timeTrackingSteps } from './time_trackings/batch/steps.ts';
import { addressPolicy } from './webhooks/addresses.ts';
import { removeOldDeliveries } from './webhooks/deliveries.ts';
import { webhookDelivery, type Delivery, type DeliveryParts } from './webhooks/delivery.ts';
import { messageBody } from './webhooks/message_resource.ts';
import { openSecretBox, resealSecrets } from './webhooks/secret_box.ts';
import { warningJobs, warningSchedules } from './working_time_rules/jobs.ts';

/*
 * Every job that a worker runs. This file imports nothing that serves requests, so that a worker process does not load Express.
 */

/** The steps of batches, by the action that names them. */
const batchSteps: Readonly<Record<string, BatchStep>> = {
  ...timeTrackingSteps,
  'absences.create': createForUsers,
  ...decisionSteps,
  ...notificationSteps,
  ...shiftSteps,
};

const systemClock = (): Date => new Date();

/** The handler of every queue. */
export const jobHandlers = (db: Db, mailer: Mailer, config: Config, clock = systemClock): JobHandlers => ({
  ...authJobs(db, mailer, config, clock),
  ...invitationJobs(db, mailer, config, clock),
  ...notificationMailJobs(db, mailer, config, clock),
  ...batchJobs(db, batchSteps, clock),
  ...exportJobs(db, clock),
  ...dataExportJobs(db, clock),
  ...warningJobs(db, clock),
  ...timeAccountJobs(db, config, clock),
  // A worker that was added since the last run gets what it lacks.
  distribution: async () => {
    await distribute(db);
    if (await isDistributed(db)) await prepareTenantRole(db);
  },
  housekeeping: () =>
    all([
      () => deleteExpiredKeys(db, clock()),
      () => deleteExpiredAttempts(db, clock()),
      () => deleteExpiredResetTokens(db, clock()),
      () => deleteExpired(db, 'exports', clock()),
      () => deleteExpired(db, 'data_exports', clock()),
      () => removeExpiredRecords(db, config.recordRetentionMonths, clock()),
      () => removeExpiredEvents(db, config.eventRetentionDays, clock()),
      () => removeOldDeliveries(db, clock()),
      () => resealSecrets(db, config),
      () => removeUnusedObjects(db, clock()),
    ]),
});

/** The cron schedules of jobs that run regularly. */
export const jobSchedules: Readonly<Record<string, string>> = {
  ...warningSchedules,
  ...timeAccountSchedules,
  distribution: '*/5 * * * *',
  housekeeping: '17 * * * *',
};

type DeliveryOptions = Partial<Pick<DeliveryParts, 'clock' | 'policy' | 'timeoutMs' | 'isDistributed'>>;

/** Delivers events to the webhooks of all accounts. */
export const deliveryOf = (
  db: Db,
  config: Config,
  { clock = systemClock, policy = addressPolicy(config), ...options }: DeliveryOptions = {},
): Delivery =>
  webhookDelivery({
    isDistributed,
    ...options,
    db,
    clock,
    policy,
    openBox: () => openSecretBox(db, config),
    bodyOf: async (delivery, now) =>
      messageBody(delivery, { db, now, links: signedLinks(await signingKey(db, config.secretKey), clock) }),
  });

/** What a process does beside its jobs. */
export const workBeside = (db: Db, config: Config): readonly Side[] => [deliveryOf(db, config)];
