import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';
import { forAccount } from '../../db/transactions.ts';
import { databaseStore } from './database_store.ts';
import type { StoredContent } from './store.ts';
import { objectStore, storeOf, storeOfNewFiles } from './stores.ts';

/*
 * Moves the contents of files to where new ones go. A file is copied first; then one transaction changes its record. If the
 * command is killed, each file is in exactly one of the two places that its record can name, and the command goes on with the
 * rest. Housekeeping finds a copy that no record names.
 */

export interface Moved {
  readonly files: number;
  readonly bytes: number;
}

const pageSize = 100;

/** Which files to move: those of one account, or of all. */
export interface Scope {
  readonly accountId?: number | undefined;
}

/** Moves all files that are elsewhere. Files that are being written stay where they are. */
export async function moveFiles(
  db: Db,
  scope: Scope,
  clock: () => Date,
  isDone: (share: number) => void,
): Promise<Moved> {
  const { count } = await misplaced(db, scope)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  let moved: Moved = { files: 0, bytes: 0 };
  let seen = 0;
  for (let last: StoredContent | undefined, isMore = true; isMore;) {
    const page = await pageAfter(db, scope, last);
    for (const file of page) {
      if (await moveFile(db, file, clock())) moved = { files: moved.files + 1, bytes: moved.bytes + file.size_bytes };
      isDone(++seen / Math.max(count, seen));
    }
    last = page.at(-1);
    isMore = page.length === pageSize;
  }
  return moved;
}

/** The files that are not where new ones go. */
function misplaced(db: Db, { accountId }: Scope) {
  const elsewhere = storeOfNewFiles() === databaseStore ? 'is not' : 'is';
  const all = db.selectFrom('files').where('is_complete', '=', true).where('object_key', elsewhere, null);
  return accountId === undefined ? all : all.where('account_id', '=', accountId);
}

function pageAfter(db: Db, scope: Scope, last: StoredContent | undefined): Promise<StoredContent[]> {
  const page = misplaced(db, scope)
    .select(['account_id', 'id', 'object_key', 'size_bytes'])
    .orderBy('account_id')
    .orderBy('id')
    .limit(pageSize);
  const isAfter = last && sql<boolean>`(account_id, id) > (${last.account_id}, ${last.id}::uuid)`;
  return (isAfter ? page.where(isAfter) : page).execute();
}

/** Moves one file. False if it was deleted or moved meanwhile. */
const moveFile = (db: Db, file: StoredContent, now: Date): Promise<boolean> =>
  file.object_key === null ? toObjects(db, file, now) : toDatabase(db, file);

async function toObjects(db: Db, file: StoredContent, now: Date): Promise<boolean> {
  const store = objectStore()!;
  const copy = { ...file, object_key: store.newKey(file.account_id, now) };
  const run = <T>(write: (on: Db) => Promise<T>): Promise<T> => forAccount(db, file.account_id, write);
  await store.put(run, copy, await databaseStore.get(db, file));
  const isMoved = await forAccount(db, file.account_id, async (tx) => {
    if (!(await changeKey(tx, file, copy.object_key))) return false;
    await databaseStore.remove((write) => write(tx), file);
    return true;
  });
  if (!isMoved) await store.remove(run, copy);
  return isMoved;
}

/** The trigger on the record notes the object, which housekeeping removes later. Reads that have begun can end. */
const toDatabase = (db: Db, file: StoredContent): Promise<boolean> =>
  forAccount(db, file.account_id, async (tx) => {
    if (!(await changeKey(tx, file, null))) return false;
    const content = counted(await storeOf(file).get(tx, file), file);
    await databaseStore.put((write) => write(tx), file, content);
    return true;
  });

async function changeKey(tx: Db, { account_id, id, object_key }: StoredContent, key: string | null): Promise<boolean> {
  const changed = await tx
    .updateTable('files')
    .set({ object_key: key })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('object_key', 'is not distinct from', object_key)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** The pieces of a content. Throws if they are not as many bytes as the record says. */
async function* counted(pieces: AsyncIterable<Buffer>, { id, size_bytes }: StoredContent): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    yield piece;
  }
  if (bytes !== size_bytes)
    throw new Error(`The file ${id} must have ${size_bytes} bytes, but its object has ${bytes}. It was not moved.`);
}
