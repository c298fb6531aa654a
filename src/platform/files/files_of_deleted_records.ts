import type { Db } from '../db/connection.ts';
import type { StoredFile } from './files.ts';

/** One file without its bytes, also one of a deleted record. Only copies of the data of a person show these. */
export const findAnyFile = (db: Db, accountId: number, id: string): Promise<StoredFile | undefined> =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'content_type', 'size_bytes', 'object_key'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The ids of the files of deleted records of a user. */
export async function filesOfDeletedRecords(
  db: Db,
  { accountId, userId }: { readonly accountId: number; readonly userId: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .innerJoin('deleted_records as record', (join) =>
      join.on('record.account_id', '=', accountId).onRef('record.id', '=', 'files.deleted_record_id'),
    )
    .select('files.id')
    .where('files.account_id', '=', accountId)
    .where('record.user_id', '=', userId)
    .execute();
  return rows.map(({ id }) => id);
}
