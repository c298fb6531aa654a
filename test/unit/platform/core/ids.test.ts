import { describe, expect, it } from 'vitest';
import { isUuid, numericId, numericIds, orderedUuid, unknownIds } from '../../../../src/platform/core/ids.ts';

describe('numericId', () => {
  it.each([
    [1, 1],
    ['1', 1],
    ['999999999999999', 999_999_999_999_999],
  ])('%j is %j', (id, number) => {
    expect(numericId(id)).toBe(number);
  });

  it.each([
    '',
    '0',
    0,
    '01',
    '-1',
    -1,
    '1.5',
    1.5,
    '1e3',
    'abc',
    '22_22',
    ' 1',
    '1\0',
    '9999999999999999',
    '9'.repeat(40),
    1e21,
    NaN,
  ])('%j can be none', (id) => {
    expect(numericId(id)).toBeUndefined();
  });
});

describe('numericIds', () => {
  it('returns each id once, and names the invalid ones', () => {
    expect(numericIds([1, '1', '2', 'abc', 0])).toEqual({ numbers: [1, 2], impossible: ['abc', 0] });
  });
});

describe('unknownIds', () => {
  it('is one problem for all of them', () => {
    expect(unknownIds('user_ids', [], 'user')).toEqual([]);
    expect(unknownIds('user_ids', [7, 'abc'], 'user of this workspace')).toEqual([
      {
        code: 'unknown_reference',
        pointer: 'user_ids',
        title: 'user_ids names 7, "abc", which is no user of this workspace.',
      },
    ]);
  });

  it('does not repeat a long list', () => {
    const [problem] = unknownIds(
      'ids',
      Array.from({ length: 5000 }, (_, index) => index),
      'user',
    );
    expect(problem!.title).toBe('ids names 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …, which is no user.');
  });
});

describe('isUuid', () => {
  it('recognises a UUID by its form', () => {
    expect(isUuid('7d3c2b1a-5e4f-4c6b-8a9d-0e1f2a3b4c5d')).toBe(true);
    expect(isUuid('7D3C2B1A-5E4F-4C6B-8A9D-0E1F2A3B4C5D')).toBe(true);
    expect(['', 'abc', '7d3c2b1a5e4f4c6b8a9d0e1f2a3b4c5d', '{7d3c2b1a-5e4f-4c6b-8a9d-0e1f2a3b4c5d}'].some(isUuid)).toBe(
      false,
    );
  });
});

describe('orderedUuid', () => {
  it('is a UUID of version 7 that sorts after all before it', () => {
    const made = Array.from({ length: 10_000 }, orderedUuid);
    expect(made.every((id) => isUuid(id) && /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    expect(Math.abs(parseInt(made[0]!.slice(0, 13).replace('-', ''), 16) - Date.now())).toBeLessThan(60_000);
  });
});
