import { expect, it } from 'vitest';
import { twoWeeks } from '../../../support/absences.ts';
import { pointersIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { record } from '../../../support/time_trackings.ts';
import { bodyOf } from '../../../support/world.ts';

it('a user of another workspace of the account joins no area, and follows and misses nothing here', async () => {
  const world = await newEnterprise();
  const { admin, absenceType } = world;
  const { id: elsewhere } = await world.newLocation('Elsewhere');
  const { id: stranger } = await world.newUser({ location_ids: elsewhere });
  const { id: area_id } = await world.newArea('Bar');
  const { id: time_tracking_id } = await record(admin);
  const absence_type_id = await absenceType('vacation');
  const [users, followers] = [{ user_ids: [stranger] }, { follower_ids: [stranger] }];
  const leave = { absence_type_id, ...twoWeeks };
  const answers = {
    updateArea: await admin.call('updateArea', { params: { area_id }, body: bodyOf('area', users) }),
    createTimeTrackingFollowers: await admin.call('createTimeTrackingFollowers', {
      params: { time_tracking_id },
      body: bodyOf('follower', followers),
    }),
    batchTimeTrackings: await admin.call('batchTimeTrackings', {
      body: bodyOf('batch_action', { action: 'follower', ids: [time_tracking_id], ...followers }),
    }),
    createAbsence: await admin.call('createAbsence', { body: bodyOf('absence', { ...leave, ...followers }) }),
    batchAbsences: await admin.call('batchAbsences', {
      body: bodyOf('batch_action', { action: 'create', ...leave, ...users }),
    }),
  };
  expect(
    Object.entries(answers).map(([operation, answer]) => [operation, answer.status, pointersIn(answer).join()]),
  ).toEqual([
    ['updateArea', 400, 'user_ids'],
    ['createTimeTrackingFollowers', 400, 'follower_ids'],
    ['batchTimeTrackings', 400, 'follower_ids'],
    ['createAbsence', 400, 'follower_ids'],
    ['batchAbsences', 400, 'user_ids'],
  ]);
});

it('a user of another workspace of the account is not listed and not found here', async () => {
  const world = await newEnterprise();
  const { admin, employee } = world;
  const { id: elsewhere } = await world.newLocation('Elsewhere');
  const { id: stranger } = await world.newUser({ location_ids: elsewhere });
  const { body } = await admin.call('listUsers', { query: 'sort=id' });
  const ids = (body.data as { id: string }[]).map(({ id }) => Number(id));
  expect(ids).toEqual([admin.id, employee.id]);
  expect((await admin.call('getUser', { params: { user_id: stranger } })).status).toBe(404);
});
