import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../src/platform/db/transactions.ts';
import { fillMonthCache } from '../../../src/days/balance/month_cache_job.ts';
import { lockUnchangedMonths, storeMonth } from '../../../src/days/balance/month_cache.ts';
import type { Sums } from '../../../src/days/balance/period_sums.ts';
import { insertTimeTracking } from '../../support/records.ts';
import { newWorld, type Person, type World } from '../../support/world.ts';
import { needsOneServer } from '../../support/database/distribution.ts';

/* Months are stored while something changes them. This needs PostgreSQL, because the embedded database has only one connection. */

const now = new Date('2026-06-10T12:00:00Z');
const february = { starts_at: new Date('2026-02-03T07:00:00Z'), ends_at: new Date('2026-02-03T16:00:00Z') };

const keptRows = ({ db, accountId, employee }: World) =>
  db
    .selectFrom('month_cache')
    .select('month')
    .where('account_id', '=', accountId)
    .where('user_id', '=', employee.id)
    .orderBy('month')
    .execute();

/** Many users share a lock. */
async function memberWithAnotherLock(world: World): Promise<Person> {
  const lockOf = async ({ id }: Person) =>
    (await sql<{ lock: number }>`select month_lock(${world.accountId}, ${id}) as lock`.execute(world.db)).rows[0]!.lock;
  for (;;) {
    const other = await world.addMember('employee', 'other');
    if ((await lockOf(other)) !== (await lockOf(world.employee))) return other;
  }
}

// fillMonthCache keeps those of every account that other tests have made.
describe('a change that is not committed yet', { timeout: 240_000 }, () => {
  it('prevents storing months of its user, and does not delay other users', async () => {
    const world = await newWorld();
    const other = await memberWithAnotherLock(world);
    await forAccount(world.db, world.accountId, async (db) => {
      await insertTimeTracking({ ...world, db }, world.employee.id, february);
      await fillMonthCache(world.watchedDb, now);
    });
    expect(await keptRows(world)).toEqual([]);
    expect(await keptRows({ ...world, employee: other })).toHaveLength(5);
    await fillMonthCache(world.watchedDb, now);
    expect(await keptRows(world)).toHaveLength(5);
  });

  it('prevents storing any month if it concerns all users', async () => {
    const world = await newWorld();
    const { accountId, workspaceId } = world;
    await forAccount(world.db, accountId, async (tx) => {
      await tx
        .updateTable('workspaces')
        .set({ holiday_region: 'DE-BE' })
        .where('account_id', '=', accountId)
        .where('id', '=', workspaceId)
        .execute();
      await fillMonthCache(world.watchedDb, now);
    });
    expect(await keptRows(world)).toEqual([]);
  });

  it('needs few locks, however many users it changes', async (context) => {
    needsOneServer(context, 'The server of the account takes the locks, and the coordinator does not show them.');
    const world = await newWorld();
    const { db, accountId, workspaceId } = world;
    await forAccount(db, accountId, async (tx) => {
      await sql`
        insert into users (account_id, username, created_in_workspace, start_of_accounting, recognition_color_variant, created_at, updated_at)
        select ${accountId}, 'Many', true, '2026-01-01', 0, now(), now() from generate_series(1, 5000)`.execute(tx);
      await sql`
        insert into memberships (account_id, workspace_id, user_id, identifier_pin, created_at)
        select ${accountId}, ${workspaceId}, id, 'm' || id, now() from users where account_id = ${accountId} and username = 'Many'`.execute(
        tx,
      );
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'`.execute(
        tx,
      );
      expect(rows[0]!.count).toBeLessThanOrEqual(2 * 1024);
    });
  });
});

describe('a change that comes while a month is being kept', { timeout: 240_000 }, () => {
  it('waits, and forgets it', async () => {
    const world = await newWorld();
    const { db, accountId, employee } = world;
    let isDone = false;
    let change: Promise<unknown> | undefined;
    await forAccount(db, accountId, async (tx) => {
      expect(await lockUnchangedMonths(tx, accountId, [employee.id])).toEqual([employee.id]);
      change = insertTimeTracking(world, employee.id, february).then(() => (isDone = true));
      const totals = { change: { all: 1, confirmed: 1 } };
      await storeMonth(tx, accountId, '2026-02-01', new Map([[employee.id, { totals } as Sums]]));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isDone).toBe(false);
    });
    await change;
    expect(await keptRows(world)).toEqual([]);
  });
});
