import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import {
  addFollowers,
  removeFollower,
  setFollowers,
  stopFollowing,
} from '../../../../src/platform/followers/followers.ts';
import { memberProblems } from '../../../../src/organisation/users/memberships.ts';
import type { Owner } from '../../../../src/platform/notes/owner.ts';
import { actorOf, owners } from '../../../support/records.ts';
import { newWorld, type World } from '../../../support/world.ts';

describe.each(owners)('followers of %s', (_what, makeOwner) => {
  const followersOf = async ({ db, accountId }: World, owner: Owner): Promise<number[]> => {
    const rows =
      'absence_id' in owner
        ? await db
            .selectFrom('absence_followers')
            .select('user_id')
            .where('account_id', '=', accountId)
            .where('absence_id', '=', owner.absence_id)
            .execute()
        : await db
            .selectFrom('time_tracking_followers')
            .select('user_id')
            .where('account_id', '=', accountId)
            .where('time_tracking_id', '=', owner.time_tracking_id)
            .execute();
    return rows.map((row) => row.user_id).sort((a, b) => a - b);
  };

  it('are added, replaced and removed', async () => {
    const world = await newWorld();
    const [owner, actor] = [await makeOwner(world), await actorOf(world, world.admin)];
    const [admin, employee] = [world.admin.id, world.employee.id];
    await addFollowers(world.db, actor, [owner], [admin]);
    await addFollowers(world.db, actor, [owner], [admin, employee, employee]);
    expect(await followersOf(world, owner)).toEqual([admin, employee]);
    await setFollowers(world.db, actor, [owner], [employee]);
    expect(await followersOf(world, owner)).toEqual([employee]);
    await removeFollower(world.db, actor, owner, String(employee));
    expect(await followersOf(world, owner)).toEqual([]);
    for (const ref of [employee, 'abc'])
      await expect(removeFollower(world.db, actor, owner, ref)).rejects.toMatchObject({ status: 404 });
  });

  it('leave with the user, or with their membership', async () => {
    const world = await newWorld();
    const [owner, actor] = [await makeOwner(world), await actorOf(world, world.admin)];
    const { id } = world.employee;
    await addFollowers(world.db, actor, [owner], [id, world.admin.id]);
    await forAccount(world.db, world.accountId, (tx) =>
      stopFollowing(tx, actor, id, world.workspaceId + 1, new Date()),
    );
    expect(await followersOf(world, owner)).toHaveLength(2);
    await forAccount(world.db, world.accountId, (tx) => stopFollowing(tx, actor, id, world.workspaceId, new Date()));
    expect(await followersOf(world, owner)).toEqual([world.admin.id]);
    await forAccount(world.db, world.accountId, (tx) => stopFollowing(tx, actor, world.admin.id, null, new Date()));
    expect(await followersOf(world, owner)).toEqual([]);
  });
});

describe('memberProblems', () => {
  it('names everybody who is no user of the workspace, in one problem', async () => {
    const world = await newWorld();
    const actor = await actorOf(world, world.admin);
    expect(await memberProblems(world.db, actor, 'follower_ids', [world.employee.id, String(world.admin.id)])).toEqual(
      [],
    );
    expect(await memberProblems(world.db, actor, 'follower_ids', [])).toEqual([]);
    expect(
      await memberProblems(world.db, actor, 'follower_ids', [world.employee.id, world.stranger.id, 'abc']),
    ).toEqual([
      {
        code: 'unknown_reference',
        pointer: 'follower_ids',
        title: `follower_ids names "abc", ${world.stranger.id}, which is no user of this workspace.`,
      },
    ]);
  });
});
