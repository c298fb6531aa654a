import type { Mutation } from '../mutation.ts';

/** Personal data: who gets a copy, what it leaves out, and what anonymisation must not forget. */
export const personalDataMutations: readonly Mutation[] = [
  {
    file: 'src/platform/core/permissions.ts',
    find: 'copy_data: (actor: Actor, user: { id: number }) => isSelf(actor, user) || isAccountAdmin(actor),',
    replace: 'copy_data: isAtLeast(rank.employee),',
    breaks: 'Everybody gets a copy of the data of everybody.',
    tests: ['test/api/v3/lifecycle/personal_data/data_exports.test.ts'],
  },
  {
    file: 'src/lifecycle/personal_data/copied_rows.ts',
    find: 'copied(without(row, leftOut))',
    replace: 'copied(row)',
    breaks: 'A copy has hashes, and the names of others.',
    tests: ['test/api/v3/lifecycle/personal_data/data_exports.test.ts'],
  },
  {
    file: 'src/lifecycle/personal_data/mentions_by_others.ts',
    find: '  await blankDeliveries(tx, person);\n',
    replace: '',
    breaks: 'The log of webhooks still has the name of an anonymised person.',
    tests: ['test/api/v3/lifecycle/personal_data/anonymisations.test.ts'],
  },
  {
    file: 'src/lifecycle/personal_data/personal_data_map.ts',
    find: "reopening_reason: replacedIfSet('reopening_reason'), salary: zero",
    replace: "reopening_reason: replacedIfSet('reopening_reason')",
    breaks: 'Closed months still have the salary of an anonymised person.',
    tests: ['test/api/v3/lifecycle/personal_data/erased_figures.test.ts'],
  },
  {
    file: 'src/lifecycle/personal_data/kept_time_accounts.ts',
    find: "'deleted_records', ",
    replace: '',
    breaks: 'The balance of an anonymised person is lost although a deleted working time may come back.',
    tests: ['test/api/v3/lifecycle/personal_data/erased_figures.test.ts'],
  },
  {
    file: 'src/lifecycle/personal_data/free_texts.ts',
    find: "attributes: { content: 'content' }",
    replace: 'attributes: {}',
    breaks: 'Nobody learns which notes of others still name an anonymised person.',
    tests: ['test/api/v3/lifecycle/personal_data/personal_data_map.test.ts'],
  },
  {
    file: 'src/lifecycle/personal_data/refusals.ts',
    find: 'until === null || until <= now',
    replace: 'true',
    breaks: 'A person is anonymised although their working times must still be kept.',
    tests: ['test/api/v3/lifecycle/personal_data/anonymisations.test.ts'],
  },
];
