import type { Mutation } from '../mutation.ts';

const creation = ['test/api/public/working_time/working_sessions/creation.test.ts'];
const lists = ['test/api/public/working_time/working_sessions/lists.test.ts'];

/** Working sessions and punches of the public API. */
export const workingSessionMutations: readonly Mutation[] = [
  {
    file: 'src/working_time/working_sessions/overlaps.ts',
    find: 'and starts_at < ${ends_at}::timestamptz and',
    replace: 'and starts_at <= ${ends_at}::timestamptz and',
    breaks: 'A working session that ends when another one begins is refused.',
    tests: creation,
  },
  {
    file: 'src/working_time/working_sessions/create.ts',
    find: '  one.user_id === other.userId &&\n',
    replace: '',
    breaks: 'The external id of another user counts as a repetition.',
    tests: creation,
  },
  {
    file: 'src/working_time/working_sessions/list.ts',
    find: 'and time_trackings.starts_at < place.first_day)',
    replace: 'and time_trackings.starts_at <= place.first_day)',
    breaks: 'Working sessions that begin with the first whole day of a range are counted twice.',
    tests: lists,
  },
  {
    file: 'src/days/calendar/worked_time.ts',
    find: '(seconds ?? 0) + tracking.manual_pause_min * 60',
    replace: '(seconds ?? tracking.manual_pause_min * 60)',
    breaks: 'A manual pause is not added to breaks that have times.',
    tests: ['test/unit/days/worked_time.test.ts'],
  },
];
