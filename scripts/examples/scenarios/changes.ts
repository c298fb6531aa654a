import { cursorsWith } from '../../../src/integration/events/feed/cursors.ts';
import { signedLinks } from '../../../src/platform/files/links.ts';
import { exampleKey } from '../demo_server.ts';
import { here, ourAccount, type Recorder } from '../recorder.ts';

/** What has happened so far: the history and the change feed. */
export async function changes(record: Recorder): Promise<void> {
  await record(
    'listEvents',
    { path: here, query: { 'filter[name]': 'eq:area.created', items: 2 } },
    { 400: { query: { items: 500 } } },
  );
  const wanted = { from: 'beginning', types: 'area.created' } as const;
  const both = { ...wanted, cursor: aheadOfFeed };
  await record(
    'getChanges',
    { path: ourAccount, query: wanted },
    { 400: { query: both }, 410: { query: { cursor: aheadOfFeed } } },
  );
  await record(
    'getPublicChanges',
    { query: wanted },
    { 400: { query: { ...both } }, 410: { query: { cursor: aheadOfFeed } } },
  );
}

/** The cursor of a state of the database that was lost. */
const aheadOfFeed = cursorsWith(signedLinks(exampleKey).sign).cursorOf(1, {
  epoch: 1,
  transactionId: '9000000000000000000',
  id: 1,
});
