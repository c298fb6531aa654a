import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OpenTransaction } from '../../../src/platform/db/open_transaction.ts';
import { forAccount } from '../../../src/platform/db/transactions.ts';
import { recordEvents } from '../../../src/platform/events/record.ts';
import { changes, cursorNow, follow, namesIn } from '../../support/events/feed.ts';
import { bodyOf, newWorld, type World } from '../../support/world.ts';

/* The order of concurrent transactions, which the embedded database does not have. */

/** Opens a transaction that has a number, and leaves it open until it is told to go on. */
function openWriter({ db, accountId }: World, atEnd: (tx: OpenTransaction) => void = () => {}) {
  let [hasBegun, end] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const ended = forAccount(db, accountId, async (tx) => {
    // The server of the account gives the number.
    await sql`select pg_current_xact_id() from accounts where id = ${accountId}`.execute(tx);
    hasBegun();
    await mayEnd;
    atEnd(tx);
  });
  const endNow = () => (end(), ended);
  // A transaction that stays open delays the feed in all other tests.
  onTestFinished(endNow);
  return { begun, end: endNow };
}

const createArea = async ({ admin }: World, name: string): Promise<string> =>
  (await admin.call('createArea', { body: bodyOf('area', { name }) })).body.data.id;

describe('the change feed', () => {
  it('shows an event once all transactions that wrote before it have ended, and none before', async () => {
    const world = await newWorld();
    const { admin } = world;
    const cursor = await cursorNow(admin);
    const writer = openWriter(world);
    await writer.begun;
    await createArea(world, 'Bar');
    const during = await changes(admin, { cursor }, { headers: { Prefer: 'wait=3' } });
    expect(during.body.data).toEqual([]);
    await writer.end();
    const { events } = await follow(admin, { cursor: during.body.meta.next_cursor }, 1);
    expect(namesIn(events)).toEqual(['area.created']);
  });

  it('is not delayed by a transaction that only reads', async () => {
    const world = await newWorld();
    const cursor = await cursorNow(world.admin);
    await forAccount(world.db, world.accountId, async (tx) => {
      await sql`select * from areas`.execute(tx);
      await createArea(world, 'Bar');
      const { events } = await follow(world.admin, { cursor }, 1);
      expect(namesIn(events)).toEqual(['area.created']);
    });
  });

  it('keeps the order of a record that a transaction with an early number changes late', async () => {
    const world = await newWorld();
    const { admin, accountId, workspaceId } = world;
    const cursor = await cursorNow(admin);
    const recordId = await createArea(world, 'Bar');
    const record = { workspaceId, recordId, recordUuid: null, externalId: null, userId: null };
    const writer = openWriter(world, (tx) =>
      recordEvents(
        tx,
        { accountId, userId: null },
        [{ ...record, name: 'area.updated', changes: { name: ['Kitchen', 'Cellar'] } }],
        new Date(),
      ),
    );
    await writer.begun;
    await admin.call('updateArea', { params: { area_id: recordId }, body: bodyOf('area', { name: 'Kitchen' }) });
    await writer.end();
    const { events } = await follow(admin, { cursor }, 3);
    expect(events.map(({ attributes }) => attributes.changes['name'])).toEqual([
      [null, 'Bar'],
      ['Bar', 'Kitchen'],
      ['Kitchen', 'Cellar'],
    ]);
  });
});
