import { describe, expect, it } from 'vitest';
import { recentlyUsed, remember } from '../../../../src/platform/core/remember.ts';

describe('recentlyUsed', () => {
  it('keeps an entry until it is deleted or cleared', () => {
    const map = recentlyUsed<string, number | null>(10);
    map.set('a', 1);
    map.set('b', null);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, null, undefined]);
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
    map.clear();
    expect(map.get('b')).toBeUndefined();
  });

  it('keeps no more entries than its limit', () => {
    const map = recentlyUsed<number, number>(10);
    for (let key = 0; key < 1000; key++) map.set(key, key);
    const held = Array.from({ length: 1000 }, (_, key) => key).filter((key) => map.get(key) !== undefined);
    expect(held.length).toBeLessThanOrEqual(10);
  });

  it('keeps the half that was used last', () => {
    const map = recentlyUsed<number, number>(10);
    map.set(-1, -1);
    for (let key = 0; key < 1000; key++) {
      map.set(key, key);
      expect(map.get(-1)).toBe(-1);
    }
    for (let key = 996; key < 1000; key++) expect(map.get(key)).toBe(key);
    expect(map.get(0)).toBeUndefined();
  });

  it('forgets an entry that has aged, too', () => {
    const map = recentlyUsed<number, number>(4);
    for (const key of [1, 2, 3]) map.set(key, key);
    map.delete(1);
    map.delete(3);
    expect([1, 2, 3].map((key) => map.get(key))).toEqual([undefined, 2, undefined]);
  });
});

describe('remember', () => {
  it('computes a result once', () => {
    const computed: string[] = [];
    const lengthOf = remember({ limit: 10 }, (text: string) => (computed.push(text), text.length));
    expect([lengthOf('a'), lengthOf('bc'), lengthOf('a')]).toEqual([1, 2, 1]);
    expect(computed).toEqual(['a', 'bc']);
  });

  it('tells results apart by the key of their arguments', () => {
    let calls = 0;
    const sum = remember({ limit: 10, keyOf: (a, b) => `${a} ${b}` }, (a: number, b: number) => (calls++, a + b));
    expect([sum(1, 2), sum(1, 3), sum(1, 2)]).toEqual([3, 4, 3]);
    expect(calls).toBe(2);
  });

  it('does not cache a failure', () => {
    let calls = 0;
    const failing = remember({ limit: 10 }, (_key: string): number => {
      if (++calls === 1) throw new Error('not yet');
      return calls;
    });
    expect(() => failing('a')).toThrow('not yet');
    expect(failing('a')).toBe(2);
  });
});
