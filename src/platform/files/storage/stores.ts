import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connection.ts';
import { settingOrNew } from '../../db/service_settings.ts';
import { databaseStore } from './database_store.ts';
import type { ObjectStore } from './s3_store.ts';
import type { FileStore, StoredContent } from './store.ts';

/*
 * A process has one object store, or none. It is kept here and not passed through every verb that may store a file, such as an
 * avatar.
 */
let objects: ObjectStore | undefined;
let takesNewFiles = false;

/** Sets the object store, and whether new files go there. Without one, the contents of all files are in the database. */
export function useObjectStore(store: ObjectStore | undefined, { isForNewFiles }: { isForNewFiles: boolean }): void {
  objects = store;
  takesNewFiles = store !== undefined && isForNewFiles;
}

/** The object store of the process, if it has one. */
export const objectStore = (): ObjectStore | undefined => objects;

/** Where the contents of new files go. */
export const storeOfNewFiles = (): FileStore => (takesNewFiles ? objects! : databaseStore);

/** Where the content of a file is. */
export function storeOf({ id, object_key }: Pick<StoredContent, 'id' | 'object_key'>): FileStore {
  if (object_key === null) return databaseStore;
  if (!objects)
    throw new Error(
      `The content of the file ${id} is in an object store. Set FILES_URL, or FILES_URL_PREVIOUS if new files go to the database.`,
    );
  return objects;
}

/** Opens the object store of the configuration, if there is one. The client is not loaded otherwise. */
export async function openObjectStore(db: Db, { objectStore: wanted }: Config): Promise<ObjectStore | undefined> {
  if (!wanted) return undefined;
  const { s3Store } = await import('./s3_store.ts');
  const store = await s3Store(wanted.address, await homeOf(db));
  useObjectStore(store, { isForNewFiles: wanted.isForNewFiles });
  return store;
}

/** The first part of the keys of this database's objects. A copy of the database has the same. */
const homeOf = (db: Db): Promise<string> => settingOrNew(db, 'files_home', randomUUID);
