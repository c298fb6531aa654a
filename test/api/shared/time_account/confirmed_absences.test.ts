import { describe, expect, it } from 'vitest';
import { absenceOf, at, fullDays, shownAbsence } from '../../../support/absences.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';
import { create, monToWed, shownTo, update } from '../../v3/time_account/target_hours/support.ts';
import { after, before, drain, user, week } from './support.ts';

describe('reset_confirmed_absences', () => {
  const reset = { reset_confirmed_absences: true };
  const resetting: Record<string, (world: World) => Promise<unknown>> = {
    'a new target hour': ({ admin, employee }) =>
      create(admin, employee.id, { start_date: '2026-04-27', ...monToWed, ...reset }),
    'a changed target hour': async ({ admin, employee }) =>
      update(admin, employee.id, (await shownTo(admin, employee.id))[0]!.id, {
        is_thu: false,
        is_fri: false,
        ...reset,
      }),
    'a new public holiday': ({ admin }) =>
      admin.call('createPublicHoliday', {
        body: bodyOf('public_holiday', { date: '2026-04-28', title: 'Day', ...reset }),
      }),
    'the region of the workspace': ({ admin }) =>
      admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE', ...reset }) }),
    'the region of the user': (world) =>
      world.admin.call('updateUser', { ...user(world), body: bodyOf('user', { holiday_region: 'DE-BE', ...reset }) }),
    'the end of the contract': ({ enterprise, employee }) =>
      enterprise('updatePublicUser', {
        body: { user: { id: employee.id, data_profiles: { end_of_contract: '2026-04-28' }, ...reset } },
      }),
  };

  it.each(Object.keys(resetting))('sets those whose amount changes back to pending, with a note: %s', async (name) => {
    const world = await newWorld();
    const { ids, amounts } = await week(world);
    const untouched = await absenceOf(world, world.employee, fullDays('2026-01-05'));
    await world.admin.call('confirmAbsence', at(untouched));
    await resetting[name]!(world);
    await drain();
    const { open, confirmed } = await amounts();
    expect([confirmed, (await amounts())['custom']]).toEqual([open, 2]);
    expect(confirmed).toBeLessThan(5);
    expect(await shownAbsence(world, ids.confirmed)).toMatchObject({
      confirmation_status: 'pending',
      confirmed_at: null,
      system_notes_count: 3,
    });
    expect(await shownAbsence(world, ids.rejected)).toMatchObject({ confirmation_status: 'rejected' });
    expect(await shownAbsence(world, untouched)).toMatchObject({
      confirmation_status: 'confirmed',
      days: 1,
      system_notes_count: 2,
    });
    const { body } = await world.admin.call(
      'listAbsenceNotes',
      at(ids.confirmed, { query: { sort: '-id', items: 1 } }),
    );
    expect(body.data[0].attributes.content).toBe(
      'The absence was set back to pending, because its amount changed with the target hours, the holidays, the time zone or the contract.',
    );
  });

  it('applies only to its request', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { body } = await create(admin, employee.id, {
      start_date: '2026-04-20',
      ...monToWed,
      is_thu: true,
      thu: 8,
      is_fri: true,
      fri: 8,
      ...reset,
    });
    const { ids, amounts } = await week(world);
    await update(admin, employee.id, body.data.id, { is_fri: false });
    expect(await amounts()).toEqual(after(4));
    const params = { user_id: employee.id, target_hour_id: body.data.id };
    await admin.call('deleteTargetHour', { params, query: 'reset_confirmed_absences=false' });
    expect(await amounts()).toEqual(before);
    expect(await shownAbsence(world, ids.confirmed)).toMatchObject({ confirmation_status: 'confirmed' });
  });

  it('403 for an employee, and nothing changes', async () => {
    const world = await newWorld();
    const { employee } = world;
    const { amounts } = await week(world);
    const [hour] = await shownTo(world.admin, employee.id);
    const answers = [
      await create(employee, employee.id, { start_date: '2026-04-27', ...monToWed, ...reset }),
      await update(employee, employee.id, hour!.id, { is_fri: false, ...reset }),
      await employee.call('updateUser', {
        ...user(world),
        body: bodyOf('user', { holiday_region: 'DE-BE', ...reset }),
      }),
      await employee.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE', ...reset }) }),
      await employee.call('createPublicHoliday', {
        body: bodyOf('public_holiday', { date: '2026-04-28', title: 'Day', ...reset }),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    await drain();
    expect(await amounts()).toEqual(before);
  });
});
