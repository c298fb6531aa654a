import type { Mutation } from '../mutation.ts';

/** Strict lists, conditional writes, and decisions about many records. */
export const requestMutations: readonly Mutation[] = [
  {
    file: 'src/platform/db/list/read_filters.ts',
    find: 'isComplete: readCount === items.length && !values.includes(null)',
    replace: 'isComplete: true',
    breaks: 'A strict list leaves a value of a filter out.',
    tests: ['test/api/shared/platform/http/requests/strict_lists.test.ts'],
  },
  {
    file: 'src/platform/db/list/list.ts',
    find: 'ignoredOrRefused(reading.ignoredParameters, selection.isStrict)',
    replace: 'ignoredOrRefused(reading.ignoredParameters, false)',
    breaks: 'The list of time trackings ignores a misspelt filter of a strict request.',
    tests: ['test/api/shared/platform/http/requests/strict_lists.test.ts'],
  },
  {
    file: 'src/platform/http/answers/strictness.ts',
    find: 'throw new AppError(400, [...refused, ...others]);',
    replace: 'throw new AppError(400, refused);',
    breaks: 'A strict list reports unknown parameters alone, and its other problems only afterwards.',
    tests: ['test/api/shared/platform/http/requests/strict_lists.test.ts'],
  },
  {
    file: 'src/platform/http/requests/body_limits.ts',
    find: 'Math.max(...maxima)',
    replace: 'Infinity',
    breaks: 'A list that is longer than the contract allows is validated item by item.',
    tests: ['test/unit/platform/http/normalise_body.test.ts'],
  },
  {
    file: 'src/platform/http/requests/pointers.ts',
    find: 'names.findLastIndex((name) => !/^\\d+$/.test(name))',
    replace: 'names.length - 1',
    breaks: 'The title of a wrong item of a list names its position, not the list.',
    tests: ['test/api/v3/working_time/working_time_rules/judged_settings.test.ts'],
  },
  {
    file: 'src/absence/absences/batch/decisions.ts',
    find: "reject: 'rejected', reset: 'pending'",
    replace: "reject: 'pending', reset: 'rejected'",
    breaks: 'A batch that rejects absences makes them pending.',
    tests: ['test/api/v3/absence/absences/absence_decision_batch.test.ts'],
  },
  {
    file: 'src/platform/http/answers/if_match.ts',
    find: 'const { tag } = await read(call);',
    replace: 'const { tag } = record;',
    breaks: 'A conditional write compares its tag with a record that it has not locked yet.',
    tests: ['test/api/shared/platform/http/requests/conditional_writes.test.ts'],
    needsPostgres: true,
  },
  {
    file: 'src/platform/http/answers/if_match.ts',
    find: '.filter(([, weak]) => weak === undefined)',
    replace: '',
    breaks: 'A weak tag counts as a strong one.',
    tests: ['test/api/shared/platform/http/requests/conditional_writes.test.ts'],
  },
  {
    file: 'src/working_time/time_trackings/resource.ts',
    find: 'isRunning ? changesWithTime(shown, runningTimes) : shown',
    replace: 'shown',
    breaks: 'The tag of a running time tracking changes every second.',
    tests: ['test/api/shared/platform/http/requests/conditional_writes.test.ts'],
  },
];
