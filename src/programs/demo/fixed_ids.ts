import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { runAtCommit } from '../../platform/db/transactions.ts';

/** Ids that are random elsewhere. The samples of the reference name them. */
export const fixedIds = {
  action: '01945c2e-6d3a-7c1e-9a55-3f0d1b7e2c01',
  tagging: '5b1c9a34-2e0f-4d7b-8a61-6c3f9e2d4b02',
  /** Lists sort it behind the random id of the other token. */
  apiToken: 'ffff4b0e-5f5c-4c38-9b3f-8a6f2f1f7a01',
  /** Behind the random id of a session that somebody begins. */
  session: 'ffff0c52-7d1e-4b6a-8f30-2a9d5e6c7b01',
  batch: '49ca6d45-67fa-4cd9-8472-1b133bab51cd',
} as const;

/** Gives their fixed ids to the only punch and to the tagging of the first time tracking. */
export async function setFixedIds(db: OpenTransaction, { accountId }: WorkspaceActor): Promise<void> {
  // A punch is stored at the commit.
  runAtCommit(db, db.updateTable('actions').set({ id: fixedIds.action }).where('account_id', '=', accountId));
  await db
    .updateTable('time_tracking_tags')
    .set({ id: fixedIds.tagging })
    .where('account_id', '=', accountId)
    .execute();
}
