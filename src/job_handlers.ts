import { decisionSteps } from './absences/batch/decisions.ts';
import { createForUsers } from './absences/create_for_many.ts';
import { deleteExpiredAttempts } from './auth/attempts.ts';
import { authJobs, deleteExpiredResetTokens } from './auth/mails.ts';
import type { BatchStep } from './batch_actions/batches.ts';
import { batchJobs } from './batch_actions/chunks.ts';
import type { Config } from './config.ts';
import type { Db } from './db/connection.ts';
import { deleteExpiredKeys } from './db/idempotency_keys.ts';
import { removeExpiredRecords } from './deleted_records/retention.ts';
import type { JobHandlers } from './jobs/queue.ts';
import type { Mailer } from './mail/mailer.ts';
import { notificationMailJobs } from './notification_mails/notification_mails.ts';
import { notificationSteps } from './notifications/inbox.ts';
import { timeAccountJobs, timeAccountSchedules } from './time_account/jobs.ts';
import { timeTrackingSteps } from './time_trackings/batch/steps.ts';
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
};

const systemClock = (): Date => new Date();

/** The handler of every queue. */
export const jobHandlers = (db: Db, mailer: Mailer, config: Config, clock = systemClock): JobHandlers => ({
  ...authJobs(db, mailer, config, clock),
  ...notificationMailJobs(db, mailer, config, clock),
  ...batchJobs(db, batchSteps, clock),
  ...warningJobs(db, clock),
  ...timeAccountJobs(db, config, clock),
  housekeeping: async () => {
    await deleteExpiredKeys(db, clock());
    await deleteExpiredAttempts(db, clock());
    await deleteExpiredResetTokens(db, clock());
    await removeExpiredRecords(db, config.recordRetentionMonths, clock());
  },
});

/** The cron schedules of jobs that run regularly. */
export const jobSchedules: Readonly<Record<string, string>> = {
  ...warningSchedules,
  ...timeAccountSchedules,
  housekeeping: '17 * * * *',
};
