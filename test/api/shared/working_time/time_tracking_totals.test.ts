import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkspaceActor } from '../../../../src/platform/core/permissions.ts';
import { conditionsIn } from '../../../../src/platform/db/list/read_filters.ts';
import { totalFilterOf } from '../../../../src/working_time/time_trackings/list/total_filters.ts';
import { listTimeTrackings, timeTrackingCollection } from '../../../../src/working_time/time_trackings/list/list.ts';
import { actorOf } from '../../../support/records.ts';
import { wrongTotals } from '../../../support/database/totals.ts';
import { newWorld, type World } from '../../../support/world.ts';

/*
 * What is kept against what is counted. A filter by id that every row passes makes no difference to the rows, and makes the
 * service count them.
 */

const now = new Date('2026-03-20T10:30:00Z');
const hours = (count: number): number => count * 3_600_000;

let world: World;
let admin: WorkspaceActor;

/** Around the ends of days, in UTC and in the workspace; longer than a day; running, with a break open; confirmed or not. */
beforeAll(async () => {
  world = await newWorld();
  const { db, accountId, workspaceId, employee, admin: boss } = world;
  admin = await actorOf(world, boss);
  const first = Date.parse('2026-03-01T00:00:00Z');
  const rows = Array.from({ length: 300 }, (_, index) => {
    const starts_at = new Date(first + hours((index * 37) % 456) + (index % 3) * 1000 - (index % 2) * 1000);
    const length = index % 50 === 0 ? hours(30 + index) : hours((index % 12) + 1) + (index % 7) * 1000;
    return {
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: index % 3 === 0 ? boss.id : employee.id,
      starts_at,
      ends_at: new Date(starts_at.getTime() + length),
      actual_starts_at: starts_at,
      confirmed: index % 4 === 0,
      breaks_s: index % 5 === 0 ? 1800 + index : index % 11 === 0 ? 999_999 : null,
      created_by: 'admin',
      created_at: starts_at,
      updated_at: starts_at,
    };
  });
  await db.insertInto('time_trackings').values(rows).execute();
  const running = {
    ...rows[1]!,
    ends_at: null,
    breaks_s: 60,
    starts_at: new Date('2026-03-10T08:00:00Z'),
    user_id: boss.id,
  };
  const { id } = await db.insertInto('time_trackings').values(running).returning('id').executeTakeFirstOrThrow();
  const pause = {
    account_id: accountId,
    time_tracking_id: id,
    starts_at: new Date('2026-03-10T09:00:00Z'),
    created_by: 'admin',
    created_at: now,
    updated_at: now,
  };
  await db.insertInto('breaks').values(pause).execute();
});

/** The filter of the kept totals, or undefined where rows are counted. */
function totalFilterFor(actor: WorkspaceActor, filter: Record<string, unknown>) {
  const { rank, workspace, ...viewer } = actor;
  const shape = { rank, timeZone: workspace.time_zone, hasPermissions: false };
  const collection = timeTrackingCollection(world.db, shape, { ...viewer, workspaceId: workspace.id, now });
  return totalFilterOf(rank, conditionsIn(collection, filter));
}

const totalsOf = async (filter: Record<string, unknown>) => {
  const { paging, totals } = await listTimeTrackings(
    world.db,
    admin,
    { page: 1, items: 1, outset: 0, sort: [], filter, permissions: 'none' },
    now,
  );
  return { count: paging.total_count, ...totals };
};

