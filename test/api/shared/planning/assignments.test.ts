import { describe, expect, it } from 'vitest';
import {
  findAssignments,
  removeAllAssignments,
  removeAssignments,
} from '../../../../src/planning/assignments/assignments.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { updateShift } from '../../../../src/planning/shifts/shifts.ts';
import { employeeIn } from '../../../support/punches.ts';
import { actorOf } from '../../../support/records.ts';
import { newWorld, type World } from '../../../support/world.ts';
import { assign, at, insertShift } from './support.ts';

/** The users of both lists, in their order. */
async function listsOf(world: World, shift: { id: number }) {
  const users = await findAssignments(world.db, employeeIn(world, world.employee.id), shift.id);
  const idsOf = (application: boolean) =>
    users.filter((user) => user.application === application).map(({ user_id }) => user_id);
  return { assigned: idsOf(false), applied: idsOf(true) };
}

const applied = { application: true };

/** Three members of the workspace and a shift. */
async function newRoster() {
  const world = await newWorld();
  const [ann, bob, cem] = [await world.addMember('employee'), await world.addMember('employee'), world.employee];
  return { world, shift: await insertShift(world), ann: ann.id, bob: bob.id, cem: cem.id };
}

describe('assignUsers', () => {
  it('lists users in the order in which they were added', async () => {
    const { world, shift, ann, bob, cem } = await newRoster();
    await assign(world, shift, [cem, ann]);
    await assign(world, shift, [bob]);
    expect(await listsOf(world, shift)).toEqual({ assigned: [cem, ann, bob], applied: [] });
  });

  it('neither doubles nor moves users who are in the list already, also when they are named twice', async () => {
    const { world, shift, ann, bob } = await newRoster();
    await assign(world, shift, [ann, bob]);
    await assign(world, shift, [bob, ann, bob]);
    expect(await listsOf(world, shift)).toEqual({ assigned: [ann, bob], applied: [] });
  });

  it('moves users to the end of the other list', async () => {
    const { world, shift, ann, bob, cem } = await newRoster();
    await assign(world, shift, [ann], applied);
    await assign(world, shift, [bob, cem]);
    await assign(world, shift, [ann]);
    expect(await listsOf(world, shift)).toEqual({ assigned: [bob, cem, ann], applied: [] });
    await assign(world, shift, [cem, bob], applied);
    expect(await listsOf(world, shift)).toEqual({ assigned: [ann], applied: [cem, bob] });
  });

  it('never doubles users who are assigned several times at the same moment', async () => {
    const { world, shift, ann, bob } = await newRoster();
    await Promise.all(
      [false, true, false, true, false].map((application) => assign(world, shift, [ann, bob], { application })),
    );
    const lists = await listsOf(world, shift);
    expect([...lists.assigned, ...lists.applied].sort((a, b) => a - b)).toEqual([ann, bob]);
  });

  it('keeps the times of the shift, also when they change at the same moment', async () => {
    const { world, shift, ann, bob } = await newRoster();
    const { db, accountId } = world;
    const admin = await actorOf(world, world.admin);
    const move = (ends_at: Date) =>
      forAccount(db, accountId, (tx) => updateShift(tx, admin, shift.id, { ends_at }, new Date()));
    await Promise.all([move(at('17:00')), assign(world, shift, [ann]), move(at('18:00')), assign(world, shift, [bob])]);
    await move(at('19:00'));
    const rows = await db.selectFrom('assignments').select('ends_at').where('account_id', '=', accountId).execute();
    expect(rows.map(({ ends_at }) => ends_at)).toEqual([at('19:00'), at('19:00')]);
  });
});

describe('removeAssignments', () => {
  it('takes users off both lists and says how many were there', async () => {
    const { world, shift, ann, bob, cem } = await newRoster();
    const other = await insertShift(world);
    await assign(world, shift, [ann, bob]);
    await assign(world, shift, [cem], applied);
    await assign(world, other, [ann]);
    const actor = employeeIn(world, ann);
    const remove = (ids: number[]) =>
      forAccount(world.db, world.accountId, (tx) => removeAssignments(tx, actor, shift, ids, new Date()));
    expect([await remove([ann, cem]), await remove([ann])]).toEqual([2, 0]);
    expect(await listsOf(world, shift)).toEqual({ assigned: [bob], applied: [] });
    expect(await listsOf(world, other)).toEqual({ assigned: [ann], applied: [] });
  });

  it('takes everybody off a shift that is to be deleted', async () => {
    const { world, shift, ann, bob } = await newRoster();
    await assign(world, shift, [ann]);
    await assign(world, shift, [bob], applied);
    const actor = employeeIn(world, ann);
    await forAccount(world.db, world.accountId, (tx) => removeAllAssignments(tx, actor, shift, new Date()));
    expect(await listsOf(world, shift)).toEqual({ assigned: [], applied: [] });
  });
});
