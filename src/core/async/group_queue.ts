import { withTimeout } from './with_timeout.ts';

/** A larger group would keep its first item waiting for too long. */
const maxGroupSize = 100;

/** After this time the next group starts, even if the one before it is still running. */
const maxWaitMs = 100;

interface QueuedItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a function that hands items to `work` in groups of the same key. Items that arrive in the same turn of the event loop
 * form a group. Items that arrive while a group of their key is running form the next one. `work` returns one result for each
 * item, in the same order.
 */
export function groupQueue<Key, Item, Result>(
  work: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
): (key: Key, item: Item) => Promise<Result> {
  // A key has a queue for as long as a group of it is running.
  const queues = new Map<Key, QueuedItem<Item, Result>[]>();

  async function runGroups(key: Key, queue: QueuedItem<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0, maxGroupSize);
      const finished = settlementOf(key, group).then((settle) => {
        // The next group starts before the callers of this one go on, because answering them takes time.
        if (queue.length > 0) setImmediate(settle);
        else settle();
      });
      await withTimeout(finished, { timeoutMs: maxWaitMs, fallback: undefined });
    }
    queues.delete(key);
  }

  async function settlementOf(key: Key, group: readonly QueuedItem<Item, Result>[]): Promise<() => void> {
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
      const queue = queues.get(key);
      if (queue) return void queue.push({ item, resolve, reject });
      const first = [{ item, resolve, reject }];
      queues.set(key, first);
      setImmediate(() => void runGroups(key, first));
    });
}
