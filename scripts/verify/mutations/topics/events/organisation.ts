import type { Mutation } from '../../mutation.ts';

const organisation = ['test/api/v3/integration/events/organisation.test.ts'];
const users = ['test/api/v3/integration/events/users.test.ts'];
const access = ['test/api/v3/integration/events/access.test.ts'];

/** What the history tells about the organisation. */
export const organisationEventMutations: readonly Mutation[] = [
  {
    file: 'src/organisation/users/events/user_events.ts',
    find: "  'is_account_admin',\n  ...membershipAttributes,\n",
    replace: "  'is_account_admin',\n  'password_hash',\n  ...membershipAttributes,\n",
    breaks: 'The history shows the hashes of passwords.',
    tests: access,
  },
  {
    file: 'src/organisation/users/events/user_events.ts',
    find: 'isAboutMembership ? (workspace?.id',
    replace: 'false ? (workspace?.id',
    breaks: 'The role of a user in one workspace is told to the admins of all their workspaces.',
    tests: users,
  },
  {
    file: 'src/lifecycle/workspace_deletion/workspace_deletion.ts',
    find: '  recordEvents(tx, actor, await eventsOfContents(), now);\n',
    replace: '',
    breaks: 'Areas and absence types disappear with their workspace, and no event says so.',
    tests: organisation,
  },
  {
    file: 'src/programs/cli/api_tokens.ts',
    find: 'createApiToken(tx, jobActor(account.id), input, now)',
    replace: 'createApiToken(tx, { accountId: account.id, userId: 1 }, input, now)',
    breaks: 'A user seems to have issued the api_token that the operator has issued.',
    tests: access,
  },
  {
    file: 'src/lifecycle/user_deletion/user_deletion.ts',
    find: 'const user = await lockExistingUser(db, actor, found.id);',
    replace: 'const user = found;\n  await lockExistingUser(db, actor, found.id);',
    breaks: 'The event of a deletion has values that another request had already replaced.',
    tests: ['test/api/v3/integration/events/deletions.test.ts'],
    needsPostgres: true,
  },
];
