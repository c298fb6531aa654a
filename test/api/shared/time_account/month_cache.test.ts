import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { fillMonthCache } from '../../../../src/days/balance/month_cache_job.ts';
import { balanceAfter } from '../../../../src/days/balance/time_accounts.ts';
import { joinWorkspace } from '../../../../src/organisation/users/memberships.ts';
import { absenceOf, at } from '../../../support/absences.ts';
import { insertTimeTracking } from '../../../support/records.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

const now = new Date('2026-06-10T12:00:00Z');

const keptDates = async ({ db, accountId, employee }: World): Promise<string[]> =>
  (
    await db
      .selectFrom('month_cache')
      .select('date')
      .where('account_id', '=', accountId)
      .where('user_id', '=', employee.id)
      .orderBy('date')
      .execute()
  ).map(({ date }) => date);

const balanceOf = ({ db, accountId, employee }: World, date = '2026-06-09') =>
  balanceAfter(db, accountId, employee.id, date);

/** The balance without stored months. */
async function balanceAnew(world: World) {
  await world.db.deleteFrom('month_cache').where('account_id', '=', world.accountId).execute();
  return balanceOf(world);
}

/** Work in February and in May, confirmed vacation in March, a free day in April. */
async function worldWithHistory(): Promise<World & { trackingId: number; absenceId: string }> {
  const world = await newWorld();
  const span = (day: string) => ({ starts_at: new Date(`${day}T07:00:00Z`), ends_at: new Date(`${day}T16:00:00Z`) });
  const trackingId = await insertTimeTracking(world, world.employee.id, span('2026-02-03'));
  await insertTimeTracking(world, world.employee.id, span('2026-05-05'));
  const week = { starts_at: '2026-03-09T00:00:00+01:00', ends_at: '2026-03-13T23:59:59+01:00' };
  const absenceId = await absenceOf(world, world.employee, week);
  await world.admin.call('confirmAbsence', at(absenceId));
  return { ...world, trackingId, absenceId };
}

// fillMonthCache keeps those of every account that other tests have made.
describe('fillMonthCache', { timeout: 240_000 }, () => {
  it('keeps the balance of each month since the start of accounting, and changes no result', async () => {
    const world = await worldWithHistory();
    const before = [await balanceOf(world), await balanceOf(world, '2026-03-15')];
    await fillMonthCache(world.watchedDb, now);
    expect(await keptDates(world)).toEqual(['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01']);
    expect([await balanceOf(world), await balanceOf(world, '2026-03-15')]).toEqual(before);
  });

  it('is what balances are read from', async () => {
    const world = await worldWithHistory();
    await fillMonthCache(world.watchedDb, now);
    const { all } = await balanceOf(world);
    const kept = world.db.updateTable('month_cache').where('account_id', '=', world.accountId);
    await kept.set({ all_s: sql`all_s + 1` }).execute();
    expect((await balanceOf(world)).all).toBe(all + 1);
    await kept.set({ rules: 'those of another release' }).execute();
    expect((await balanceOf(world)).all).toBe(all);
  });

  it('goes on from the last month that is kept, and replaces those of other rules', async () => {
    const world = await worldWithHistory();
    const { db, accountId } = world;
    await fillMonthCache(db, now);
    const kept = db.updateTable('month_cache').where('account_id', '=', accountId);
    await kept.set({ rules: 'those of another release', all_s: 1 }).where('date', '>=', '2026-05-01').execute();
    await fillMonthCache(db, now);
    const balance = await balanceOf(world);
    expect(balance).toEqual(await balanceAnew(world));
    expect(await keptDates(world)).toEqual([]);
  });
});

type Change = (world: World & { trackingId: number; absenceId: string }) => Promise<unknown>;

const target = {
  start_date: '2026-02-15',
  ...{ per_day: true, is_mon: true, mon: 4 },
};

