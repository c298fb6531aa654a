import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/platform/core/errors.ts';
import { authorize, may, permissionsOf, rankIn, type Actor } from '../../../../src/platform/core/permissions.ts';
import { assumedRole, type Rank } from '../../../../src/platform/core/ranks.ts';

const actorOf = (rank: Rank, others: Partial<Actor> = {}): Actor => ({
  accountId: 1,
  userId: 1,
  username: 'Actor',
  rank,
  areaIds: [10],
  workspace: null,
  ...others,
});
const [employee, areaAdmin, workspaceAdmin, accountAdmin] = ([1, 2, 3, 4] as const).map((rank) =>
  actorOf(rank, { workspace: { id: 5 } as Actor['workspace'], roles: { 5: Math.min(rank, 3) as Rank, 6: 1, 7: 3 } }),
) as [Actor, Actor, Actor, Actor];
const everybody = [employee, areaAdmin, workspaceAdmin, accountAdmin];

const userOf = (rank: Rank, others: object = {}) => ({
  id: 2,
  rank,
  highestRole: Math.min(rank, 3),
  area_ids: [10],
  workspace_ids: [5],
  ...others,
});

describe('assumedRole', () => {
  it('is admin from the area admin on', () => {
    expect(([0, 1, 2, 3, 4] as const).map(assumedRole)).toEqual(['employee', 'employee', 'admin', 'admin', 'admin']);
  });
});

describe('rankIn', () => {
  it('is that of the workspace at hand, or of the other workspace, or none', () => {
    expect([5, 6, 7, 8].map((id) => rankIn(areaAdmin, id))).toEqual([2, 1, 3, 0]);
    expect([5, 6, 7, 8].map((id) => rankIn(accountAdmin, id))).toEqual([4, 4, 4, 4]);
    expect(rankIn(actorOf(1), 5)).toBe(0);
  });
});

