import type { Mutation } from '../mutation.ts';

/** Personal data: who gets a copy, what it leaves out, and what anonymisation must not forget. */
export const personalDataMutations: readonly Mutation[] = [
  {
    file: 'src/core/permissions.ts',
    find: 'copy_data: (actor: Actor, user: { id: number }) => isSelf(actor, user) || isAccountAdmin(actor),',
    replace: 'copy_data: isAtLeast(rank.employee),',
    breaks: 'Everybody gets a copy of the data of everybody.',
    tests: ['test/v3/personal_data/data_exports.test.ts'],
  },
  {
    file: 'src/personal_data/copied_rows.ts',
    find: 'copied(without(row, leftOut))',
    replace: 'copied(row)',
    breaks: 'A copy has hashes, and the names of others.',
    tests: ['test/v3/personal_data/data_exports.test.ts'],
  },
  {
    file: 'src/personal_data/traces.ts',
    find: '  await blankDeliveries(tx, person);\n',
    replace: '',
    breaks: 'The log of webhooks still has the name of an anonymised person.',
    tests: ['test/v3/personal_data/anonymisations.test.ts'],
  },
  {
    file: 'src/personal_data/refusals.ts',
    find: 'until === null || until <= now',
    replace: 'true',
    breaks: 'A person is anonymised although their working times must still be kept.',
    tests: ['test/v3/personal_data/anonymisations.test.ts'],
  },
];
