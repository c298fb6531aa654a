import { gather } from '../core/gather.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Db } from '../db/connection.ts';
import { forAccount } from '../db/transactions.ts';
import { isUndone } from '../db/violations.ts';
import type { Call, Operation } from './contract.ts';

/*
 * When a shift begins, everybody punches in within a minute. Calls of one account that come while others are being carried out
 * share a transaction: that of four takes the database little longer than that of one. Nobody is answered before what he asked
 * for is stored for good, and what is wrong with one call is no matter of the others.
 */

/** Carries out calls of one account in one transaction, which all of them have as their `db`. */
type CarryOut<C, Reply> = (calls: readonly C[]) => Promise<Outcome<Reply>[]>;

const carriesOutMany = Symbol('carriesOutMany');

type Gathered<C, Reply> = ((call: C) => Promise<Reply>) & { [carriesOutMany]?: CarryOut<C, Reply> };

/** A handler that can also carry out many calls at once. */
export const gathered = <C extends Call<never>, Reply>(
  alone: (call: C) => Promise<Reply>,
  many: CarryOut<C, Reply>,
): ((call: C) => Promise<Reply>) => Object.assign(alone, { [carriesOutMany]: many });

/** Carries out calls by their account, together with others; undefined where the handler carries out one at a time. */
export function gatheringOf<C extends Call<Operation>, Reply>(db: Db, handler: Gathered<C, Reply>) {
  const many = handler[carriesOutMany];
  if (many === undefined) return undefined;
  return gather(async (accountId: number, calls: readonly C[]): Promise<Outcome<Reply>[]> => {
    let isReady = false;
    try {
      return await forAccount(db, accountId, async (transaction) => {
        const outcomes = await many(calls.map((call) => ({ ...call, db: transaction })));
        isReady = true;
        return outcomes;
      });
    } catch (error) {
      // The failure of one has undone all of them; each is then tried alone. Where the commit may have been made, nobody tries again.
      if (isReady && !isUndone(error)) throw error;
      return calls.map(() => 'busy');
    }
  });
}
