import type { Mutation } from '../mutation.ts';

const remeasuring = 'src/days/balance/remeasure_absences.ts';

/** The amounts of absences, and when they are measured again. */
export const absenceMutations: readonly Mutation[] = [
  {
    file: 'src/absence/absences/create.ts',
    find: 'if (user) await lockUsers(tx, { accountId, ids: [user.id] });',
    replace: '',
    breaks: 'A new absence keeps an old amount, because target hours change at the same moment.',
    tests: ['test/system/server/absences_at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: remeasuring,
    find: '!absence.use_custom_values && (!isConfirmed || (resetsConfirmed && closed.length === 0))',
    replace: '!absence.use_custom_values',
    breaks: 'New target hours change confirmed absences that nobody asked for.',
    tests: ['test/api/shared/time_account/remeasured_absences.test.ts'],
  },
  {
    file: remeasuring,
    find: 'measure({ ...absence, dates }, days)',
    replace: 'measure(absence, days)',
    breaks: 'A full-day absence moves to other days with the time zone of its user.',
    tests: ['test/api/v3/absence/absences/absence_zones.test.ts'],
  },
  {
    file: 'src/absence/absences/list_totals.ts',
    find: 'group by day.user_id, type.kind, day.date)',
    replace: 'group by matching.id, day.date)',
    breaks: 'A date that two absences of one kind cover counts twice.',
    tests: ['test/api/v3/absence/absences/absence_totals.test.ts'],
  },
  {
    file: 'src/days/calendar/absence_days.ts',
    find: 'calendarDay(calendar, date).openTarget);',
    replace: 'calendarDay(calendar, date).target);',
    breaks: 'A public holiday takes a share of custom values.',
    tests: ['test/api/v3/absence/absences/absence_amounts.test.ts'],
  },
];
