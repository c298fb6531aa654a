import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { setShiftUsers } from '../../../../src/planning/shifts/shift_users.ts';
import { titlesIn } from '../../../support/client.ts';
import { actorOf } from '../../../support/records.ts';
import { newRoster, newShift } from '../../../support/shifts/shifts.ts';
import { bodyOf } from '../../../support/world.ts';
import { isSomebodyWaiting } from '../../../support/database/distribution.ts';

describe('a user who is put on two shifts at the same moment', () => {
  it('is on the one that comes first', async () => {
    const roster = await newRoster();
    const { db, accountId, admin, employee, bar } = roster;
    const [first, second] = [
      await newShift(admin, { working_area_id: bar }),
      await newShift(admin, { working_area_id: bar }),
    ];
    const actor = await actorOf(roster, admin);
    const users = { user_ids: [employee.id] };
    let other: Promise<string[]> | undefined;
    await forAccount(db, accountId, async (tx) => {
      await setShiftUsers(tx, actor, first.id, users, new Date());
      let isDone = false;
      other = admin
        .call('updateShiftUsers', { params: { shift_id: second.id }, body: bodyOf('event', users) })
        .then(titlesIn)
        .finally(() => (isDone = true));
      while (!isDone && !(await isSomebodyWaiting(db))) await new Promise(setImmediate);
    });
    expect(await other).toEqual([
      expect.stringContaining(`user_ids names ${employee.id}, who is on another shift from`),
    ]);
  });
});
