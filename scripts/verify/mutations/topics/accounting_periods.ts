import type { Mutation } from '../mutation.ts';

/** Closed months. */
export const accountingPeriodMutations: readonly Mutation[] = [
  {
    file: 'src/payroll/accounting_periods/lock_months.ts',
    find: 'select pg_advisory_xact_lock(wanted.lock)',
    replace: 'select pg_advisory_xact_lock_shared(wanted.lock)',
    breaks: 'A month is closed without a change that is stored a moment later.',
    tests: ['test/system/server/closing_at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: 'src/days/calendar/day_ledger.ts',
    find: 'if (closed) return closed;',
    replace: '',
    breaks: 'Closed days change with settings.',
    tests: ['test/api/v3/payroll/accounting_periods/closed_days.test.ts'],
  },
  {
    file: 'src/days/balance/closed_months.ts',
    find: 'isAfter ? latestOf([date, closed.next_date]) : date',
    replace: 'date',
    breaks: 'Work on the first open day is lost when the user moves to a zone in which it was still the day before.',
    tests: ['test/api/v3/payroll/accounting_periods/closed_days.test.ts'],
  },
  {
    file: 'src/days/balance/store_absence_days.ts',
    find: 'where (day.date, day.seconds, day.parts) = (stored.date, stored.seconds, stored.parts))',
    replace: 'where false)',
    breaks: 'An absence that begins in a closed month cannot be changed in an open one.',
    tests: ['test/api/v3/payroll/accounting_periods/refused_writes.test.ts'],
  },
];
