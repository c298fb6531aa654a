import type { Mutation } from '../mutation.ts';

const assignments = 'src/planning/assignments/assignments.ts';
const links = 'src/working_time/time_trackings/assignment_links.ts';

/** Planned work: who sees and plans it, and who can be put on it, and the work that belongs to it. */
export const shiftMutations: readonly Mutation[] = [
  {
    file: 'src/platform/db/visibility.ts',
    find: '(shifts.visible is distinct from false or ${plannedBy(actor)})',
    replace: 'true',
    breaks: 'Employees see drafts in lists.',
    tests: ['test/api/v3/planning/shifts.test.ts', 'test/api/shared/platform/db/visibility.test.ts'],
  },
  {
    file: 'src/planning/shifts/shifts.ts',
    find: "authorize(actor, 'update', 'shift', { ...shift, area_id: columns.area_id ?? shift.area_id });",
    replace: '',
    breaks: 'An area admin moves shifts into the areas of others.',
    tests: ['test/api/v3/planning/shifts.test.ts'],
  },
  {
    file: 'src/planning/shifts/shift_users.ts',
    find: 'await lockUsers(tx, { accountId: actor.accountId, ids: [...added, ...removed] });',
    replace: '',
    breaks: 'A user is put on two shifts at the same time by requests at the same moment.',
    tests: ['test/system/server/roster/shift_users_at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: 'src/platform/core/time.ts',
    find: 'DateTime.fromJSDate(time, { zone }).plus({ weeks }).toJSDate()',
    replace: 'DateTime.fromJSDate(time, { zone }).plus({ hours: weeks * 168 }).toJSDate()',
    breaks: 'Copied shifts move by an hour when the clocks change.',
    tests: ['test/api/v3/planning/copy_week.test.ts'],
  },
  {
    file: 'src/planning/shifts/clashes.ts',
    find: 'seconds >= sameDayGapSeconds && seconds < limit',
    replace: 'seconds >= sameDayGapSeconds && seconds <= limit',
    breaks: 'A rest of exactly the limit is refused.',
    tests: ['test/unit/planning/shift_clashes.test.ts'],
  },
  {
    file: assignments,
    find: `  await lockUsers(tx, { accountId, ids: userIds });
`,
    replace: '',
    breaks: 'New work keeps a link to an assignment that is removed at the same moment.',
    tests: ['test/system/server/roster/links_at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: assignments,
    find: 'where assignments.application <> excluded.application',
    replace: '',
    breaks: 'A user who is assigned again loses their place in the list.',
    tests: ['test/api/shared/planning/assignments.test.ts'],
  },
  {
    file: links,
    find: ' and shift.visible is distinct from false',
    replace: '',
    breaks: 'Work is linked to drafts.',
    tests: ['test/api/shared/planning/assignment_links.test.ts'],
  },
  {
    file: links,
    find: 'tracking.assignment_id = linked.id and tracking.user_id = linked.user_id',
    replace: 'false',
    breaks: 'Work stays linked to a shift that its user was taken off.',
    tests: ['test/api/shared/planning/assignment_links.test.ts'],
  },
  {
    file: 'src/planning/assignments/plan.ts',
    find: 'localDateOf(shift.starts_at, zone)',
    replace: 'localDateOf(shift.ends_at, zone)',
    breaks: 'A night shift is planned for the day on which it ends.',
    tests: ['test/api/public/time_account/evaluations.test.ts', 'test/api/v3/time_account/user_days.test.ts'],
  },
  {
    file: 'src/planning/shifts/public.ts',
    find: 'isDay(range_end) ? new Date(lastMoment(range_end, zone).getTime() + 1000) : lastMoment(range_end, zone)',
    replace: 'firstMoment(range_end, zone)',
    breaks: 'The last day of a range has no shifts.',
    tests: ['test/api/public/planning/shifts.test.ts'],
  },
  {
    file: assignments,
    find: "\n        .on('workspace.deleted_at', 'is', null)",
    replace: '',
    breaks: 'The assignments of a deleted location are still shown.',
    tests: ['test/api/public/planning/shifts.test.ts'],
  },
];
