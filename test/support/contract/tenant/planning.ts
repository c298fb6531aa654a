import { expect } from 'vitest';
import { bodyOf } from '../../world.ts';
import type { Maker } from './maker.ts';
import type { Organisation } from './organisation.ts';

/** A shift with a user, and another one to which a user is assigned who is to be deleted. */
export async function makeShifts({ world, mark, asked, made }: Maker, { ids }: Organisation, spareUser: number) {
  const planned = {
    working_area_id: ids.area,
    starts_at: '2026-05-16T08:00:00+02:00',
    ends_at: '2026-05-16T16:00:00+02:00',
    note: mark,
    tag_ids: [ids.tag],
    visible: true,
  };
  const newShift = () => made('createShift', { body: bodyOf('event', planned) });
  const shift = await newShift();
  await asked(world.admin, 'updateShiftUsers', {
    params: { shift_id: shift },
    body: bodyOf('event', { user_ids: [ids.user] }),
  });
  const spare = await newShift();
  const assignment = { shift_id: spare, user_id: spareUser };
  expect((await world.enterprise('createAssignment', { body: { assignment } })).status).toBe(200);
  return { ids: { shift }, spare: { shift: spare } };
}
