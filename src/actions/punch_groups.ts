import { groupQueue } from '../core/async/group_queue.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forAccountReading } from '../db/transactions.ts';
import { isUndone } from '../db/violations.ts';
import type { ShownAction } from './actions.ts';
import { acceptPunch, shownAction, targetOf, type PunchRequest } from './create.ts';
import { clocksIn, freeClockQueries, type LockedClocks } from './locked_clocks.ts';
import { storePunches, type Punch } from './store_punches.ts';

/*
 * Punches in groups. When a shift begins, everybody punches within a minute. Punches of one account that arrive together share
 * one transaction, because a transaction for four punches takes the database little longer than one for a single punch. A
 * punch is answered only after its transaction is committed. GATHER_PUNCHES=off gives every punch a transaction of its own.
 *
 * States of a punch, and what moves it on:
 *   waiting   It arrived while a group of its account was running. When that group has ended, or has taken longer than 100 ms,
 *             it moves to `grouped`. A punch that finds no running group moves on at once.
 *   grouped   It is in a transaction with up to 99 others.
 *             → done       It fits the clock of its user, and the transaction is committed.
 *             → refused    It does not fit, or the actor may not punch. The others of the group go on.
 *             → alone      Another transaction has locked its user, the group has an earlier punch of the same user, or the
 *                          database has rolled the group back, for example because of one punch that it refused.
 *             → failed     The connection was lost while the group was committed. It is unknown whether it was stored, so it is
 *                          not retried, and the caller gets the error.
 *   alone     The frame carries it out in a transaction of its own, which waits for locks. That ends in done, refused or failed.
 */

/** The state that a group leaves a punch in. */
export type GroupResult =
  | { readonly state: 'done'; readonly action: ShownAction }
  | { readonly state: 'refused'; readonly error: AppError }
  | { readonly state: 'alone' };

/** Makes a function that carries out punches in groups. It returns undefined for a punch that has to be carried out alone. */
export function punchGroups(): (db: Db, request: PunchRequest) => Promise<ShownAction | undefined> {
  const enqueue = groupQueue((_accountId: number, punches: readonly { db: Db; request: PunchRequest }[]) =>
    runGroup(
      punches[0]!.db,
      punches.map(({ request }) => request),
    ),
  );
  return async (db, request) => {
    const result = await enqueue(request.actor.accountId, { db, request });
    if (result.state === 'refused') throw result.error;
    return result.state === 'done' ? result.action : undefined;
  };
}

/** Carries out punches of one account in one transaction. */
async function runGroup(db: Db, requests: readonly PunchRequest[]): Promise<GroupResult[]> {
  let isCommitting = false;
  try {
    return await forGroup(db, requests, async (tx, clocks) => {
      const results = await createActions(tx, requests, clocks);
      isCommitting = true;
      return results;
    });
  } catch (error) {
    if (isCommitting && !isUndone(error)) throw error;
    return requests.map(() => ({ state: 'alone' }));
  }
}

/** Runs work in the transaction of a group, with the clocks of its users. A user has one punch in it, the first. */
export function forGroup<T>(
  db: Db,
  requests: readonly PunchRequest[],
  work: (tx: OpenTransaction, clocks: LockedClocks) => Promise<T>,
): Promise<T> {
  const firstOfUser = new Map(
    requests
      .map(targetOf)
      .toReversed()
      .map((target) => [target.userId, target]),
  );
  return forAccountReading(
    db,
    requests[0]!.actor.accountId,
    (tx) => freeClockQueries(tx, [...firstOfUser.values()]),
    (tx, rows) => work(tx, clocksIn(rows)),
  );
}

/** Records punches of one account. Each is accepted or refused as if it came alone. */
export async function createActions(
  tx: OpenTransaction,
  requests: readonly PunchRequest[],
  clocks: LockedClocks,
): Promise<GroupResult[]> {
  const accepted: Punch[] = [];
  const results: GroupResult[] = [];
  const seen = new Set<number>();
  for (const request of requests) {
    const { userId } = targetOf(request);
    const clock = seen.has(userId) ? undefined : clocks.get(userId);
    seen.add(userId);
    if (!clock) {
      results.push({ state: 'alone' });
      continue;
    }
    try {
      const punch = await acceptPunch(tx, request, clock);
      accepted.push(punch);
      results.push({ state: 'done', action: shownAction(punch) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ state: 'refused', error });
    }
  }
  await storePunches(tx, accepted);
  return results;
}
