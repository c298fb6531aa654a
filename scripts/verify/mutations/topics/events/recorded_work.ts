import type { Mutation } from '../../mutation.ts';

/** Events about working time that are wrong, missing or too many. */
export const recordedWorkMutations: readonly Mutation[] = [
  {
    file: 'src/platform/db/transactions.ts',
    find: 'atCommit.length = queriesBefore;',
    replace: '',
    breaks: 'A batch item that was rolled back leaves its events.',
    tests: ['test/api/v3/integration/events/time_trackings.test.ts'],
  },
  {
    file: 'src/absence/absences/events.ts',
    find: "pending: 'reset' }",
    replace: "pending: 'updated' }",
    breaks: 'An absence that is set back to pending leaves the wrong event.',
    tests: ['test/api/v3/integration/events/absences.test.ts'],
  },
  {
    file: 'src/platform/notes/notes.ts',
    find: 'if (query) await db.executeQuery(query);',
    replace: `const added = query ? (await db.executeQuery(query)).rows : [];
  const rows = await notesByIds(db, { accountId } as Actor, added.map(({ id }) => id));
  const events = rows.flatMap((row) => noteEvents.eventOf('created', null, row) ?? []);
  recordEvents(db as OpenTransaction, { accountId, userId: null }, events, now);`,
    breaks: 'Notes of the service leave events.',
    tests: ['test/api/v3/integration/events/records.test.ts'],
  },
];
