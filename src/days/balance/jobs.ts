import { sql } from 'kysely';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/connection.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { jobActor } from '../../platform/events/record.ts';
import { enqueue, type JobHandlers } from '../../platform/jobs/queue.ts';
import { fillMonthCache } from './month_cache_job.ts';
import { remeasureAbsences, type Remeasurement } from './remeasure_absences.ts';
import { homeWorkspaceId } from './user_days.ts';

/** The absences of the users whose days a workspace decides about, or of the whole account, some users at a time. */
interface RemeasureJob extends Remeasurement {
  readonly accountId: number;
  readonly workspaceId: number | null;
  /** The users up to this id are done. */
  readonly afterUserId: number;
}

/** How many users one transaction locks. */
const chunkSize = 20;

/**
 * Measures absences again, in a job that starts with the commit of this transaction: those of the users whose days the workspace
 * decides about, or of everybody where it is null.
 */
export const enqueueRemeasurement = (
  tx: OpenTransaction,
  accountId: number,
  workspaceId: number | null,
  change: Remeasurement,
): Promise<void> => enqueue(tx, 'remeasure_absences', { ...change, accountId, workspaceId, afterUserId: 0 });

/**
 * A chunk and the job for the next one are one transaction: if the process is killed, either both are stored or none. A chunk
 * that runs twice changes nothing the second time.
 */
export const timeAccountJobs = (
  db: Db,
  { hasMonthCache }: Pick<Config, 'hasMonthCache'>,
  clock: () => Date,
): JobHandlers => ({
  fill_month_cache: async () => {
    if (hasMonthCache) await fillMonthCache(db, clock());
  },
  remeasure_absences: (job: RemeasureJob) =>
    forAccount(db, job.accountId, async (tx) => {
      const { accountId, workspaceId, afterUserId, ...change } = job;
      const isConcerned =
        workspaceId === null
          ? sql<boolean>`true`
          : sql<boolean>`${homeWorkspaceId(accountId, sql.ref('users.id'))} = ${workspaceId}`;
      const users = await tx
        .selectFrom('users')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '>', afterUserId)
        .where(isConcerned)
        .orderBy('id')
        .limit(chunkSize)
        .execute();
      const userIds = users.map(({ id }) => id);
      await remeasureAbsences(tx, jobActor(accountId), userIds, change, clock());
      if (userIds.length === chunkSize)
        await enqueue(tx, 'remeasure_absences', { ...job, afterUserId: userIds.at(-1)! });
    }),
});

/** The schedules of these jobs, in cron syntax. */
export const timeAccountSchedules = { fill_month_cache: '*/10 * * * *' };