describe('a user', () => {
  it('is read by themselves, by the admins of their areas and by higher ranks', () => {
    expect(everybody.map((actor) => may(actor, 'read', 'user', userOf(1)))).toEqual([false, true, true, true]);
    expect(may(employee, 'read', 'user', userOf(1, { id: 1 }))).toBe(true);
    expect(may(areaAdmin, 'read', 'user', userOf(1, { area_ids: [11] }))).toBe(false);
  });

  it('is administered by no area admin who ranks lower', () => {
    const ranks = [1, 2, 3, 4] as const;
    for (const act of ['read', 'record_time', 'add_to_area'] as const) {
      expect(ranks.map((rank) => may(areaAdmin, act, 'user', userOf(rank)))).toEqual([true, true, false, false]);
      expect(ranks.map((rank) => may(workspaceAdmin, act, 'user', userOf(rank)))).toEqual([true, true, true, true]);
    }
  });

  it('is changed by workspace admins, unless they rank higher', () => {
    expect(everybody.map((actor) => may(actor, 'update', 'user', userOf(1)))).toEqual([false, false, true, true]);
    expect(([1, 2, 3, 4] as const).map((rank) => may(workspaceAdmin, 'update', 'user', userOf(rank)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(may(employee, 'update', 'user', userOf(1, { id: 1 }))).toBe(false);
  });

  it('is never deleted by themselves, and as an admin only by account admins', () => {
    expect(everybody.map((actor) => may(actor, 'destroy', 'user', userOf(1)))).toEqual([false, false, true, true]);
    expect(everybody.some((actor) => may(actor, 'destroy', 'user', userOf(1, { id: 1 })))).toBe(false);
    expect(([1, 2, 3, 4] as const).map((rank) => may(workspaceAdmin, 'destroy', 'user', userOf(rank)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(([1, 2, 3, 4] as const).every((rank) => may(accountAdmin, 'destroy', 'user', userOf(rank)))).toBe(true);
  });

  it('becomes account admin through account admins only, and never through themselves', () => {
    expect(everybody.map((actor) => may(actor, 'update_account_admin_role', 'user', userOf(1)))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(may(accountAdmin, 'update_account_admin_role', 'user', userOf(4, { id: 1 }))).toBe(false);
  });

  it('who administers other workspaces keeps their address when an admin of this one changes it', () => {
    expect(may(workspaceAdmin, 'change_email', 'user', userOf(1))).toBe(true);
    expect(may(workspaceAdmin, 'change_email', 'user', userOf(1, { highestRole: 3 }))).toBe(false);
    expect(may(accountAdmin, 'change_email', 'user', userOf(1, { highestRole: 3 }))).toBe(true);
    expect(may(workspaceAdmin, 'change_email', 'user', userOf(1, { id: 1, highestRole: 3 }))).toBe(true);
    expect(may(workspaceAdmin, 'change_email', 'user', userOf(2))).toBe(false);
    expect(may(workspaceAdmin, 'change_email', 'user', userOf(3))).toBe(false);
    expect(may(workspaceAdmin, 'change_email', 'user', userOf(4))).toBe(false);
  });

  it('who belongs to other workspaces keeps their address, unless the admin of this one administers those too', () => {
    const both = (other: number) => userOf(1, { workspace_ids: [5, other] });
    expect([6, 7, 8].map((id) => may(workspaceAdmin, 'change_email', 'user', both(id)))).toEqual([false, true, false]);
    expect([6, 7, 8].map((id) => may(accountAdmin, 'change_email', 'user', both(id)))).toEqual([true, true, true]);
  });
});

describe('a target hour', () => {
  it('is read by its user and their admins, and changed by workspace admins', () => {
    const target = { user_id: 2, user_rank: 1 as Rank, area_ids: [10] };
    expect(everybody.map((actor) => may(actor, 'read', 'target_hour', target))).toEqual([false, true, true, true]);
    expect(may(employee, 'read', 'target_hour', { ...target, user_id: 1 })).toBe(true);
    for (const act of ['update', 'destroy'] as const) {
      expect(everybody.map((actor) => may(actor, act, 'target_hour', target))).toEqual([false, false, true, true]);
      expect(may(employee, act, 'target_hour', { ...target, user_id: 1 })).toBe(false);
    }
  });
});

describe('a public holiday', () => {
  it('is read by everybody, and changed by workspace admins where it is their own', () => {
    expect(everybody.every((actor) => may(actor, 'read', 'public_holiday', { isOwn: false }))).toBe(true);
    for (const act of ['update', 'destroy'] as const) {
      expect(everybody.map((actor) => may(actor, act, 'public_holiday', { isOwn: true }))).toEqual([
        false,
        false,
        true,
        true,
      ]);
      expect(everybody.some((actor) => may(actor, act, 'public_holiday', { isOwn: false }))).toBe(false);
    }
  });
});

describe('a shift', () => {
  const inArea = (area_id: number | null, visible: boolean | null) => ({ area_id, visible });

  it('is read by everybody once it is published', () => {
    for (const visible of [true, null])
      expect(everybody.every((actor) => may(actor, 'read', 'shift', inArea(11, visible)))).toBe(true);
  });

  it('is planned by workspace admins, and by area admins in their areas; nobody else reads a draft', () => {
    for (const act of ['read', 'update', 'destroy'] as const) {
      expect(everybody.map((actor) => may(actor, act, 'shift', inArea(10, false)))).toEqual([false, true, true, true]);
      for (const areaId of [11, null])
        expect(everybody.map((actor) => may(actor, act, 'shift', inArea(areaId, false)))).toEqual([
          false,
          false,
          true,
          true,
        ]);
    }
  });
});

describe('an area', () => {
  it('is changed by its area admins and by workspace admins', () => {
    const [own, other] = [
      { id: 10, workspace_id: 5 },
      { id: 11, workspace_id: 5 },
    ];
    expect(everybody.map((actor) => may(actor, 'update', 'area', own))).toEqual([false, true, true, true]);
    expect(everybody.map((actor) => may(actor, 'update', 'area', other))).toEqual([false, false, true, true]);
    expect(everybody.map((actor) => may(actor, 'destroy', 'area', own))).toEqual([false, false, true, true]);
    expect(everybody.every((actor) => may(actor, 'read', 'area', other))).toBe(true);
  });

  it('of another workspace is judged by the role held there', () => {
    expect(may(workspaceAdmin, 'update', 'area', { id: 12, workspace_id: 6 })).toBe(false);
    expect(may(employee, 'update', 'area', { id: 12, workspace_id: 7 })).toBe(true);
    expect(may(employee, 'read', 'area', { id: 12, workspace_id: 8 })).toBe(false);
  });
});

describe('a workspace', () => {
  it('is changed by its admins, and deleted by account admins', () => {
    expect(everybody.map((actor) => may(actor, 'update', 'workspace', { id: 5 }))).toEqual([false, false, true, true]);
    expect(everybody.map((actor) => may(actor, 'destroy', 'workspace', { id: 5 }))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(everybody.map((actor) => may(actor, 'update', 'workspace', { id: 6 }))).toEqual([false, false, false, true]);
    expect(everybody.map((actor) => may(actor, 'update', 'workspace', { id: 7 }))).toEqual([true, true, true, true]);
  });
});

describe('permissionsOf', () => {
  const of = (asked: Parameters<typeof permissionsOf>[3]) => permissionsOf(workspaceAdmin, 'user', userOf(1), asked);

  it('is null unless asked for', () => {
    expect(of('none')).toBeNull();
  });

  it('has every key of the type, or exactly the known ones that were named', () => {
    expect(of('all')).toEqual({ read: true, update: true, destroy: true, update_account_admin_role: false });
    expect(of(['update', 'fly', 'constructor'])).toEqual({ update: true });
    expect(of(['fly'])).toEqual({});
  });
});

describe('authorize', () => {
  it('refuses with 403 exactly what permissions show as false', () => {
    expect(() => authorize(workspaceAdmin, 'update', 'workspace', { id: 5 })).not.toThrow();
    expect(() => authorize(employee, 'update', 'workspace', { id: 5 })).toThrow(AppError);
    // @ts-expect-error: an act that the table does not know does not compile either.
    expect(() => authorize(accountAdmin, 'toString', 'workspace', { id: 5 })).toThrow(
      'You are not authorized to perform this action.',
    );
  });
});
