import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { fillMonthCache } from '../../../../src/days/balance/month_cache_job.ts';
import { balanceAfter } from '../../../../src/days/balance/time_accounts.ts';
import { joinWorkspace } from '../../../../src/organisation/users/memberships.ts';
import { absenceOf, at } from '../../../support/absences.ts';
import { insertTimeTracking } from '../../../support/records.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

const now = new Date('2026-06-10T12:00:00Z');

const cachedMonths = async ({ db, accountId, employee }: World): Promise<string[]> =>
  (
    await db
      .selectFrom('month_cache')
      .select('month')
      .where('account_id', '=', accountId)
      .where('user_id', '=', employee.id)
      .orderBy('month')
      .execute()
  ).map(({ month }) => month);

const balanceOf = ({ db, accountId, employee }: World, date = '2026-06-09') =>
  balanceAfter(db, accountId, employee.id, date);

/** The balance without cached months. */
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

const months = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'];

// fillMonthCache keeps those of every account that other tests have made.
describe('fillMonthCache', { timeout: 240_000 }, () => {
  it('caches each month since the start of accounting, and changes no result', async () => {
    const world = await worldWithHistory();
    const before = [await balanceOf(world), await balanceOf(world, '2026-03-15')];
    await fillMonthCache(world.watchedDb, now);
    expect(await cachedMonths(world)).toEqual(months);
    expect([await balanceOf(world), await balanceOf(world, '2026-03-15')]).toEqual(before);
  });

  it('is what balances are read from', async () => {
    const world = await worldWithHistory();
    await fillMonthCache(world.watchedDb, now);
    const { all } = await balanceOf(world);
    const kept = world.db.updateTable('month_cache').where('account_id', '=', world.accountId);
    await kept.set({ all_s: sql`all_s + 1` }).execute();
    expect((await balanceOf(world)).all).toBe(all + months.length);
    await kept.set({ rules: 'those of another release' }).execute();
    expect((await balanceOf(world)).all).toBe(all);
  });

  it('caches only what is missing, and replaces months of other rules', async () => {
    const world = await worldWithHistory();
    const { db, accountId } = world;
    await fillMonthCache(db, now);
    const balance = await balanceOf(world);
    const cached = db.updateTable('month_cache').where('account_id', '=', accountId);
    await cached
      .set({ all_s: sql`all_s + 1` })
      .where('month', '=', '2026-02-01')
      .execute();
    await cached.set({ rules: 'those of another release', all_s: 1 }).where('month', '=', '2026-03-01').execute();
    await db.deleteFrom('month_cache').where('account_id', '=', accountId).where('month', '=', '2026-04-01').execute();
    await fillMonthCache(db, now);
    expect(await cachedMonths(world)).toEqual(months);
    expect(await balanceOf(world)).toEqual({ ...balance, all: balance.all + 1 });
  });
});

type Change = (world: World & { trackingId: number; absenceId: string }) => Promise<unknown>;

const target = {
  start_date: '2026-02-15',
  ...{ per_day: true, is_mon: true, mon: 4 },
};

/** Every change that can change a balance, and the only months that it concerns; without them, it concerns all. */
const changes: Record<string, { concerned?: string[]; change: Change }> = {
  'work of February': {
    concerned: ['2026-02-01'],
    change: ({ admin, trackingId }) =>
      admin.call('updateTimeTracking', {
        params: { time_tracking_id: trackingId },
        body: bodyOf('time_tracking', { ends_at: '2026-02-03T17:00:00Z' }),
      }),
  },
  'the confirmation of work': {
    concerned: ['2026-02-01'],
    change: ({ admin, trackingId }) => admin.call('confirmTimeTracking', { params: { time_tracking_id: trackingId } }),
  },
  'deleted work': {
    concerned: ['2026-02-01'],
    change: ({ admin, trackingId }) => admin.call('deleteTimeTracking', { params: { time_tracking_id: trackingId } }),
  },
  'work that is added': {
    concerned: ['2026-04-01'],
    change: (world) =>
      insertTimeTracking(world, world.employee.id, {
        starts_at: new Date('2026-04-20T07:00:00Z'),
        ends_at: new Date('2026-04-20T08:00:00Z'),
      }),
  },
  'a deleted absence': {
    concerned: ['2026-03-01'],
    change: ({ admin, absenceId }) => admin.call('deleteAbsence', at(absenceId)),
  },
  'a rejected absence': {
    concerned: ['2026-03-01'],
    change: ({ admin, absenceId }) => admin.call('rejectAbsence', at(absenceId)),
  },
  'work that begins at the end of a month in UTC': {
    concerned: ['2026-03-01', '2026-04-01'],
    change: (world) =>
      insertTimeTracking(world, world.employee.id, {
        starts_at: new Date('2026-03-31T23:30:00Z'),
        ends_at: new Date('2026-04-01T03:00:00Z'),
      }),
  },
  'an entry': {
    concerned: ['2026-02-01'],
    change: ({ admin, employee }) =>
      admin.call('createTimeAccountEntry', {
        params: { user_id: employee.id },
        body: bodyOf('time_account_entry', { date: '2026-02-28', hours: 2, kind: 'correction', note: 'Forgotten' }),
      }),
  },
  'an absence over the end of a month': {
    concerned: ['2026-03-01', '2026-04-01'],
    change: async (world) => {
      const days = { starts_at: '2026-03-30T00:00:00+02:00', ends_at: '2026-04-02T23:59:59+02:00' };
      return world.admin.call('confirmAbsence', at(await absenceOf(world, world.employee, days)));
    },
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

describe('a cached month', { timeout: 240_000 }, () => {
  it.for(Object.entries(changes))('is forgotten with %s', async ([, { concerned = months, change }]) => {
    const world = await worldWithHistory();
    await fillMonthCache(world.watchedDb, now);
    const before = await balanceOf(world);
    await change(world);
    const after = await balanceOf(world);
    expect(after).not.toEqual(before);
    expect(await cachedMonths(world)).toEqual(months.filter((month) => !concerned.includes(month)));
    await fillMonthCache(world.watchedDb, now);
    expect(await balanceOf(world)).toEqual(after);
    expect(after).toEqual(await balanceAnew(world));
  });

  it('is forgotten when a user joins a workspace, whose zone and region may be theirs', async () => {
    const world = await worldWithHistory();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Two' }) });
    await fillMonthCache(world.watchedDb, now);
    const scope = { accountId: world.accountId, workspaceId: Number(body.data.id), userId: world.employee.id };
    await joinWorkspace(world.db, scope, undefined, now);
    expect(await cachedMonths(world)).toEqual([]);
  });

  it('stays when other users change, and with running work', async () => {
    const world = await worldWithHistory();
    await fillMonthCache(world.watchedDb, now);
    await insertTimeTracking(world, world.admin.id, { starts_at: new Date('2026-02-03T07:00:00Z'), ends_at: null });
    await insertTimeTracking(world, world.employee.id, { starts_at: new Date('2026-02-04T07:00:00Z'), ends_at: null });
    expect(await cachedMonths(world)).toHaveLength(5);
  });
});
