import { atMost } from './at_most.ts';

/*
 * To do several things together often takes little longer than to do one. What has come in the same turn of the event loop is
 * done together, and at once; what comes meanwhile waits for it, and is then done together. So nobody waits where there is
 * little to do.
 */

/** More would keep the first waiting for too long. */
const mostTogether = 100;

/** So many milliseconds are waited for a group that is under way; should it be stuck, others are not. */
const patience = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands things to `work`, together with others under the same key, of which one group is under way at a time unless it takes
 * long. `work` returns as many results, in the same order.
 */
export function gather<Key, Item, Result>(
  work: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
): (key: Key, item: Item) => Promise<Result> {
  // A key is in here as long as a group of it is under way.
  const waitingFor = new Map<Key, Waiting<Item, Result>[]>();

  async function workOff(key: Key, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, mostTogether);
      const isTold = outcomeOf(key, group).then((tell) => {
        // What waits is under way before those are told whose turn it was: to answer them takes time.
        if (waiting.length > 0) setImmediate(tell);
        else tell();
      });
      await atMost(patience, isTold, undefined);
    }
    waitingFor.delete(key);
  }

  async function outcomeOf(key: Key, group: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const items = group.map(({ item }) => item);
      const results = await work(key, items);
      return () => group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      return () => group.forEach(({ reject }) => reject(error));
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = waitingFor.get(key);
      if (waiting) return void waiting.push({ item, resolve, reject });
      const first = [{ item, resolve, reject }];
      waitingFor.set(key, first);
      setImmediate(() => void workOff(key, first));
    });
}
