import { groupBy } from '../../core/group_by.ts';
import type { Db } from '../../db/connection.ts';
import { overAllAccounts } from '../../db/distribution/all_accounts.ts';
import { isAnyOf } from '../../db/rows_by_ids.ts';
import { findSetting, storeSetting } from '../../db/service_settings.ts';
import type { ObjectStore } from './s3_store.ts';
import { objectStore } from './stores.ts';

/*
 * Objects without a record. Those of files that were deleted are noted by the database in the transaction that deletes them.
 * Those whose transaction was rolled back, or whose process was killed, are found by listing the store: keys begin with the day on
 * which they were made, so only the days since the last sweep are listed.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Longer than any transaction that has put an object and may still commit. */
const graceMs = hourMs;

/** Removes objects that no record of a file names, and what is left of uploads that were never completed. */
export async function removeUnusedObjects(db: Db, now: Date): Promise<void> {
  const store = objectStore();
  if (!store) return;
  await removeNoted(db, store);
  await removeUnknown(db, store, now);
  await store.removeUploads(new Date(now.getTime() - dayMs));
}

/** The setting with the first part of the keys up to which nothing is left to find. Missing before the first sweep. */
const sweptBefore = 'files_swept_before';

const chunkSize = 500;

/** Removes the objects of files that were deleted or moved. If it is killed, the next run removes them again, which does no harm. */
const removeNoted = (db: Db, store: ObjectStore): Promise<void> =>
  overAllAccounts(db, async (isAmong) => {
    for (let found = chunkSize; found === chunkSize;) {
      const noted = await db
        .selectFrom('removed_objects')
        .select(['account_id', 'object_key'])
        .where(isAmong)
        .orderBy('account_id')
        .orderBy('object_key')
        .limit(chunkSize)
        .execute();
      for (const { object_key } of noted) await store.removeKey(object_key);
      for (const [accountId, objects] of groupBy(noted, ({ account_id }) => account_id)) {
        const keys = objects.map(({ object_key }) => object_key);
        await db
          .deleteFrom('removed_objects')
          .where('account_id', '=', accountId)
          .where(isAnyOf('object_key', keys))
          .execute();
      }
      found = noted.length;
    }
  });

/** No key is used twice, so an object that has had no record for a while never gets one. */
async function removeUnknown(db: Db, store: ObjectStore, now: Date): Promise<void> {
  const newest = new Date(now.getTime() - graceMs);
  const firstDay = (await findSetting(db, sweptBefore)) ?? '';
  let keys: string[] = [];
  const removeThose = async (): Promise<void> => {
    for (const key of await withoutRecord(db, keys)) await store.removeKey(key);
    keys = [];
  };
  for await (const { key, modifiedAt } of store.list(firstDay)) {
    if (modifiedAt < newest) keys.push(key);
    if (keys.length === chunkSize) await removeThose();
  }
  await removeThose();
  await storeSetting(db, sweptBefore, store.dayKey(new Date(now.getTime() - dayMs)));
}

async function withoutRecord(db: Db, keys: readonly string[]): Promise<string[]> {
  const known = await db.selectFrom('files').select('object_key').where(isAnyOf('object_key', keys)).execute();
  const used = new Set(known.map(({ object_key }) => object_key));
  return keys.filter((key) => !used.has(key));
}
