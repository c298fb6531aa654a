import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { allAccounts, overAllAccounts, type IsAmong } from '../../platform/db/distribution/all_accounts.ts';
import { forAccount } from '../../platform/db/transactions.ts';
import { enqueueJudgement, type JudgeJob } from '../../platform/jobs/judgement.ts';
import { enqueue, type JobHandlers } from '../../platform/jobs/queue.ts';
import { judgeUsers } from './judge_users.ts';
import { runningLimit } from './rules.ts';
import { refreshWarnings } from './warnings.ts';

/** How many users one transaction locks. */
const chunkSize = 5;

/**
 * Judges what no request judges. Time trackings are left running. Averages of 24 weeks, absences, holidays, birthdays and
 * settings change after the work that they decide about.
 */
export const warningJobs = (db: Db, clock: () => Date): JobHandlers => ({
  judge_running: async () => {
    const now = clock();
    await overAllAccounts(db, async (isAmong) => {
      for (const accountId of await accountsWithOldRunning(db, isAmong, now))
        for (const { id, time_zone, ...range } of await forgottenTrackings(db, accountId, now)) {
          const scope = { accountId, workspace: { id, time_zone } };
          await forAccount(db, accountId, (tx) => refreshWarnings(tx, scope, [range], now));
        }
    });
  },
  judge_accounts: async () => {
    for await (const id of allAccounts(db)) await enqueueJudgement(db, id);
  },
  // A chunk and the job for the next one are one transaction. A chunk that runs twice changes nothing the second time.
  judge_users: ({ accountId, afterUserId }: JudgeJob) =>
    forAccount(db, accountId, async (tx) => {
      const users = await tx
        .selectFrom('users')
        .select('id')
        .where('account_id', '=', accountId)
        .where('id', '>', afterUserId)
        .orderBy('id')
        .limit(chunkSize)
        .execute();
      const userIds = users.map(({ id }) => id);
      await judgeUsers(tx, accountId, userIds, clock());
      if (userIds.length === chunkSize) await enqueue(tx, 'judge_users', { accountId, afterUserId: userIds.at(-1)! });
    }),
});

const oldest = (now: Date): Date => new Date(now.getTime() - runningLimit.seconds * 1000);

/** The accounts with time trackings that have been running for too long. */
const accountsWithOldRunning = async (db: Db, isAmong: IsAmong, now: Date): Promise<number[]> => {
  const rows = await db
    .selectFrom('time_trackings')
    .select('account_id')
    .where('ends_at', 'is', null)
    .where('starts_at', '<', oldest(now))
    .where(isAmong)
    .groupBy('account_id')
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
};

/** The time trackings of an account that have been running for too long and have no violation yet. */
const forgottenTrackings = (db: Db, accountId: number, now: Date) =>
  db
    .selectFrom('time_trackings as tracking')
    .innerJoin('workspaces as workspace', (join) =>
      join.on('workspace.account_id', '=', accountId).onRef('workspace.id', '=', 'tracking.workspace_id'),
    )
    .where('tracking.account_id', '=', accountId)
    .where('tracking.ends_at', 'is', null)
    .where('tracking.starts_at', '<', oldest(now))
    .where('workspace.deleted_at', 'is', null)
    .where(sql<boolean>`'long_running' = any(workspace.working_time_rules)`)
    .where(
      sql<boolean>`not exists (
        select from working_time_violations stored
        where stored.account_id = ${accountId} and stored.user_id = tracking.user_id and stored.rule = 'long_running'
          and stored.date between (tracking.starts_at at time zone 'UTC')::date - 2 and (tracking.starts_at at time zone 'UTC')::date + 1)`,
    )
    .select(['tracking.user_id', 'tracking.starts_at', 'tracking.ends_at', 'workspace.id', 'workspace.time_zone'])
    .execute();

/** The schedules of these jobs, in cron syntax. */
export const warningSchedules = { judge_running: '*/10 * * * *', judge_accounts: '23 1 * * *' };
