import { randomUUID } from 'node:crypto';
import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/transactions.ts';
import type { StoredFile } from './files.ts';
import { requireFileQuota } from './quota.ts';
import { inPieces } from './storage/pieces.ts';
import type { StoredContent } from './storage/store.ts';
import { storeOf, storeOfNewFiles } from './storage/stores.ts';

/*
 * A file that is stored while it is made, so that it is never in memory as a whole. It exists from the beginning, has no size
 * until it is complete, and is not shown before.
 */

/** Begins a file. */
export async function beginFile(
  db: Db,
  accountId: number,
  file: { readonly name: string; readonly contentType: string },
  now: Date,
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('files')
    .values({
      account_id: accountId,
      id,
      name: file.name,
      content_type: file.contentType,
      size_bytes: 0,
      object_key: storeOfNewFiles().newKey(accountId, now),
      is_complete: false,
      created_at: now,
    })
    .execute();
  return id;
}

/**
 * Stores the content of a file that was begun, and returns its size. Only a few pieces of it are in memory at a time.
 * `afterPiece` runs after each; an error that it throws ends the file.
 */
export async function writeFile(
  db: Db,
  accountId: number,
  fileId: string,
  content: AsyncIterable<Buffer>,
  afterPiece: () => Promise<void>,
): Promise<number> {
  const file: StoredContent = await db
    .selectFrom('files')
    .select(['account_id', 'id', 'object_key', 'size_bytes'])
    .where('account_id', '=', accountId)
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  let size = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of inPieces(content)) {
      yield piece;
      size += piece.length;
      await afterPiece();
    }
  };
  await storeOf(file).put((write) => forAccount(db, accountId, write), file, counted());
  return size;
}

/** Completes a file; 400 if the account has no space left for it. */
export async function completeFile(db: Db, accountId: number, fileId: string, sizeBytes: number): Promise<void> {
  const stored: StoredFile = await db
    .updateTable('files')
    .set({ size_bytes: sizeBytes, is_complete: true })
    .where('account_id', '=', accountId)
    .where('id', '=', fileId)
    .returning(['id', 'name', 'content_type', 'size_bytes', 'object_key'])
    .executeTakeFirstOrThrow();
  await requireFileQuota(db, accountId, stored);
}
