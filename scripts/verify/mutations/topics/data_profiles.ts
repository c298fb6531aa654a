import type { Mutation } from '../mutation.ts';

const profiles = ['test/api/v3/organisation/data_profiles/data_profiles.test.ts'];
const ofUsers = ['test/api/v3/organisation/data_profiles/user_data_profiles.test.ts'];

/** Data profiles, custom fields, and the values in them. */
export const dataProfileMutations: readonly Mutation[] = [
  {
    file: 'src/platform/db/visibility.ts',
    find: 'sql<boolean>`data_profiles.least_rank <= ${actor.rank}`',
    replace: 'sql<boolean>`${actor.rank} > 0`',
    breaks: 'Lists show data profiles that the role of the caller may not see.',
    tests: profiles,
  },
  {
    file: 'src/platform/db/visibility.ts',
    find: 'profile.least_rank > ${rank}))`',
    replace: 'profile.least_rank > ${rank} and false))`',
    breaks: 'A user shows values of data profiles that the role of the caller may not see.',
    tests: profiles,
  },
  {
    file: 'src/platform/core/permissions.ts',
    find: '(isSelf(actor, profile.user) && profile.asksUsers)',
    replace: 'isSelf(actor, profile.user)',
    breaks: 'Users change values about themselves that nobody asked them for.',
    tests: ofUsers,
  },
  {
    file: 'src/organisation/user_data_profiles/user_data_profiles.ts',
    find: 'found.filter((field) => field.data_profile_id === profile.id)',
    replace: 'found',
    breaks: 'A value is stored in a field of another data profile.',
    tests: ofUsers,
  },
  {
    file: 'src/organisation/data_profiles/field_values.ts',
    find: "isNeeded(field) && field.key === 'end_of_contract'",
    replace: 'false',
    breaks: 'Absences keep their amount when the contract ends before them.',
    tests: ofUsers,
  },
];
