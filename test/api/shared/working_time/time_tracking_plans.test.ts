import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkspaceActor } from '../../../../src/platform/core/permissions.ts';
import { rank, type Rank } from '../../../../src/platform/core/ranks.ts';
import { listTimeTrackings } from '../../../../src/working_time/time_trackings/list/list.ts';
import { actorOf, insertArea, insertTimeTracking } from '../../../support/records.ts';
import { newWorld, type World } from '../../../support/world.ts';

/*
 * The statements of a list are built once for each shape. Here lists of different shapes follow each other, in both orders. None
 * may use the statements of the previous one.
 */

const now = new Date('2026-03-20T10:30:00Z');
const everything = { page: 1, items: 100, outset: 0, sort: ['id'], filter: {}, permissions: 'none' as const };

let world: World;
let boss: WorkspaceActor;
/** Time trackings of the employee, of another member of the area, and of the admin. */
let [own, near, far] = [0, 0, 0];
let areaId: number;

beforeAll(async () => {
  world = await newWorld();
  boss = await actorOf(world, world.admin);
  const neighbour = await world.addMember('employee');
  areaId = await insertArea(world, 'Kitchen', [world.employee.id, neighbour.id]);
  own = await insertTimeTracking(world, world.employee.id);
  near = await insertTimeTracking(world, neighbour.id);
  far = await insertTimeTracking(world, world.admin.id);
});

const seenBy = async (actor: WorkspaceActor, filter: object = {}, permissions: 'none' | 'all' = 'none') => {
  const selection = { ...everything, permissions, filter: filter as Record<string, unknown> };
  const { rows, paging } = await listTimeTrackings(world.db, actor, selection, now);
  expect(paging.total_count).toBe(rows.length);
  return rows;
};
const idsSeenBy = async (actor: WorkspaceActor, filter?: object) => (await seenBy(actor, filter)).map(({ id }) => id);

const employeeWith = (own: Rank): WorkspaceActor => ({
  ...boss,
  userId: world.employee.id,
  rank: own,
  areaIds: [areaId],
});

describe('lists of different shapes', () => {
  it('are of what each rank may see', async () => {
    const ranks = [rank.employee, rank.areaAdmin, rank.workspaceAdmin, rank.accountAdmin];
    const expected: Record<number, number[]> = {
      [rank.employee]: [own],
      [rank.areaAdmin]: [own, near],
      [rank.workspaceAdmin]: [own, near, far],
      [rank.accountAdmin]: [own, near, far],
    };
    for (const one of [...ranks, ...ranks.toReversed(), ...ranks])
      expect(await idsSeenBy(employeeWith(one))).toEqual(expected[one]);
  });

  it('are of days in the time zone of each workspace', async () => {
    const inZone = (time_zone: string): WorkspaceActor => ({ ...boss, workspace: { ...boss.workspace, time_zone } });
    await world.db
      .updateTable('time_trackings')
      .set({ starts_at: new Date('2026-03-01T23:30:00Z'), ends_at: new Date('2026-03-01T23:45:00Z') })
      .where('account_id', '=', world.accountId)
      .execute();
    const filter = { overlapping_with_range: '2026-03-02_2026-03-02' };
    for (let round = 0; round < 3; round++) {
      expect(await idsSeenBy(inZone('UTC'), filter)).toEqual([]);
      expect(await idsSeenBy(inZone('Europe/Berlin'), filter)).toEqual([own, near, far]);
    }
  });

  it('have the areas of users only where permissions are asked for', async () => {
    const areasOf = async (permissions: 'none' | 'all') =>
      (await seenBy(boss, { user_id: String(world.employee.id) }, permissions)).map((row) => row.user_area_ids);
    for (let round = 0; round < 3; round++) {
      expect(await areasOf('none')).toEqual([[]]);
      expect(await areasOf('all')).toEqual([[areaId]]);
    }
  });
});

describe('lists of one shape', () => {
  it('are of the account, the workspace, the user and the areas of each call', async () => {
    const other = await newWorld();
    const stranger = await actorOf(other, other.admin);
    const employee = employeeWith(rank.employee);
    const colleague = { ...employee, userId: world.admin.id };
    const elsewhere = { ...boss, workspace: { ...boss.workspace, id: boss.workspace.id + 1_000_000 } };
    const areaAdmin = employeeWith(rank.areaAdmin);
    for (let round = 0; round < 3; round++) {
      expect(await idsSeenBy(boss)).toEqual([own, near, far]);
      expect(await idsSeenBy(stranger)).toEqual([]);
      expect(await idsSeenBy(elsewhere)).toEqual([]);
      expect(await idsSeenBy(employee)).toEqual([own]);
      expect(await idsSeenBy(colleague)).toEqual([far]);
      expect(await idsSeenBy(areaAdmin)).toEqual([own, near]);
      expect(await idsSeenBy({ ...areaAdmin, areaIds: [] })).toEqual([own]);
    }
  });
});
