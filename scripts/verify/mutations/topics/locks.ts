import type { Mutation } from '../mutation.ts';

const rowLocks = 'src/db/locks.ts';

/** Concurrent requests, repeated requests and lost connections. */
export const lockMutations: readonly Mutation[] = [
  {
    file: rowLocks,
    find: ".forNoKeyUpdate('user')\n    .forKeyShare('membership');",
    replace: ';',
    breaks: 'A user is deleted while they punch, and their time tracking runs for ever.',
    tests: ['test/server/at_once.test.ts'],
    needsPostgres: true,
  },
  {
    file: rowLocks,
    find: ".where('is_account_admin', '=', true)\n    .where('deleted_at', 'is', null)\n    .orderBy('id')\n    .forUpdate()",
    replace: ".where('is_account_admin', '=', true)\n    .where('deleted_at', 'is', null)",
    breaks: 'Two account admins take the role from each other, and the account has none.',
    tests: ['test/v3/users/user_roles.test.ts'],
    needsPostgres: true,
  },
  {
    file: rowLocks,
    find: ".selectFrom('workspaces')\n    .select('id')\n    .where('account_id', '=', accountId)\n    .where('deleted_at', 'is', null)\n    .orderBy('id')\n    .forUpdate()",
    replace:
      ".selectFrom('workspaces')\n    .select('id')\n    .where('account_id', '=', accountId)\n    .where('deleted_at', 'is', null)",
    breaks: 'Two requests delete the last two workspaces of an account.',
    tests: ['test/v3/workspaces.test.ts'],
    needsPostgres: true,
  },
  {
    file: rowLocks,
    find: ".forNoKeyUpdate('user')\n    .forUpdate('tracking')",
    replace: '',
    breaks: 'Two changes of a time tracking at the same moment store breaks that overlap.',
    tests: ['test/v3/time_trackings/breaks.test.ts', 'test/v3/time_trackings/time_tracking_editing.test.ts'],
    needsPostgres: true,
  },
  {
    file: 'src/batch_actions/chunks.ts',
    find: 'batch.done + batch.failed !== from',
    replace: 'false',
    breaks: 'A job that comes a second time does its chunk a second time.',
    tests: ['test/batch_actions/chunks.test.ts'],
  },
  {
    file: 'src/http/answers/idempotency.ts',
    find: 'stored.request_hash !== request.request_hash',
    replace: 'false',
    breaks: 'A new request with an old idempotency key is not carried out, and gets the response to another one.',
    tests: ['test/http/idempotency.test.ts'],
  },
];
