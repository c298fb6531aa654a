import { readWith, writeWith } from '../../db/readers/readers.ts';
import { forAccount, forNoAccount, readForAccount } from '../../db/transactions.ts';
import { isRetryable } from '../../db/violations.ts';
import type { Db } from '../../db/connection.ts';
import type { Actor } from '../../core/permissions.ts';
import type { ApiDefinition } from '../api_definition.ts';
import type { Answer } from '../handlers.ts';

/** How an operation uses the database. */
interface Use {
  readonly isWrite: boolean;
  /** Whether the frame chooses the database and opens the transaction. False for a handler that does so itself. */
  readonly isManaged: boolean;
  /** Whether the primary must answer, though the operation only reads. */
  readonly readsPrimary: boolean;
}

/** Gives a call its database: a transaction for a write, on the server that has the rows of the account. Lost races are retried. */
export function withDatabase(api: ApiDefinition, { isWrite, isManaged, readsPrimary }: Use, answer: Answer): Answer {
  const isForReaders = isManaged && !readsPrimary;
  return async (call, req) => {
    const accountId = (call.actor as Actor | null)?.accountId;
    const isSecured = isManaged && api.securesReads && accountId !== undefined;
    const respondFrom = (db: Db) =>
      retrying(() => {
        if (!isWrite && !isSecured) return answer({ ...call, db }, req);
        const work = (tx: Db) => answer({ ...call, db: tx }, req);
        if (accountId === undefined) return forNoAccount(db, work);
        return (isWrite ? forAccount : readForAccount)(db, accountId, work);
      });
    const reader = isForReaders && accountId !== undefined ? await api.readers?.dbFor(accountId, isWrite) : undefined;
    return (isWrite ? writeWith : readWith)(reader, call.db, respondFrom);
  };
}

/** Retries work that lost a race for locks. */
async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
    }
  }
}
