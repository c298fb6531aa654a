import { recentlyUsed } from '../../core/remember.ts';
import { identityChanges } from '../../db/driver/identity.ts';

/*
 * Keeps for a moment what a credential stands for. A change made by this process is seen at once, that of another one when
 * the moment is over.
 */
const moment = 900;
const most = 10_000;

interface Kept<T> {
  readonly value: T;
  readonly changes: number;
  readonly until: number;
}

/** Looks a credential up, unless that has just been done. What is unknown is not kept. */
export function remembering<T>(
  clock: () => number = Date.now,
): (key: string, look: () => Promise<T | undefined>) => Promise<T | undefined> {
  const kept = recentlyUsed<string, Kept<T>>(most);
  return async (key, look) => {
    const [now, changes] = [clock(), identityChanges()];
    const known = kept.get(key);
    if (known && known.changes === changes && known.until > now) return known.value;
    const value = await look();
    kept.delete(key);
    if (value === undefined) return undefined;
    // Counted from before the look-up: what has changed since then is not in it.
    kept.set(key, { value, changes, until: now + moment });
    return value;
  };
}
