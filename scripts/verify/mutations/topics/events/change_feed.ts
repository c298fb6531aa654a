import type { Mutation } from '../../mutation.ts';

const reading = 'src/integration/events/feed/read.ts';

/** The order and the completeness of the change feed. */
export const changeFeedMutations: readonly Mutation[] = [
  {
    file: 'src/platform/events/record_order.ts',
    find: 'order by earlier.transaction_id desc limit 1))',
    replace: 'order by earlier.transaction_id desc limit 0))',
    breaks: 'A late change by a transaction with an early number comes before earlier changes of the same record.',
    tests: ['test/system/server/change_feed.test.ts'],
    needsPostgres: true,
  },
  {
    file: 'src/integration/events/settled.ts',
    find: 'const oldestOpenTransaction = sql<string>`pg_snapshot_xmin(pg_current_snapshot())`;',
    replace: 'const oldestOpenTransaction = sql<string>`pg_snapshot_xmax(pg_current_snapshot())`;',
    breaks: 'The feed shows events while an older transaction can still add some before them.',
    tests: ['test/system/server/change_feed.test.ts'],
    needsPostgres: true,
  },
  {
    file: reading,
    find: 'removed_to !== null && isAfter(positionIn(removed_to), after)',
    replace: 'false',
    breaks: 'A cursor that has missed removed events goes on as if nothing had happened.',
    tests: ['test/api/v3/integration/change_feed/change_feed.test.ts'],
  },
  {
    file: 'src/integration/events/feed/cursors.ts',
    find: '`change feed of ${accountId}`',
    replace: '`change feed`',
    breaks: 'A cursor of one account is accepted for another.',
    tests: [
      'test/api/v3/integration/change_feed/change_feed.test.ts',
      'test/api/public/integration/change_feed/changes.test.ts',
    ],
  },
  {
    file: 'src/integration/events/events.ts',
    find: 'sql`events.user_id in (${members})`',
    replace: 'sql`true`',
    breaks: 'Admins of a workspace see the history of users who are no members.',
    tests: ['test/api/v3/integration/change_feed/history.test.ts'],
  },
  {
    file: 'src/integration/events/readable_changes.ts',
    find: 'bool_and(',
    replace: 'bool_or(',
    breaks: 'The history shows users a custom field that they may not see, if they see another one with the same key.',
    tests: ['test/api/v3/integration/events/readable.test.ts'],
  },
  {
    file: 'src/integration/events/feed/waits.ts',
    find: '        if (isFirst) setTimeout(',
    replace: '        setTimeout(',
    breaks: 'Every request that waits for news asks the database on its own.',
    tests: ['test/unit/integration/change_feed_waits.test.ts'],
  },
];
