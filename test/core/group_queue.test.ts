import { describe, expect, it } from 'vitest';
import { groupQueue } from '../../src/core/async/group_queue.ts';

const laterThanNow = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Waits for one turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Doubles numbers, refuses those below 0, and records its groups. */
function doubling() {
  const groups: string[] = [];
  const double = groupQueue(async (key: string, numbers: readonly number[]) => {
    groups.push(`${key} ${numbers.join()}`);
    await laterThanNow();
    if (numbers.some((number) => number < 0)) throw new Error('below 0');
    return numbers.map((number) => 2 * number);
  });
  return { groups, double };
}

describe('groupQueue', () => {
  it('groups calls of one turn, and calls that arrive while a group runs', async () => {
    const { groups, double } = doubling();
    const first = [double('a', 1), double('a', 2)];
    await turn();
    expect(groups).toEqual(['a 1,2']);
    expect(await Promise.all([...first, double('a', 3), double('a', 4)])).toEqual([2, 4, 6, 8]);
    expect(groups).toEqual(['a 1,2', 'a 3,4']);
  });

  it('runs a call alone when nothing else is running', async () => {
    const { groups, double } = doubling();
    await double('a', 1);
    await double('a', 2);
    expect(groups).toEqual(['a 1', 'a 2']);
  });

  it('does not group calls with different keys', async () => {
    const { groups, double } = doubling();
    await Promise.all([double('a', 1), double('b', 2), double('a', 3), double('b', 4)]);
    expect(groups).toEqual(['a 1,3', 'b 2,4']);
  });

  it('runs at most 100 calls in a group, and every call once', async () => {
    const { groups, double } = doubling();
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => double('a', number)))).toEqual(
      numbers.map((number) => 2 * number),
    );
    expect(groups.map((group) => group.split(',').length)).toEqual([100, 100, 50]);
  });

  it('stops waiting for a group that hangs', async () => {
    let release = () => {};
    const stuck = new Promise<void>((resolve) => (release = resolve));
    const upper = groupQueue(async (_key: string, words: readonly string[]) => {
      if (words.includes('stuck')) await stuck;
      return words.map((word) => word.toUpperCase());
    });
    const first = upper('a', 'stuck');
    await turn();
    expect(await Promise.all([upper('a', 'one'), upper('a', 'two')])).toEqual(['ONE', 'TWO']);
    release();
    expect(await first).toBe('STUCK');
  });

  it('rejects every call of a failed group, and continues', async () => {
    const { double } = doubling();
    const first = double('a', 1);
    await turn();
    const settled = await Promise.allSettled([first, double('a', -2), double('a', 3)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await double('a', 4)).toBe(8);
  });
});
