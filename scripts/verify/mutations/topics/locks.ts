import type { Mutation } from '../mutation.ts';

const rowLocks = 'src/platform/db/locks.ts';

/** Concurrent requests, repeated requests and lost connections. */
export const lockMutations: readonly Mutation[] = [
  {
    file: rowLocks,
    find: ".forNoKeyUpdate('user')\n    .forKeyShare('membership');",
    replace: ';',
    breaks: 'A user is deleted while they punch, and their time tracking runs for ever.',
    tests: ['test/system/server/at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: rowLocks,
    find: ".where('is_account_admin', '=', true)\n    .where('deleted_at', 'is', null)\n    .orderBy('id')\n    .forUpdate()",
    replace: ".where('is_account_admin', '=', true)\n    .where('deleted_at', 'is', null)",
    breaks: 'Two account admins take the role from each other, and the account has none.',
    tests: ['test/api/v3/organisation/users/user_roles.test.ts'],
    needsPostgres: true,
  },
  {
    file: rowLocks,
    find: ".selectFrom('workspaces')\n    .select('id')\n    .where('account_id', '=', accountId)\n    .where('deleted_at', 'is', null)\n    .orderBy('id')\n    .forUpdate()",
    replace:
      ".selectFrom('workspaces')\n    .select('id')\n    .where('account_id', '=', accountId)\n    .where('deleted_at', 'is', null)",
    breaks: 'Two requests delete the last two workspaces of an account.',
    tests: ['test/api/v3/organisation/workspaces/workspace_deletion.test.ts'],
    needsPostgres: true,
  },
  {
    file: rowLocks,
    find: ".forNoKeyUpdate('user')\n    .forUpdate('tracking')",
    replace: '',
    breaks: 'Two changes of a time tracking at the same moment store breaks that overlap.',
    tests: [
      'test/api/v3/working_time/time_trackings/breaks.test.ts',
      'test/api/v3/working_time/time_trackings/time_tracking_editing.test.ts',
    ],
    needsPostgres: true,
  },
  {
    file: 'src/platform/batches/chunks.ts',
    find: 'batch.done + batch.failed !== from',
    replace: 'false',
    breaks: 'A job that comes a second time does its chunk a second time.',
    tests: ['test/api/shared/working_time/batch_chunks.test.ts'],
  },
  {
    file: 'src/platform/http/answers/idempotency.ts',
    find: 'stored.request_hash !== request.request_hash',
    replace: 'false',
    breaks: 'A new request with an old idempotency key is not carried out, and gets the response to another one.',
    tests: ['test/api/shared/platform/http/idempotency.test.ts'],
  },
];
