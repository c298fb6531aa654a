import type { Mutation } from './mutation.ts';

/** How requests ask to be handled: strict lists, decisions about many records. */
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
  {
    file: 'src/absences/batch/decisions.ts',
    find: "reject: 'rejected', reset: 'pending'",
    replace: "reject: 'pending', reset: 'rejected'",
    breaks: 'A batch that rejects absences makes them pending.',
    tests: ['test/v3/absences/absence_decision_batch.test.ts'],
  },
];
