import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/transactions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { enqueue, type JobHandlers } from '../jobs/queue.ts';
import { keepMonths } from './keep_months.ts';
import { remeasureAbsences, type Remeasurement } from './remeasure_absences.ts';

/** The absences of the members of a workspace, some users at a time. */
interface RemeasureJob extends Remeasurement {
  readonly accountId: number;
  readonly workspaceId: number;
  /** The users up to this id are done. */
  readonly afterUserId: number;
}

/** How many users one transaction locks. */
const chunkSize = 20;

/** Measures the absences of everybody in a workspace again, in a job that starts with the commit of this transaction. */
export const enqueueRemeasurement = (
  tx: OpenTransaction,
  accountId: number,
  workspaceId: number,
  change: Remeasurement,
): Promise<void> => enqueue(tx, 'remeasure_absences', { ...change, accountId, workspaceId, afterUserId: 0 });

/**
 * A chunk and the job for the next one are one transaction: if the process is killed, either both are stored or none. A chunk
 * that runs twice changes nothing the second time.
 */
export const timeAccountJobs = (db: Db, clock: () => Date): JobHandlers => ({
  keep_months: () => keepMonths(db, clock()),
  remeasure_absences: (job: RemeasureJob) =>
    forAccount(db, job.accountId, async (tx) => {
      const { accountId, workspaceId, afterUserId, ...change } = job;
      const members = await tx
        .selectFrom('memberships')
        .select('user_id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '>', afterUserId)
        .orderBy('user_id')
        .limit(chunkSize)
        .execute();
      const userIds = members.map(({ user_id }) => user_id);
      await remeasureAbsences(tx, accountId, userIds, change, clock());
      if (userIds.length === chunkSize)
        await enqueue(tx, 'remeasure_absences', { ...job, afterUserId: userIds.at(-1)! });
    }),
});

/** The schedules of these jobs, in cron syntax. */
export const timeAccountSchedules = { keep_months: '*/10 * * * *' };
