import type { Mutation } from '../mutation.ts';

/** Which records a request can refer to: those of its account, and of its workspace. */
export const tenancyMutations: readonly Mutation[] = [
  {
    file: 'src/organisation/tags/tags.ts',
    find: ".where('account_id', '=', accountId)\n    .where('workspace_id', '=', workspace.id)\n    .where(isAnyOf('id', numbers))",
    replace: ".where(isAnyOf('id', numbers.filter(() => accountId + workspace.id > 0)))",
    breaks: 'Records are tagged with tags of other workspaces.',
    tests: ['test/api/shared/organisation/tags_of_other_workspaces.test.ts'],
  },
  {
    file: 'src/organisation/users/id_lists.ts',
    find: `.selectFrom('tags')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', sql<number>\`any(\${locationIds}::bigint[])\`)`,
    replace: `.selectFrom('tags')
    .select('id')
    .where('account_id', '=', accountId)`,
    breaks: 'The public API gives users tags of locations that they do not belong to.',
    tests: ['test/api/shared/organisation/tags_of_other_workspaces.test.ts'],
  },
  {
    file: 'src/organisation/users/assignments.ts',
    find: 'and workspace_id = ${workspace.id} and ${assignable[table].isActive}',
    replace: 'and ${assignable[table].isActive}',
    breaks: 'Users are assigned areas, tags and absence types of other workspaces.',
    tests: ['test/api/shared/organisation/tags_of_other_workspaces.test.ts'],
  },
  {
    file: 'src/organisation/areas/areas.ts',
    find: ".where('areas.workspace_id', '=', actor.workspace.id)",
    replace: '',
    breaks: 'An area is shown and changed through another workspace.',
    tests: ['test/api/v3/organisation/areas/areas.test.ts'],
  },
  {
    file: 'src/organisation/users/memberships.ts',
    find: `.where('workspace_id', '=', workspace.id)
          .where(isAnyOf('user_id', numbers))`,
    replace: `.where(isAnyOf('user_id', numbers))`,
    breaks: 'Areas and followers take users of other workspaces.',
    tests: ['test/api/shared/organisation/users_of_other_workspaces.test.ts'],
  },
  {
    file: 'src/platform/http/security/access.ts',
    find: "if (path.account_id !== undefined && path.account_id !== String(actor.accountId)) throw notFound('account');",
    replace: '',
    breaks: 'An operation at the address of another account is carried out.',
    tests: ['test/api/v3/organisation/accounts.test.ts'],
  },
  {
    file: 'src/platform/batches/batches.ts',
    find: ".where('batches.workspace_id', '=', actor.workspace.id)",
    replace: '',
    breaks: 'The progress of a batch is shown through another workspace.',
    tests: ['test/api/v3/working_time/batch_actions.test.ts'],
  },
  {
    file: 'src/absence/absences/absences.ts',
    find: "workspace === null ? existing : existing.where('absences.workspace_id', '=', workspace.id)",
    replace: 'existing',
    breaks: 'An absence is shown and changed through another workspace.',
    tests: ['test/api/v3/absence/absences/absences.test.ts', 'test/api/v3/absence/absences/absence_decisions.test.ts'],
  },
  {
    file: 'src/integration/notifications/inbox.ts',
    find: ".where('notifications.workspace_id', '=', workspace.id)",
    replace: '',
    breaks: 'A notification is deleted through another workspace.',
    tests: ['test/api/v3/integration/notifications.test.ts'],
  },
  {
    file: 'src/organisation/users/users.ts',
    find: 'member.workspace_id = ${actor.workspace.id} and member.user_id = users.id)`);',
    replace: '${actor.workspace.id}::bigint > 0 and member.user_id = users.id)`);',
    breaks: 'A workspace lists users of the whole account.',
    tests: ['test/api/shared/organisation/users_of_other_workspaces.test.ts'],
  },
  {
    file: 'src/platform/http/answers/idempotency.ts',
    find: 'user_id: actor.userId ?? 0,',
    replace: 'user_id: 0,',
    breaks: 'A user who reuses the idempotency key of a colleague gets the response to their request.',
    tests: ['test/api/shared/platform/http/idempotency.test.ts', 'test/verify/idempotency.test.ts'],
  },
];
