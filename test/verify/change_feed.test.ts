import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, it } from 'vitest';
import { forAccount } from '../../src/platform/db/transactions.ts';
import { recordEvents, type NewEvent } from '../../src/platform/events/record.ts';
import { serverUrl } from '../support/database/server_databases.ts';
import { changes, cursorNow, type ShownEvent } from '../support/events/feed.ts';
import { randomFrom } from '../support/processes/seeded_random.ts';
import { figure, repetitions, seed, tally, walkTimeoutMs } from '../support/verification.ts';
import { bodyOf, newWorld, type World } from '../support/world.ts';

/*
 * Writers change a few records again and again, with pauses, rollbacks and lost connections. Each change counts its record up by
 * one. A reader follows the feed over HTTP meanwhile. It must see 1, 2, 3 and so on for each record, up to where the record is.
 */

const random = randomFrom(seed);
const writers = 8;
const recordCount = 12;
const wantedEvents = repetitions(200, 10_000);

class GivenUp extends Error {}

/** Ends the connection of a transaction at any time from now on: before, during or after its commit. */
async function loseConnection(db: World['db'], tx: World['db']): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  const lost = pause(random() * 20).then(() => sql`select pg_terminate_backend(${rows[0]!.pid}::integer)`.execute(db));
  // The connection that asks for it can be lost too.
  lost.catch(() => {});
  if (random() < 0.5) await lost;
}

/** Counts one record up in a transaction, which may fail at any step. Returns whether it was committed. */
async function countUp({ db, accountId, workspaceId }: World, recordId: string): Promise<boolean> {
  const mayPause = () => (random() < 0.3 ? pause(random() * (serverUrl ? 20 : 3)) : undefined);
  const mayFail = async (tx: World['db']) => {
    if (random() < 0.05) throw new GivenUp();
    if (serverUrl && random() < 0.02) await loseConnection(db, tx);
  };
  try {
    await forAccount(db, accountId, async (tx) => {
      // A transaction that gets its number before it locks the record may be overtaken by one with a higher number.
      if (random() < 0.5) await sql`select pg_current_xact_id()`.execute(tx);
      await mayPause();
      await mayFail(tx);
      const { rows } = await sql<{ count: number }>`
        update areas set name = (name::integer + 1)::text where account_id = ${accountId} and id = ${recordId}::bigint
        returning name::integer as count`.execute(tx);
      const { count } = rows[0]!;
      const event: NewEvent = {
        name: 'area.updated',
        workspaceId,
        recordId,
        recordUuid: null,
        externalId: null,
        userId: null,
        changes: { count: [count - 1, count] },
      };
      recordEvents(tx, { accountId, userId: null }, [event], new Date());
      await mayPause();
      await mayFail(tx);
    });
    return true;
  } catch (error) {
    const isExpected =
      error instanceof GivenUp ||
      ['57P01', 'ECONNRESET', 'EPIPE', undefined].includes((error as { code?: string }).code);
    if (!isExpected) throw error;
    return false;
  }
}

/** Follows the feed until nothing is left and the writers are done. */
async function followAll({ admin }: World, cursor: string, isDone: () => boolean): Promise<ShownEvent[]> {
  const events: ShownEvent[] = [];
  let next = cursor;
  for (let idle = 0; idle < 3;) {
    const wasDone = isDone();
    const { body } = await changes(admin, { cursor: next, types: 'area' }, { headers: { Prefer: 'wait=2' } });
    events.push(...body.data);
    idle = wasDone && body.data.length === 0 ? idle + 1 : 0;
    next = body.meta.next_cursor;
  }
  return events;
}

describe('the change feed', () => {
  it('misses nothing, repeats nothing, and keeps the order of each record', { timeout: walkTimeoutMs }, async () => {
    const world = await newWorld();
    const { admin, db, accountId } = world;
    const ids: string[] = [];
    for (let number = 0; number < recordCount; number++) {
      const { body } = await admin.call('createArea', { body: bodyOf('area', { name: `Area ${number}` }) });
      ids.push(body.data.id);
    }
    for (const [index, id] of ids.entries())
      await sql`update areas set name = ${String(index * 1_000_000)} where account_id = ${accountId} and id = ${id}`.execute(
        db,
      );
    const cursor = await cursorNow(admin);
    let [committed, failed, isDone] = [0, 0, false];
    const write = async (): Promise<void> => {
      while (committed < wantedEvents) {
        if (await countUp(world, ids[Math.floor(random() * recordCount)]!)) committed++;
        else failed++;
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, write)).finally(() => (isDone = true));
    const [events] = await Promise.all([followAll(world, cursor, () => isDone), writing]);

    const line = tally('events of concurrent writers that the feed shows once and in order');
    for (const [index, id] of ids.entries()) {
      const seen = events.filter(({ attributes }) => attributes.record_id === id && attributes.changes['count']);
      const counts = seen.map(({ attributes }) => attributes.changes['count']![1] as number);
      const { rows } = await sql<{ count: number }>`
        select name::integer as count from areas where account_id = ${accountId} and id = ${id}`.execute(db);
      const total = rows[0]!.count - index * 1_000_000;
      const expected = Array.from({ length: total }, (_, step) => index * 1_000_000 + step + 1);
      line.count(total);
      if (counts.join() !== expected.join()) line.fail(`area ${id}: expected 1 to ${total}, but got ${counts.join()}`);
    }
    figure('transactions that were rolled back or lost', failed);
    line.close();
  });
});
