import { recentlyUsed } from '../core/remember.ts';
import { identityChanges } from '../db/driver/identity.ts';

/*
 * Caches the actors of credentials for a short time. A change by this process takes effect at once. A change by another process
 * takes effect when its notification arrives (src/db/driver/identity_listener.ts), or when the entry expires.
 */
const lifetimeMs = 900;
const maxEntries = 10_000;

interface Entry<T> {
  readonly value: T;
  /** The count of identity changes when the look-up began. */
  readonly changes: number;
  readonly expiresAtMs: number;
}

/** Changes of the wall clock do not affect it. */
const monotonicClock = (): number => performance.now();

/** Looks up credentials and caches what it finds. A credential that is unknown is not cached. */
export function credentialCache<T>(
  clock = monotonicClock,
): (key: string, lookUp: () => Promise<T | undefined>) => Promise<T | undefined> {
  const entries = recentlyUsed<string, Entry<T>>(maxEntries);
  return async (key, lookUp) => {
    const [now, changes] = [clock(), identityChanges()];
    const cached = entries.get(key);
    if (cached && cached.changes === changes && cached.expiresAtMs > now) return cached.value;
    const value = await lookUp();
    entries.delete(key);
    if (value === undefined) return undefined;
    // Time and changes are those from before the look-up, which may have missed a change made meanwhile.
    entries.set(key, { value, changes, expiresAtMs: now + lifetimeMs });
    return value;
  };
}
