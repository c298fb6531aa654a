import type { Mutation } from '../mutation.ts';

const mailLimits = 'src/access/auth/mail_limits.ts';
const chunks = 'src/platform/batches/chunks.ts';
const [mailTests, timeoutTests] = [
  ['test/api/shared/access/mail_limits.test.ts'],
  ['test/system/server/statement_timeout.test.ts'],
];

/** Limits of one account and one sender. */
export const limitMutations: readonly Mutation[] = [
  {
    file: mailLimits,
    find: "if (!(await claim(tx, ['mail_job', mail.jobId], daySeconds, now))) return;",
    replace: "await claim(tx, ['mail_job', mail.jobId], daySeconds, now);",
    breaks: 'A mail whose job is retried counts twice.',
    tests: mailTests,
  },
  {
    file: mailLimits,
    find: 'limit: limits.mailsPerRecipientPerHour }',
    replace: 'limit: 0 }',
    breaks: 'An address gets any number of mails in an hour.',
    tests: mailTests,
  },
  {
    file: mailLimits,
    find: 'limit: limits.mailsPerRecipientPerDay }',
    replace: 'limit: 0 }',
    breaks: 'An address gets any number of mails in a day.',
    tests: mailTests,
  },
  {
    file: mailLimits,
    find: "...(kind === 'password_reset' ? [] : [ofAccount]),",
    replace: '...[],',
    breaks: 'An account sends any number of invitations in a day.',
    tests: mailTests,
  },
  {
    file: mailLimits,
    find: 'limit: isConfirmed ? limits.invitationsPerDay : limits.invitationsPerDayUnconfirmed,',
    replace: 'limit: limits.invitationsPerDay,',
    breaks: 'An account that nobody has confirmed sends as many invitations as any other.',
    tests: mailTests,
  },
  {
    file: 'src/platform/db/connection.ts',
    find: 'statementTimeoutMs > 0 ? [timeoutSetting(statementTimeoutMs)] : [];',
    replace: '[] as string[];',
    breaks: 'A statement of a request takes as long as it likes.',
    tests: timeoutTests,
    needsPostgres: true,
  },
  {
    file: 'src/platform/db/driver/statement_timeout.ts',
    find: '...(timeoutMs === undefined ? [] : [`set local statement_timeout = ${timeoutMs}`])',
    replace: '...(timeoutMs === undefined ? [] : [])',
    breaks: 'Behind a pooler, a statement of a transaction takes as long as it likes.',
    tests: timeoutTests,
    needsPostgres: true,
  },
  {
    file: 'src/programs/process/process.ts',
    find: 'openDatabase({ ...databaseTargetOf(config), statementTimeoutMs: config.statementTimeoutMs })',
    replace: 'openDatabase(databaseTargetOf(config))',
    breaks: 'STATEMENT_TIMEOUT_MS changes nothing.',
    tests: timeoutTests,
    needsPostgres: true,
  },
  {
    file: chunks,
    find: 'while (done < ids.length && (done === 0 || performance.now() < endsAt)) {',
    replace: 'while (done < ids.length) {',
    breaks: 'A chunk of a batch goes on when its time is over.',
    tests: ['test/api/shared/working_time/batch_chunks.test.ts'],
  },
  {
    file: chunks,
    find: 'Math.min(slice.length * maxGrowth, (endsAt - performance.now()) / itemMs)',
    replace: 'slice.length * maxGrowth',
    breaks: 'A chunk of a batch takes slices for which its time does not suffice.',
    tests: ['test/api/shared/working_time/batch_chunks.test.ts'],
  },
  {
    file: 'src/platform/http/security/upload_memory.ts',
    find: 'allBytes > maxBytes || heldBytes.get(accountId)! > ownBytes',
    replace: 'allBytes > maxBytes',
    breaks: 'The uploads of one account take all of the memory.',
    tests: ['test/unit/platform/http/upload_limits.test.ts'],
  },
  {
    file: 'src/platform/db/list/list.ts',
    find: '(bound ? following.where(isWithin(matching, bound)) : following)',
    replace: 'following',
    breaks: 'A list that is too long for its order is sorted before it is refused.',
    tests: ['test/api/shared/platform/db/sorted_lists.test.ts'],
  },
  {
    file: 'src/platform/db/list/cursors.ts',
    find: 'return sql`(${sql.join(terms.map(({ value }) => value))}) > (${sql.join(values)})`;',
    replace: 'return sql`${terms[0]!.value} > ${values[0]!}`;',
    breaks: 'A page after a cursor leaves out records that are equal to the last one in the order of the list.',
    tests: ['test/api/v3/cursor_pages.test.ts'],
  },
];
