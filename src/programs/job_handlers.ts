import { decisionSteps } from '../absence/absences/batch/decisions.ts';
import { createForUsers } from '../absence/absences/create_for_many.ts';
import { deleteExpiredAttempts } from '../access/auth/attempts.ts';
import { lostAddressJobs } from '../access/auth/lost_addresses.ts';
import { authJobs, deleteExpiredResetTokens } from '../access/auth/mails.ts';
import { removeOldSessions } from '../access/sessions/sessions.ts';
import type { BatchStep } from '../platform/batches/batches.ts';
import { batchJobs } from '../platform/batches/chunks.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/db/connection.ts';
import { all } from '../platform/db/distribution/all_accounts.ts';
import { isDistributed } from '../platform/db/distribution/citus.ts';
import { distribute } from '../platform/db/distribution/distribute.ts';
import { deleteExpiredKeys } from '../platform/db/idempotency_keys.ts';
import { prepareTenantRole } from '../platform/db/tenant_role.ts';
import { removeExpiredRecords } from '../lifecycle/deleted_records/retention.ts';
import { removeExpiredEvents } from '../integration/events/retention.ts';
import { exportJobs } from '../payroll/exports/make.ts';
import { linksAt } from '../platform/core/links.ts';
import { signedLinks, signingKey } from '../platform/files/links.ts';
import { deleteExpired } from '../platform/files/made_files.ts';
import { removeUnusedObjects } from '../platform/files/storage/housekeeping.ts';
import { invitationJobs } from '../access/invitations/mails.ts';
import type { JobHandlers, Side } from '../platform/jobs/queue.ts';
import type { Mailer } from '../platform/notifications/mailer.ts';
import { notificationMailJobs } from '../integration/notifications/notification_mails.ts';
import { notificationSteps } from '../integration/notifications/inbox.ts';
import { dataExportJobs } from '../lifecycle/personal_data/make.ts';
import { shiftSteps } from '../planning/shifts/copy_week.ts';
import { timeAccountJobs, timeAccountSchedules } from '../days/balance/jobs.ts';
import { timeTrackingSteps } from '../working_time/time_trackings/batch/steps.ts';
import { addressPolicies } from '../integration/webhooks/addresses.ts';
import { removeOldDeliveries } from '../integration/webhooks/deliveries.ts';
import { webhookDelivery, type Delivery, type DeliveryParts } from '../integration/webhooks/delivery.ts';
import { messageBody } from '../integration/webhooks/message_resource.ts';
import { openSecretBox, resealSecrets } from '../integration/webhooks/secret_box.ts';
import { warningJobs, warningSchedules } from '../working_time/working_time_rules/jobs.ts';

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
  ...lostAddressJobs(db, clock),
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
      () => removeOldSessions(db, config.sessions, clock()),
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

type DeliveryOptions = Partial<Pick<DeliveryParts, 'clock' | 'policyFor' | 'timeoutMs' | 'isDistributed'>>;

/** Delivers events to the webhooks of all accounts. */
export const deliveryOf = (
  db: Db,
  config: Config,
  { clock = systemClock, policyFor = addressPolicies(config), ...options }: DeliveryOptions = {},
): Delivery =>
  webhookDelivery({
    isDistributed,
    ...options,
    db,
    clock,
    policyFor,
    openBox: () => openSecretBox(db, config),
    bodyOf: async (delivery, now) => {
      const paths = signedLinks(await signingKey(db, config.secretKey), clock);
      return messageBody(delivery, { db, now, links: linksAt(config.ownUrl, paths) });
    },
  });

/** The work of a process beside its jobs: the delivery of webhooks. */
export const workBeside = (db: Db, config: Config): readonly Side[] => [deliveryOf(db, config)];
