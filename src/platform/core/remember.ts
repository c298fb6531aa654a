/** A map that holds at most `limit` entries and keeps at least the half of them that were used last. */
export interface RecentlyUsed<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/**
 * Entries are set in the young generation, which becomes the old one when it is full; what the old one held is dropped. An
 * entry that is used moves back to the young generation. A hit on a young entry costs one look-up and moves nothing.
 */
export function recentlyUsed<Key, Value extends NonNullable<unknown> | null>(limit: number): RecentlyUsed<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  const set = (key: Key, value: Value): void => {
    young.set(key, value);
    if (young.size * 2 < limit) return;
    old = young;
    young = new Map();
  };
  return {
    set,
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const aged = old.get(key);
      if (aged !== undefined) set(key, aged);
      return aged;
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young.clear();
      old.clear();
    },
  };
}

interface RememberOptions<Arguments extends unknown[]> {
  /** How many results are remembered at most. */
  readonly limit: number;
  /** Without it, the first argument is the key. */
  readonly keyOf?: (...values: Arguments) => unknown;
}

/** The function with a bounded memory: it computes a result once, and again only where that was dropped. */
export function remember<Arguments extends unknown[], Value extends NonNullable<unknown> | null>(
  { limit, keyOf = (...values) => values[0] }: RememberOptions<Arguments>,
  compute: (...values: Arguments) => Value,
): (...values: Arguments) => Value {
  const results = recentlyUsed<unknown, Value>(limit);
  return (...values) => {
    const key = keyOf(...values);
    const known = results.get(key);
    if (known !== undefined) return known;
    const value = compute(...values);
    results.set(key, value);
    return value;
  };
}
