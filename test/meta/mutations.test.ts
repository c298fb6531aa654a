import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allMutations, mutated } from '../../scripts/verify/mutations/all_mutations.ts';

/*
 * `npm run verify -- mutations` makes mistakes on purpose and expects tests to fail. It takes minutes. This test only checks that
 * every mutation still fits its source.
 */

describe('the mutations', () => {
  it.each(allMutations)('fit: $breaks', (mutation) => {
    const source = readFileSync(mutation.file, 'utf8');
    expect(mutated(source, mutation)).not.toBe(source);
    expect(mutation.tests.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('are at least 60, and no two break the same', () => {
    expect(allMutations.length).toBeGreaterThanOrEqual(60);
    expect(new Set(allMutations.map(({ breaks }) => breaks)).size).toBe(allMutations.length);
  });
});
