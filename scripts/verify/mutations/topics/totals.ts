import type { Mutation } from '../mutation.ts';

const sums = 'src/working_time/time_trackings/list/totals.ts';
const filters = 'src/working_time/time_trackings/list/total_filters.ts';

/** Sums, counts and rounding. */
export const totalMutations: readonly Mutation[] = [
  {
    file: 'src/days/calendar/rounding.ts',
    find: 'return Number(isNegative ? -units : units);',
    replace: `const product = (values: readonly number[]): number => values.reduce((one, other) => one * other, 1);
  return Math.round(product(factors) / product(divisors));`,
    breaks: 'Hours and days are rounded as binary numbers: 8.165 becomes 8.16.',
    tests: ['test/unit/days/rounding.test.ts'],
  },
  {
    file: 'src/days/balance/measure_absence.ts',
    find: 'secondsOfHours(twoDecimals(hours))',
    replace: 'secondsOfHours(Math.round(hours * 100) / 100)',
    breaks: 'The hours of an absence that a request gives are rounded by another rule.',
    tests: ['test/api/public/absence/absence_creation.test.ts'],
  },
  {
    file: sums,
    find: "'unconfirmed', ${count} - ${confirmed}",
    replace: "'unconfirmed', ${count}",
    breaks: 'Confirmed time trackings are counted as unconfirmed.',
    tests: ['test/api/shared/working_time/time_tracking_totals.test.ts'],
  },
  {
    file: sums,
    find: "and kept.day < ${dayOf(end, 'infinity')}::date",
    replace: "and kept.day <= ${dayOf(end, 'infinity')}::date",
    breaks: 'The totals of a range count the day after it.',
    tests: ['test/api/shared/working_time/time_tracking_totals.test.ts'],
  },
  {
    file: sums,
    find: "matching.where('time_trackings.starts_at', '>=', begin)",
    replace: "matching.where('time_trackings.starts_at', '>', begin)",
    breaks: 'The totals of a range miss what starts in its first second.',
    tests: ['test/api/shared/working_time/time_tracking_totals.test.ts'],
  },
  {
    file: sums,
    find: 'least(time_trackings.gross_s, time_trackings.break_s)',
    replace: 'time_trackings.break_s',
    breaks: 'Breaks that are longer than their time tracking make the net total too small.',
    tests: ['test/api/shared/working_time/time_tracking_totals.test.ts'],
  },
  {
    file: filters,
    find: 'if (!readsWholeWorkspace(rank)) return undefined;',
    replace: '',
    breaks: 'Employees see the totals of the whole workspace.',
    tests: [
      'test/api/shared/working_time/time_tracking_totals.test.ts',
      'test/api/v3/working_time/time_trackings/time_tracking_lists.test.ts',
    ],
  },
  {
    file: filters,
    find: 'one.from > other.from ? one.from : other.from',
    replace: 'one.from < other.from ? one.from : other.from',
    breaks: 'The totals of two filters by time are those of the wider one.',
    tests: ['test/api/shared/working_time/time_tracking_totals.test.ts'],
  },
  {
    file: 'src/absence/absences/list_totals.ts',
    find: "count(*) filter (where confirmation_status = 'rejected') as rejected",
    replace: "count(*) filter (where confirmation_status <> 'confirmed') as rejected",
    breaks: 'Pending absences are counted as rejected.',
    tests: ['test/api/v3/absence/absences/absence_lists.test.ts'],
  },
  {
    file: 'src/days/calendar/absence_totals.ts',
    find: 'byDate.set(date, Math.max(parts, byDate.get(date) ?? 0));',
    replace: 'byDate.set(date, parts + (byDate.get(date) ?? 0));',
    breaks: 'Two absences on one day spend two vacation days.',
    tests: ['test/unit/days/vacation/vacation_summary.test.ts', 'test/verify/time_account.test.ts'],
  },
  {
    file: 'src/days/calendar/worked_time.ts',
    find: 'Math.min(gross, breakDuration(tracking, now) ?? 0)',
    replace: 'breakDuration(tracking, now) ?? 0',
    breaks: 'The net time of a time tracking that has just started is negative.',
    tests: ['test/unit/days/worked_time.test.ts'],
  },
];
