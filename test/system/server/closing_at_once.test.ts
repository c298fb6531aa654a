import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { closeMonth } from '../../../src/payroll/accounting_periods/close.ts';
import { accountedUsers } from '../../../src/days/balance/time_accounts.ts';
import { snapshotsOf } from '../../../src/payroll/accounting_periods/snapshots.ts';
import type { Db } from '../../../src/platform/db/connection.ts';
import type { OpenTransaction } from '../../../src/platform/db/open_transaction.ts';
import { forAccount } from '../../../src/platform/db/transactions.ts';
import { isDatabaseError, isRetryable } from '../../../src/platform/db/violations.ts';
import { actorOf, insertTimeTracking } from '../../support/records.ts';
import { newWorld, type World } from '../../support/world.ts';

/* Months are closed while others write. This needs PostgreSQL, because the embedded database has only one connection. */

const rounds = 50;
const now = new Date('2026-06-10T12:00:00Z');
const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 10));

/** The writes to the employee's time account in January, inside a transaction that began earlier. */
const writes: Readonly<Record<string, (tx: OpenTransaction, world: World, round: number) => Promise<unknown>>> = {
  'finished work': (tx, world, round) => insertWork(tx, world, minutesIn(round, 0), 30, true),
  'more of it': (tx, world, round) => insertWork(tx, world, minutesIn(round, 40), 20, true),
  'running work': (tx, world) => insertWork(tx, world, minutesIn(300, 0), null, false),
  'unconfirmed work': (tx, world, round) => insertWork(tx, world, minutesIn(round, 70), 10, false),
  'longer work': (tx, { accountId, employee }) =>
    sql`
    update time_trackings set ends_at = (ends_at at time zone 'UTC' + interval '1 minute') at time zone 'UTC'
    where account_id = ${accountId} and user_id = ${employee.id} and ends_at is not null and id % 3 = 0`.execute(tx),
  'less work': (tx, { accountId, employee }) =>
    sql`
    delete from time_trackings where account_id = ${accountId} and user_id = ${employee.id} and id % 7 = 0`.execute(tx),
  'an entry': (tx, { accountId, employee }) =>
    sql`
    insert into time_account_entries (account_id, user_id, date, seconds, kind, note, created_by_user_id, created_at)
    values (${accountId}, ${employee.id}, '2026-01-20', 60, 'correction', 'x', ${employee.id}, now())`.execute(tx),
  'a target hour': (tx, { accountId, employee }, round) =>
    sql`
    update target_hours set mon_s = ${3600 + round * 60} where account_id = ${accountId} and user_id = ${employee.id}`.execute(
      tx,
    ),
};

const minutesIn = (round: number, minutes: number) =>
  new Date(Date.parse('2026-01-02T07:00:00Z') + (round * 120 + minutes) * 60_000);

const insertWork = (
  tx: OpenTransaction,
  { accountId, workspaceId, employee }: World,
  starts_at: Date,
  minutes: number | null,
  confirmed: boolean,
) =>
  sql`
  insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, confirmed, created_by, created_at, updated_at)
  values (${accountId}, ${workspaceId}, ${employee.id}, ${starts_at}, ${minutes === null ? null : new Date(starts_at.getTime() + minutes * 60_000)},
    ${starts_at}, ${confirmed}, 'test', now(), now())`.execute(tx);

type Outcome = 'stored' | 'refused' | 'lost';

/** Runs a transaction that waits before and after its write. */
async function run(world: World, write: (tx: OpenTransaction) => Promise<unknown>): Promise<Outcome> {
  try {
    await forAccount(world.db, world.accountId, async (tx) => {
      await sql`select 1`.execute(tx);
      await pause();
      await write(tx);
      await pause();
    });
    return 'stored';
  } catch (error) {
    if (isDatabaseError(error) && error.code === 'PC001') return 'refused';
    if (isRetryable(error) || (isDatabaseError(error) && error.code === '23505')) return 'lost';
    throw error;
  }
}

