import type { Mutation } from './mutation.ts';

const days = 'src/core/time.ts';
const rules = 'src/working_time_rules/rules.ts';

/** Days, zones, and how long something lasts. */
export const timeMutations: readonly Mutation[] = [
  {
    file: days,
    find: 'shown - oldOffset < change ? shown - oldOffset : Math.max(change, shown - newOffset)',
    replace: 'Math.max(change, shown - newOffset)',
    breaks: 'A day whose midnight occurs twice starts an hour late.',
    tests: ['test/core/local_days.test.ts'],
  },
  {
    file: days,
    find: 'new Date(firstMoment(midnightUtc(day) + 24 * hourMs, zone).getTime() - 1000)',
    replace: 'new Date(firstMoment(midnightUtc(day), zone).getTime() + 24 * hourMs - 1000)',
    breaks: 'A day on which the clocks change ends an hour early or late.',
    tests: ['test/core/local_days.test.ts', 'test/core/time.test.ts'],
  },
  {
    file: 'src/calendar/dates.ts',
    find: 'Math.max(0, last - first + 1)',
    replace: 'Math.max(0, last - first)',
    breaks: 'The last day of an absence is not counted.',
    tests: ['test/calendar/absence_days.test.ts'],
  },
  {
    file: days,
    find: '.plus({ years: 1 })',
    replace: '.plus({ days: 365 })',
    breaks: 'A year with 29 February ends a day early.',
    tests: ['test/core/time.test.ts', 'test/v3/absences/absence_refusals.test.ts'],
  },
  {
    file: rules,
    find: 'if (net <= maxWorkSeconds) return [];',
    replace: 'if (net < maxWorkSeconds) return [];',
    breaks: 'Exactly ten hours of work raise a warning.',
    tests: ['test/working_time_rules/rules.test.ts'],
  },
  {
    file: rules,
    find: '(candidate.ends_at ?? now) > starts_at',
    replace: '(candidate.ends_at ?? now) >= starts_at',
    breaks: 'Two time trackings that follow each other at once raise a warning.',
    tests: ['test/working_time_rules/rules.test.ts'],
  },
];