/** Every change that can change a balance, and the first month whose balance it changes. */
const changes: Record<string, { first?: string; change: Change }> = {
  'work of February': {
    first: '2026-03-01',
    change: ({ admin, trackingId }) =>
      admin.call('updateTimeTracking', {
        params: { time_tracking_id: trackingId },
        body: bodyOf('time_tracking', { ends_at: '2026-02-03T17:00:00Z' }),
      }),
  },
  'the confirmation of work': {
    first: '2026-03-01',
    change: ({ admin, trackingId }) => admin.call('confirmTimeTracking', { params: { time_tracking_id: trackingId } }),
  },
  'deleted work': {
    first: '2026-03-01',
    change: ({ admin, trackingId }) => admin.call('deleteTimeTracking', { params: { time_tracking_id: trackingId } }),
  },
  'work that is added': {
    first: '2026-05-01',
    change: (world) =>
      insertTimeTracking(world, world.employee.id, {
        starts_at: new Date('2026-04-20T07:00:00Z'),
        ends_at: new Date('2026-04-20T08:00:00Z'),
      }),
  },
  'a deleted absence': {
    first: '2026-04-01',
    change: ({ admin, absenceId }) => admin.call('deleteAbsence', at(absenceId)),
  },
  'a rejected absence': {
    first: '2026-04-01',
    change: ({ admin, absenceId }) => admin.call('rejectAbsence', at(absenceId)),
  },
  'a target hour': {
    change: ({ admin, employee }) =>
      admin.call('createTargetHour', { params: { user_id: employee.id }, body: bodyOf('target_hour', target) }),
  },
  'a public holiday': {
    change: ({ admin }) =>
      admin.call('createPublicHoliday', {
        body: bodyOf('public_holiday', { date: '2026-02-04', title: 'Town day', factor: 1 }),
      }),
  },
  'the region of the workspace': {
    change: ({ admin }) => admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) }),
  },
  'the initial balance': {
    change: ({ admin, employee }) =>
      admin.call('updateUser', {
        params: { user_id: employee.id },
        body: bodyOf('user', { initial_time_account: 12 }),
      }),
  },
  'the start of accounting': {
    change: ({ admin, employee }) =>
      admin.call('updateUser', {
        params: { user_id: employee.id },
        body: bodyOf('user', { start_of_accounting: '2026-02-01' }),
      }),
  },
  'the kind of an absence type': {
    change: ({ db, accountId }) =>
      db.updateTable('absence_types').set({ kind: 'overtime' }).where('account_id', '=', accountId).execute(),
  },
};

describe('a kept month', { timeout: 240_000 }, () => {
  it.for(Object.entries(changes))('is forgotten with %s', async ([, { first = '2026-02-01', change }]) => {
    const world = await worldWithHistory();
    await fillMonthCache(world.watchedDb, now);
    const before = await balanceOf(world);
    await change(world);
    const after = await balanceOf(world);
    expect(after).not.toEqual(before);
    expect((await keptDates(world)).filter((date) => date >= first)).toEqual([]);
    expect((await keptDates(world)).length).toBe(
      { '2026-02-01': 0, '2026-03-01': 1, '2026-04-01': 2, '2026-05-01': 3 }[first],
    );
    expect(after).toEqual(await balanceAnew(world));
  });

  it('is forgotten when a user joins a workspace, whose zone and region may be theirs', async () => {
    const world = await worldWithHistory();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Two' }) });
    await fillMonthCache(world.watchedDb, now);
    const scope = { accountId: world.accountId, workspaceId: Number(body.data.id), userId: world.employee.id };
    await joinWorkspace(world.db, scope, undefined, now);
    expect(await keptDates(world)).toEqual([]);
  });

  it('stays when other users change, and with running work', async () => {
    const world = await worldWithHistory();
    await fillMonthCache(world.watchedDb, now);
    await insertTimeTracking(world, world.admin.id, { starts_at: new Date('2026-02-03T07:00:00Z'), ends_at: null });
    await insertTimeTracking(world, world.employee.id, { starts_at: new Date('2026-02-04T07:00:00Z'), ends_at: null });
    expect(await keptDates(world)).toHaveLength(5);
  });
});
