import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../src/platform/db/connection.ts';
import { raiseEventEpoch } from '../../../../src/platform/db/event_epoch.ts';
import { migrate } from '../../../../src/platform/db/migrate.ts';
import { cursorNow, follow } from '../../../support/events/feed.ts';
import { bodyOf, newWorld } from '../../../support/world.ts';
import { needsOneServer } from '../../../support/database/distribution.ts';

const epochOf = async (db: Db): Promise<number> =>
  (await sql<{ epoch: number }>`select current_event_epoch() as epoch`.execute(db)).rows[0]!.epoch;

/** As if the database had been in another cluster before. */
const moveFromElsewhere = (db: Db) =>
  db.updateTable('service_settings').set({ value: 'elsewhere' }).where('name', '=', 'event_cluster').execute();

describe('the epoch of events', () => {
  it('rises once when the database is in another cluster, and stays otherwise', async () => {
    const { db } = await newWorld();
    const before = await epochOf(db);
    await migrate(db);
    expect(await epochOf(db)).toBe(before);
    await moveFromElsewhere(db);
    expect((await Promise.all([raiseEventEpoch(db), raiseEventEpoch(db)])).sort()).toEqual([false, true]);
    await migrate(db);
    expect(await epochOf(db)).toBe(before + 1);
  });

  it('keeps the feed complete and in order, though the transaction ids of the old cluster were higher', async (context) => {
    needsOneServer(context, 'The servers begin epochs by themselves there.');
    const { admin, db, accountId } = await newWorld();
    const create = async (name: string) => admin.call('createArea', { body: bodyOf('area', { name }) });
    const cursor = await cursorNow(admin);
    const { body: area } = await create('Bar');
    await sql`update events set transaction_id = '9000000000000000000' where account_id = ${accountId}`.execute(db);
    await moveFromElsewhere(db);
    await migrate(db);
    await create('Kitchen');
    const renamed = bodyOf('area', { name: 'Cellar' });
    await admin.call('updateArea', { params: { area_id: area.data.id }, body: renamed });
    const { events } = await follow(admin, { cursor, types: 'area' }, 3);
    expect(events.map(({ attributes }) => attributes.changes['name'])).toEqual([
      [null, 'Bar'],
      [null, 'Kitchen'],
      ['Bar', 'Cellar'],
    ]);
  });
});
