import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { createTimeTracking } from '../../../../src/working_time/time_trackings/create.ts';
import { assign, insertShift, unassign } from '../../../api/shared/planning/support.ts';
import { employeeIn, trackingsOf } from '../../../support/punches.ts';
import { newWorld, type World } from '../../../support/world.ts';
import { isSomebodyWaiting } from '../../../support/database/distribution.ts';

/*
 * New work and the end of the assignment that it is linked to happen at the very same moment. Whatever comes second sees the first.
 */

const endings: [string, (world: World, shift: { id: number }) => Promise<unknown>][] = [
  ['taken off the shift', (world, shift) => unassign(world, shift, [world.employee.id])],
  ['moved among those who applied', (world, shift) => assign(world, shift, [world.employee.id], { application: true })],
];

describe.each(endings)('a user whose work begins while they are %s', (_what, end) => {
  it('has no link to an assignment that is gone', async () => {
    const world = await newWorld();
    const { db, accountId, employee } = world;
    const shift = await insertShift(world, { from: new Date(), to: new Date(Date.now() + 3_600_000) });
    await assign(world, shift, [employee.id]);
    let ended: Promise<unknown> | undefined;
    await forAccount(db, accountId, async (tx) => {
      const start = { starts_at: new Date().toISOString() };
      await createTimeTracking(tx, employeeIn(world, employee.id), start, new Date());
      let isDone = false;
      ended = end(world, shift).finally(() => (isDone = true));
      while (!isDone && !(await isSomebodyWaiting(db))) await new Promise(setImmediate);
    });
    await ended;
    expect((await trackingsOf(world, employee.id)).map(({ assignment_id }) => assignment_id)).toEqual([null]);
  });
});