const some = '2026-03-04T23:59:59Z';
const filters: Record<string, unknown>[] = [
  {},
  { user_id: 'EMPLOYEE' },
  { user_id: 'in:EMPLOYEE,ADMIN,ADMIN' },
  { user_id: '0' },
  { confirmed: 'eq:true' },
  { confirmed: 'eq:0' },
  { confirmed: 'eq:false', user_id: 'eq:ADMIN' },
  { starts_at: 'gte:2026-03-05' },
  { starts_at: 'lt:2026-03-05' },
  { starts_at: 'lte:2026-03-05' },
  { starts_at: 'gt:2026-03-05' },
  { starts_at: 'eq:2026-03-05' },
  { starts_at: ['gte:2026-03-05', 'lte:2026-03-09'] },
  { starts_at: 'gte:2026-03-05T01:00:00 01:00' },
  // A time tracking starts in this very second.
  { starts_at: 'gte:2026-03-02T06:00:00Z' },
  { starts_at: `gt:${some}` },
  { starts_at: `lte:${some}` },
  { starts_at: ['gte:2026-03-04T10:00:00Z', 'lt:2026-03-04T20:00:00Z'] },
  { starts_at: ['gte:2026-03-04T10:00:00+02:00', 'lte:2026-03-09T20:00:00Z'], confirmed: 'eq:true' },
  { starts_at: ['gte:2026-03-09', 'lt:2026-03-05'] },
  { starts_at: ['gte:2026-03-05', 'lt:2026-03-05', 'gt:2026-03-01'] },
  { overlapping_with_range: '2026-03-05_2026-03-09' },
  { overlapping_with_range: '2026-03-05_2026-03-05' },
  { overlapping_with_range: '2026-03-09_2026-03-05' },
  { overlapping_with_range: '2026-03-12' },
  { overlapping_with_range: '2026-03-21_2026-12-31', confirmed: 'eq:false' },
  { overlapping_with_range: '2020-01-01_2026-12-31', confirmed: 'eq:true' },
  { user_id: ['EMPLOYEE', '0'] },
  // What no filter understands is ignored.
  { user_id: 'gt:1' },
  { starts_at: 'gte:yesterday' },
  { starts_at: ['gte:2026-03-05', { a: 1 }] },
  { confirmed: 'true' },
  { nothing: 'eq:1' },
];

describe('the totals of a list', () => {
  it('are of rows that exercise them', async () => {
    expect(await totalsOf({})).toMatchObject({
      count: 301,
      total_confirmed: 75,
      total_unconfirmed: 226,
      total_running: 1,
    });
  });

  it.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))(
    'kept equal counted: %s',
    async (_name, pattern) => {
      const given = JSON.stringify(pattern)
        .replaceAll('EMPLOYEE', String(world.employee.id))
        .replaceAll('ADMIN', String(world.admin.id));
      const filter = JSON.parse(given) as Record<string, unknown>;
      expect(totalFilterFor(admin, filter)).toBeDefined();
      expect(await totalsOf(filter)).toEqual(await totalsOf({ ...filter, id: 'gt:0' }));
    },
  );

  it.each([
    { user_id: '1', starts_at: 'gte:2026-03-05' },
    { starts_at: 'gte:0001-01-01' },
    { starts_at: `eq:${some}` },
    { starts_at: '!eq:2026-03-05' },
    { overlapping_with_range: '0001-01-01_2026-03-01' },
    { overlapping_with_range: '2026-03-01_9999-12-31' },
    { overlapping_with_range: '2026-03-05', starts_at: 'gte:2026-03-05' },
    { area_id: '1' },
    { confirmed: '!eq:true' },
    { user_id: '1\0' },
  ])('are counted where nothing is kept: %j', async (filter) => {
    expect(totalFilterFor(admin, filter)).toBeUndefined();
    expect(await totalsOf(filter)).toBeDefined();
  });

  it('are counted for those who see a part only', async () => {
    const employee = await actorOf(world, world.employee);
    expect(totalFilterFor(employee, {})).toBeUndefined();
  });
});

describe('what is kept', () => {
  it('is right after every kind of statement', async () => {
    const { db, accountId, employee } = world;
    const mine = () => db.updateTable('time_trackings').where('account_id', '=', accountId);
    expect(await wrongTotals(db, accountId)).toEqual([]);
    await mine().set({ confirmed: true }).where('user_id', '=', employee.id).execute();
    await mine().set({ breaks_s: 5 }).where('breaks_s', '=', 999_999).execute();
    await mine()
      .set({ starts_at: new Date('2026-02-01T00:00:00Z') })
      .where('confirmed', '=', false)
      .where('ends_at', 'is not', null)
      .execute();
    await mine().set({ ends_at: now }).where('ends_at', 'is', null).execute();
    expect(await wrongTotals(db, accountId)).toEqual([]);
    await db.deleteFrom('time_trackings').where('account_id', '=', accountId).where('confirmed', '=', true).execute();
    expect(await wrongTotals(db, accountId)).toEqual([]);
    expect((await totalsOf({})).count).toBe((await totalsOf({ id: 'gt:0' })).count);
  });
});
