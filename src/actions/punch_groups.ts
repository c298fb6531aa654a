import { groupQueue } from '../core/async/group_queue.ts';
import { AppError } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';
import type { DrawIds } from '../db/distribution/draw_ids.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { rowsOfVisit, visitTo, type Host } from '../db/readers/host.ts';
import type { Readers } from '../db/readers/readers.ts';
import { forAccountReading } from '../db/transactions.ts';
import { isUndone } from '../db/violations.ts';
import type { ShownAction } from './actions.ts';
import { acceptPunch, shownAction, targetOf, type PunchRequest } from './create.ts';
import { clockQuery, clocksIn, freeLockQuery, type LockedClocks } from './locked_clocks.ts';
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
 *             → alone      Another transaction has locked its user, the group has an earlier punch of the same user, the
 *                          database has rolled the group back, for example because of one punch that it refused, or a worker
 *                          cannot store it: see `storePunches`.
 *             → failed     The connection was lost while the group was committed. It is unknown whether it was stored, so it is
 *                          not retried, and the caller gets the error.
 *   alone     The frame carries it out in a transaction of its own, which waits for locks. That ends in done, refused or failed.
 */

/** The state that a group leaves a punch in. */
export type GroupResult =
  | { readonly state: 'done'; readonly action: ShownAction }
  | { readonly state: 'refused'; readonly error: AppError }
  | { readonly state: 'alone' };

/** The database, and the servers that have its rows where it is distributed. */
interface Databases {
  readonly db: Db;
  readonly readers: Readers | undefined;
}

/** Makes a function that carries out punches in groups. It returns undefined for a punch that has to be carried out alone. */
export function punchGroups(): (databases: Databases, request: PunchRequest) => Promise<ShownAction | undefined> {
  const enqueue = groupQueue(
    (_accountId: number, punches: readonly { databases: Databases; request: PunchRequest }[]) =>
      runGroup(
        punches[0]!.databases,
        punches.map(({ request }) => request),
      ),
  );
  return async (databases, request) => {
    const result = await enqueue(request.actor.accountId, { databases, request });
    if (result.state === 'refused') throw result.error;
    return result.state === 'done' ? result.action : undefined;
  };
}

/**
 * Carries out punches of one account in one transaction. It runs on the host of their rows, if there is one and they have no tags. If
 * the host fails, they have another try without it.
 */
async function runGroup({ db, readers }: Databases, requests: readonly PunchRequest[]): Promise<GroupResult[]> {
  const isTagged = requests.some(({ input }) => input.tag_ids.length > 0);
  const findHost = isTagged ? undefined : readers?.hostFor?.(requests[0]!.actor.accountId);
  const host = await findHost?.catch(() => undefined);
  const results = (host && (await tryGroup(db, requests, host))) ?? (await tryGroup(db, requests));
  return results ?? requests.map(() => ({ state: 'alone' }));
}

/** Undefined if the database has undone everything. */
async function tryGroup(db: Db, requests: readonly PunchRequest[], host?: Host): Promise<GroupResult[] | undefined> {
  let isCommitting = false;
  try {
    const carryOut = async (tx: OpenTransaction, clocks: LockedClocks): Promise<GroupResult[]> => {
      const results = await createActions(tx, requests, clocks, host?.drawIds);
      isCommitting = true;
      return results;
    };
    return await forGroup(db, requests, carryOut, host);
  } catch (error) {
    if (isCommitting && !isUndone(error)) throw error;
    return undefined;
  }
}

/**
 * Runs work in the transaction of a group, with the clocks of its users. A user has one punch in it, the first. Where a host has the
 * rows, the transaction runs there.
 */
export function forGroup<T>(
  db: Db,
  requests: readonly PunchRequest[],
  work: (tx: OpenTransaction, clocks: LockedClocks) => Promise<T>,
  host?: Host,
): Promise<T> {
  const firstOfUser = new Map(
    requests
      .map(targetOf)
      .toReversed()
      .map((target) => [target.userId, target]),
  );
  const targets = [...firstOfUser.values()];
  const { accountId } = targets[0]!;
  if (host)
    return forAccountReading(
      host.db,
      accountId,
      (tx) => [freeLockQuery(tx, targets), ...visitTo(host, clockQuery(tx, targets))] as const,
      (tx, [members, ...visit]) => work(tx, clocksIn([members, rowsOfVisit(host, visit)])),
    );
  return forAccountReading(
    db,
    accountId,
    (tx) => [freeLockQuery(tx, targets), clockQuery(tx, targets)] as const,
    (tx, rows) => work(tx, clocksIn(rows)),
  );
}

/** Records punches of one account. Each is accepted or refused as if it came alone. A host draws ids elsewhere. */
export async function createActions(
  tx: OpenTransaction,
  requests: readonly PunchRequest[],
  clocks: LockedClocks,
  drawIds?: DrawIds,
): Promise<GroupResult[]> {
  const accepted: Punch[] = [];
  const results: (GroupResult | Punch)[] = [];
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
      results.push(punch);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ state: 'refused', error });
    }
  }
  const left = new Set(await storePunches(tx, accepted, { drawIds }));
  return results.map((result) => {
    if ('state' in result) return result;
    return left.has(result) ? { state: 'alone' } : { state: 'done', action: shownAction(result) };
  });
}
