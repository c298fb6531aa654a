import type { Mutation } from '../mutation.ts';

const generation = 'src/absence/vacation_entitlements/generate.ts';

/** Vacation entitlements, and the day that they are computed for. */
export const vacationMutations: readonly Mutation[] = [
  {
    file: generation,
    find: 'if (!input.dry_run) await lockUsers(tx, { accountId, ids });',
    replace: '',
    breaks: 'Two requests at the same moment give everybody the vacation of a year twice.',
    tests: ['test/system/server/at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: 'src/organisation/users/records_of_user.ts',
    find: '${sql.ref(`${table}.user_id`)} = ${user.id} and ',
    replace: '',
    breaks: 'The entitlement of one user is found under another user.',
    tests: ['test/api/v3/absence/vacation/vacation_entitlements.test.ts'],
  },
  {
    file: 'src/days/balance/user_days.ts',
    find: 'coalesce(users.time_zone, (',
    replace: 'coalesce(null, (',
    breaks: 'Vacation lapses by the clock of the workspace, where the user has a zone of their own.',
    tests: ['test/api/v3/absence/vacation/spending.test.ts'],
  },
];
