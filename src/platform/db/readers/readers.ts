import { AppError } from '../../core/errors.ts';
import type { Db } from '../connection.ts';
import { isDatabaseError } from '../violations.ts';

/** Servers that answer requests beside the one in DATABASE_URL, the primary. */
export interface Readers {
  readonly kind: 'standby' | 'workers';
  /** Where they are, as the log says it. */
  readonly place: string;
  /** A handle for a request about an account. Undefined where the primary has to answer. */
  dbFor(accountId: number, isWrite: boolean): Promise<Db | undefined>;
  /** How many requests they got, and how many they left to the primary. */
  readonly counts: { readonly answered: number; readonly passed: number };
  close(): Promise<void>;
}

/** A server could not be reached, so that nothing has happened there. */
export class NotReachedError extends Error {
  constructor(cause: unknown) {
    super('The server that has the rows of the account cannot be reached.', { cause });
  }
}

/** Reads from a reader, and from the primary if there is none or it fails. Whatever is refused is refused by both. */
export async function readWith<T>(reader: Db | undefined, primary: Db, read: (db: Db) => Promise<T>): Promise<T> {
  if (!reader) return read(primary);
  try {
    return await read(reader);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw error;
    return read(primary);
  }
}

/**
 * Does a write in one transaction on the server that has the rows of its account. The primary does it if there is none, if it
 * cannot be reached, or if the write needs a table that the primary alone has: a directory or the queue.
 */
export async function writeWith<T>(server: Db | undefined, primary: Db, write: (db: Db) => Promise<T>): Promise<T> {
  if (!server) return write(primary);
  try {
    return await write(server);
  } catch (error) {
    if (!(error instanceof NotReachedError) && !isMissingTable(error)) throw error;
    return write(primary);
  }
}

const isMissingTable = (error: unknown): boolean => isDatabaseError(error) && error.code === '42P01';
