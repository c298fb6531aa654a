import type { Db } from '../../../platform/db/connection.ts';
import { isAfter, type Position } from './position.ts';
import { lastPosition } from './read.ts';

/*
 * Requests that wait for news hold no connection. For each account with waiting requests, one look-up per second finds out
 * whether there is news, however many of them wait.
 */

const pollIntervalMs = 1000;

/** How many requests of one account may wait in this process. */
const maxWaits = 20;

/** One request that waits. */
export interface Wait {
  readonly db: Db;
  readonly accountId: number;
  /** News is what comes after this position. */
  readonly since: Position;
  /** When it ends, as `performance.now()` counts. */
  readonly untilMs: number;
  /** True once nobody waits for the response any more. */
  readonly isAborted: () => boolean;
}

interface Waiting extends Wait {
  readonly end: (error?: unknown) => void;
}

export interface Waits {
  /** Takes a place for a request that may wait, and returns the function that gives it back. Undefined if there is none left. */
  enter(accountId: number): (() => void) | undefined;
  /** Resolves when there is news, when time is up, when the client has gone, or when the process stops. */
  forNews(wait: Wait): Promise<void>;
}

/** The waiting requests of this process. They end when it stops. `lookUp` finds the position of the last event. */
export function openWaits(isStopping: () => boolean, lookUp = lastPosition): Waits {
  const waiting = new Map<number, Set<Waiting>>();
  const places = new Map<number, number>();

  const poll = async (accountId: number, all: Set<Waiting>): Promise<void> => {
    const [anyone] = all;
    if (anyone === undefined) return void waiting.delete(accountId);
    try {
      const last = await lookUp(anyone.db, accountId);
      for (const one of all) if (isOver(one) || (last && isAfter(last, one.since))) one.end();
    } catch (error) {
      for (const one of all) one.end(error);
    }
    setTimeout(() => void poll(accountId, all), pollIntervalMs);
  };

  const isOver = ({ untilMs, isAborted }: Wait): boolean => isStopping() || isAborted() || performance.now() >= untilMs;

  return {
    enter(accountId) {
      const taken = places.get(accountId) ?? 0;
      if (taken === maxWaits || isStopping()) return undefined;
      places.set(accountId, taken + 1);
      return () => {
        const left = places.get(accountId)! - 1;
        if (left === 0) places.delete(accountId);
        else places.set(accountId, left);
      };
    },
    forNews: (wait) =>
      new Promise((resolve, reject) => {
        const { accountId } = wait;
        const isFirst = !waiting.has(accountId);
        const all = waiting.get(accountId) ?? new Set();
        const one: Waiting = {
          ...wait,
          end(error) {
            all.delete(one);
            if (error === undefined) resolve();
            else reject(error as Error);
          },
        };
        all.add(one);
        waiting.set(accountId, all);
        if (isFirst) setTimeout(() => void poll(accountId, all), pollIntervalMs);
      }),
  };
}
