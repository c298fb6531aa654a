import type { Db } from '../../db/connection.ts';

/** The columns of a file that describe its content. */
export interface StoredContent {
  readonly account_id: number;
  readonly id: string;
  /** The key of its object. Null where the content is in the database. */
  readonly object_key: string | null;
  readonly size_bytes: number;
}

/** Runs a write: in the transaction that is open, or in one of its own. */
export type Run = <T>(write: (db: Db) => Promise<T>) => Promise<T>;

/** Holds the contents of files. The records of files are in the database in any case. */
export interface FileStore {
  /** The key for the content of a new file. Null where the id of its record is enough. */
  newKey(accountId: number, now: Date): string | null;
  /** Stores the content of a file, piece by piece. */
  put(run: Run, file: StoredContent, content: AsyncIterable<Buffer>): Promise<void>;
  /** The content of a file, piece by piece. Throws before the first piece where it cannot be read. */
  get(db: Db, file: StoredContent): Promise<AsyncIterable<Buffer>>;
  remove(run: Run, file: StoredContent): Promise<void>;
}
