import type { Mutation } from './mutation.ts';

/** How requests ask to be handled: strict lists. */
export const requestMutations: readonly Mutation[] = [
  {
    file: 'src/db/list/read_filters.ts',
    find: 'isComplete: readCount === items.length && !values.includes(null)',
    replace: 'isComplete: true',
    breaks: 'A strict list leaves a value of a filter out.',
    tests: ['test/http/strict_lists.test.ts'],
  },
  {
    file: 'src/db/list/list.ts',
    find: `const { unfit, bound, lookUp } = plan.read(db, values);
    const ignored = ignoredOrRefused(unfit, selection.isStrict);`,
    replace: `const { unfit, bound, lookUp } = plan.read(db, values);
    const ignored = ignoredOrRefused(unfit, false);`,
    breaks: 'The list of time trackings ignores a misspelt filter of a strict request.',
    tests: ['test/http/strict_lists.test.ts'],
  },
];
