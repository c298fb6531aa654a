import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import { overAllAccounts } from '../../platform/db/distribution/all_accounts.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';

/** The end of the time for which a deleted record is kept. */
export function keptUntil(deletedAt: Date, retentionMonths: number): Date {
  const until = new Date(deletedAt);
  until.setUTCMonth(until.getUTCMonth() + retentionMonths);
  return until;
}

const chunkSize = 500;

/** Removes deleted records, and their files, whose time is over. */
export async function removeExpiredRecords(db: Db, retentionMonths: number, now: Date): Promise<void> {
  const before = keptUntil(now, -retentionMonths);
  await overAllAccounts(db, async (isAmong) => {
    let expired: { account_id: number; id: number }[];
    do {
      expired = await db
        .selectFrom('deleted_records')
        .select(['account_id', 'id'])
        .where('deleted_at', '<', before)
        .where(isAmong)
        .limit(chunkSize)
        .execute();
      for (const [accountId, records] of groupBy(expired, ({ account_id }) => account_id)) {
        const ids = records.map(({ id }) => id);
        await db.deleteFrom('deleted_records').where('account_id', '=', accountId).where(isAnyOf('id', ids)).execute();
      }
    } while (expired.length === chunkSize);
  });
}
