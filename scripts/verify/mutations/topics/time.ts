import type { Mutation } from '../mutation.ts';

const days = 'src/platform/core/time.ts';
const workingTimeRules = 'src/working_time/working_time_rules';

/** Days, time zones and durations. */
export const timeMutations: readonly Mutation[] = [
  {
    file: days,
    find: 'shown - oldOffset < change ? shown - oldOffset : Math.max(change, shown - newOffset)',
    replace: 'Math.max(change, shown - newOffset)',
    breaks: 'A day whose midnight occurs twice starts an hour late.',
    tests: ['test/unit/platform/core/local_days.test.ts'],
  },
  {
    file: days,
    find: 'new Date(firstMoment(midnightUtc(day) + 24 * hourMs, zone).getTime() - 1000)',
    replace: 'new Date(firstMoment(midnightUtc(day), zone).getTime() + 24 * hourMs - 1000)',
    breaks: 'A day on which the clocks change ends an hour early or late.',
    tests: ['test/unit/platform/core/local_days.test.ts', 'test/unit/platform/core/time.test.ts'],
  },
  {
    file: 'src/days/calendar/dates.ts',
    find: 'Math.max(0, last - first + 1)',
    replace: 'Math.max(0, last - first)',
    breaks: 'The last day of an absence is not counted.',
    tests: ['test/unit/days/absence_days.test.ts'],
  },
  {
    file: days,
    find: '.plus({ years: 1 })',
    replace: '.plus({ days: 365 })',
    breaks: 'A year with 29 February ends a day early.',
    tests: ['test/unit/platform/core/time.test.ts', 'test/api/v3/absence/absences/absence_refusals.test.ts'],
  },
  {
    file: `${workingTimeRules}/day_rules.ts`,
    find: 'if (net <= limit.seconds) return [];',
    replace: 'if (net < limit.seconds) return [];',
    breaks: 'Exactly ten hours of work raise a warning.',
    tests: ['test/unit/working_time/rules.test.ts', 'test/verify/working_time_rules.test.ts'],
  },
  {
    file: `${workingTimeRules}/working_days.ts`,
    find: 'work.from < last.end + sameDayGapSeconds',
    replace: 'work.from <= last.end + sameDayGapSeconds',
    breaks: 'Work that begins exactly two hours after the end of earlier work belongs to its working day.',
    tests: ['test/unit/working_time/rules.test.ts', 'test/verify/working_time_rules.test.ts'],
  },
  {
    file: `${workingTimeRules}/working_days.ts`,
    find: 'lengthOf(pause) >= leastBreakSeconds',
    replace: 'lengthOf(pause) > leastBreakSeconds',
    breaks: 'A break of exactly 15 minutes counts as work.',
    tests: ['test/unit/working_time/rules.test.ts', 'test/verify/working_time_rules.test.ts'],
  },
  {
    file: `${workingTimeRules}/judge.ts`,
    find: 'if (value > 0)',
    replace: 'if (value >= 0)',
    breaks: 'Two time trackings that follow each other at once raise a warning.',
    tests: ['test/unit/working_time/rules.test.ts', 'test/verify/working_time_rules.test.ts'],
  },
  {
    file: `${workingTimeRules}/warnings.ts`,
    find: 'if (isKnown(change.period, dates, trackings, facts.zone))',
    replace: 'if (dates)',
    breaks: 'A working day that began before the work that was read is not judged.',
    tests: ['test/api/shared/working_time/warnings.test.ts'],
  },
];
