import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/transactions.ts';
import type { JobHandlers } from '../jobs/queue.ts';
import { maxRunningSeconds } from './rules.ts';
import { refreshWarnings } from './warnings.ts';

/** Warns about time trackings that were left running: no request changes them, so no request checks them. */
export const warningJobs = (db: Db, clock: () => Date): JobHandlers => ({
  judge_running: async () => {
    const now = clock();
    const forgotten = await db
      .selectFrom('time_trackings as tracking')
      .innerJoin('workspaces as workspace', (join) =>
        join
          .onRef('workspace.account_id', '=', 'tracking.account_id')
          .onRef('workspace.id', '=', 'tracking.workspace_id'),
      )
      .leftJoin('notifications as warning', (join) =>
        join
          .onRef('warning.account_id', '=', 'tracking.account_id')
          .onRef('warning.time_tracking_id', '=', 'tracking.id')
          .on('warning.rule', '=', 'long_running'),
      )
      .where('tracking.ends_at', 'is', null)
      .where('tracking.starts_at', '<', new Date(now.getTime() - maxRunningSeconds * 1000))
      .where('workspace.deleted_at', 'is', null)
      .where('warning.id', 'is', null)
      .select([
        'tracking.account_id',
        'tracking.user_id',
        'tracking.starts_at',
        'tracking.ends_at',
        'workspace.id',
        'workspace.time_zone',
      ])
      .execute();
    for (const { account_id, id, time_zone, ...range } of forgotten) {
      const scope = { accountId: account_id, workspace: { id, time_zone } };
      await forAccount(db, account_id, (tx) => refreshWarnings(tx, scope, [range], now));
    }
  },
});

/** The schedules of these jobs, in cron syntax. */
export const warningSchedules = { judge_running: '*/10 * * * *' };