const settle = async ({ db, accountId, employee }: World) => {
  await sql`delete from accounting_periods where account_id = ${accountId}`.execute(db);
  await sql`delete from time_trackings where account_id = ${accountId} and user_id = ${employee.id} and (ends_at is null or not confirmed)`.execute(
    db,
  );
};

/** The month computed from its records, as if it were open. */
const recomputed = async (db: Db, world: World) => {
  const actor = await actorOf(world, world.admin);
  return forAccount(db, world.accountId, async (tx) => {
    await sql`update accounting_periods set reopened_at = now(), reopened_by_user_id = ${world.admin.id}, reopening_reason = 'x'`.execute(
      tx,
    );
    const users = await accountedUsers(tx, world.accountId, [world.employee.id]);
    const snapshot = (await snapshotsOf(tx, actor, users, '2026-01-01')).get(world.employee.id)!;
    const { rows } = await sql<{ unsettled: number }>`
      select count(*)::integer as unsettled from time_trackings
      where account_id = ${world.accountId} and user_id = ${world.employee.id} and starts_at < '2026-01-31T23:00:00Z'
        and (ends_at is null or not confirmed)`.execute(tx);
    return { sums: snapshot.sums, days: snapshot.days, unsettled: rows[0]!.unsettled };
  });
};

describe('closing a month against eight writers', () => {
  it(`misses no write and lets none in, in ${rounds} rounds or more`, async () => {
    const world = await newWorld();
    const { db, accountId, employee } = world;
    const actor = await actorOf(world, world.admin);
    const seen = { closed: 0, refused: 0, stored: 0 };
    const fewest = () => Math.min(seen.closed, seen.refused, seen.stored);
    // Where each statement takes longer, a closing wins more rarely.
    for (let round = 0; round < rounds || (fewest() <= 5 && round < 8 * rounds); round += 1) {
      await settle(world);
      const closing = (async () => {
        await pause();
        try {
          return await forAccount(db, accountId, (tx) =>
            closeMonth(tx, actor, { month: '2026-01', user_ids: [employee.id] }, now),
          );
        } catch (error) {
          if (isRetryable(error) || (error as { status?: number }).status === 400) return undefined;
          throw error;
        }
      })();
      const outcomes = await Promise.all(
        Object.values(writes).map((write) => run(world, (tx) => write(tx, world, round))),
      );
      const isClosed = (await closing) !== undefined;
      seen.refused += outcomes.filter((outcome) => outcome === 'refused').length;
      seen.stored += outcomes.filter((outcome) => outcome === 'stored').length;
      if (!isClosed) continue;
      seen.closed += 1;
      const period = await db
        .selectFrom('accounting_periods')
        .select(['sums', 'days'])
        .where('account_id', '=', accountId)
        .where('reopened_at', 'is', null)
        .executeTakeFirstOrThrow();
      expect({ ...period, unsettled: 0 }).toEqual(await recomputed(db, world));
    }
    // Each side has won in some rounds.
    expect(fewest()).toBeGreaterThan(5);
  });
});

describe('a write of a transaction that began before the closing', () => {
  it('is refused once the month is closed', async () => {
    const world = await newWorld();
    const { db, accountId, employee, admin } = world;
    const actor = await actorOf(world, admin);
    const late = forAccount(db, accountId, async (tx) => {
      await sql`select 1`.execute(tx);
      await forAccount(db, accountId, (other) =>
        closeMonth(other, actor, { month: '2026-01', user_ids: [employee.id] }, now),
      );
      await insertTimeTracking({ ...world, db: tx }, employee.id);
    });
    await expect(late).rejects.toMatchObject({ code: 'PC001' });
  });

  it('is part of the closing that waits for it', async () => {
    const world = await newWorld();
    const { db, accountId, employee, admin } = world;
    const actor = await actorOf(world, admin);
    let closing: Promise<unknown> | undefined;
    await forAccount(db, accountId, async (tx) => {
      await insertTimeTracking({ ...world, db: tx }, employee.id);
      closing = forAccount(db, accountId, (other) =>
        closeMonth(other, actor, { month: '2026-01', user_ids: [employee.id] }, now),
      );
      closing.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await expect(closing).rejects.toThrow(/unconfirmed time trackings: 1/);
  });
});
