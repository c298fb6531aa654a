import { AppError } from '../../core/errors.ts';
import type { Db } from '../connection.ts';
import type { Host } from './host.ts';

/** Servers that answer reads beside the one in DATABASE_URL. */
export interface Readers {
  readonly kind: 'standby' | 'shards';
  /** Where they are, as the log says it. */
  readonly place: string;
  /** A handle for a read about an account. Undefined where the server in DATABASE_URL has to answer. */
  dbFor(accountId: number): Promise<Db | undefined>;
  /** The server that has the rows of an account, where a transaction can write too. Undefined if it cannot be used now. */
  readonly hostFor?: (accountId: number) => Promise<Host | undefined>;
  /** How many reads, and transactions on hosts, they could answer, and how many they left to the server in DATABASE_URL. */
  readonly counts: { readonly answered: number; readonly passed: number };
  close(): Promise<void>;
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
