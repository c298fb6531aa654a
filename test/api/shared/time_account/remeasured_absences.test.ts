import { describe, expect, it } from 'vitest';
import { absenceOf, at, daysOf, fullDays, shownAbsence } from '../../../support/absences.ts';
import { bodyOf, newWorld } from '../../../support/world.ts';
import { create, monToWed, remove, update } from '../../v3/time_account/target_hours/support.ts';
import { after, before, drain, user, week } from './support.ts';

describe('absences are measured again, except confirmed and custom ones', () => {
  it('when target hours are created, changed and deleted', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { amounts } = await week(world);
    expect(await amounts()).toEqual(before);
    const { body } = await create(admin, employee.id, { start_date: '2026-04-29', ...monToWed });
    // Monday, Tuesday and Wednesday.
    expect(await amounts()).toEqual(after(3));
    await update(admin, employee.id, body.data.id, { start_date: '2026-04-30' });
    expect(await amounts()).toEqual(after(3));
    await update(admin, employee.id, body.data.id, { is_fri: true, fri: 8 });
    expect(await amounts()).toEqual(after(4));
    await remove(admin, employee.id, body.data.id);
    expect(await amounts()).toEqual(before);
  });

  it('only from the first day of the change on', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { ids } = await week(world);
    const { updated_at } = await shownAbsence(world, ids.open);
    await create(admin, employee.id, { start_date: '2026-05-05', ...monToWed });
    expect((await shownAbsence(world, ids.open))['updated_at']).toBe(updated_at);
  });

  it('when public holidays are added, changed and deleted', async () => {
    const world = await newWorld();
    const { admin } = world;
    const { amounts } = await week(world);
    const holiday = bodyOf('public_holiday', { date: '2026-04-28', title: 'Own day', factor: 1 });
    const { body } = await admin.call('createPublicHoliday', { body: holiday });
    await drain();
    expect(await amounts()).toEqual(after(4));
    const params = { public_holiday_id: body.data.id };
    await admin.call('updatePublicHoliday', { params, body: bodyOf('public_holiday', { factor: 0.5 }) });
    await drain();
    expect(await amounts()).toEqual(after(4.5));
    await admin.call('updatePublicHoliday', { params, body: bodyOf('public_holiday', { date: '2026-06-02' }) });
    await drain();
    expect(await amounts()).toEqual(before);
    await admin.call('updatePublicHoliday', { params, body: bodyOf('public_holiday', { date: '2026-04-27' }) });
    await drain();
    expect(await amounts()).toEqual(after(4.5));
    await admin.call('deletePublicHoliday', { params });
    await drain();
    expect(await amounts()).toEqual(before);
  });

  it('when the region of the workspace or of the user changes', async () => {
    const world = await newWorld();
    const { admin } = world;
    const { amounts } = await week(world);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
    expect(await amounts()).toEqual(before);
    await drain();
    expect(await amounts()).toEqual(after(4));
    // 1 May is no holiday in the Netherlands, 27 April is.
    await admin.call('updateUser', {
      ...user(world),
      body: bodyOf('user', { holiday_region: 'NL', holiday_region_from: '2026-05-01' }),
    });
    expect(await amounts()).toEqual(after(5));
    await admin.call('updateUser', { ...user(world), body: bodyOf('user', { holiday_region_from: '2026-04-01' }) });
    expect(await amounts()).toEqual(after(4));
  });

  it('when the start of accounting or the way of counting vacation changes', async () => {
    const world = await newWorld();
    const { admin } = world;
    const { amounts, ids } = await week(world);
    await admin.call('updateUser', { ...user(world), body: bodyOf('user', { start_of_accounting: '2026-04-29' }) });
    expect(await amounts()).toEqual(after(3));
    await admin.call('updateUser', {
      ...user(world),
      body: bodyOf('user', { calc_vacation_options: 'custom', hours_on_vacation_day: 6 }),
    });
    expect(await shownAbsence(world, ids.open)).toMatchObject({ days: 3, hours: 18 });
    expect(await shownAbsence(world, ids.confirmed)).toMatchObject({ days: 5, hours: 40 });
  });

  it('when the contract ends, and when it does not', async () => {
    const world = await newWorld();
    const { amounts } = await week(world);
    const end = async (end_of_contract: string) => {
      const body = { user: { id: world.employee.id, data_profiles: { end_of_contract } } };
      expect((await world.enterprise('updatePublicUser', { body })).status).toBe(200);
    };
    await end('2026-04-28');
    expect(await amounts()).toEqual(after(2));
    await end('some day');
    expect(await amounts()).toEqual(before);
    await end('2026-04-26');
    expect(await amounts()).toEqual(after(0));
    await end('');
    expect(await amounts()).toEqual(before);
  });

  it('when the user leaves the workspace that decides about their holidays', async () => {
    const world = await newWorld();
    const { admin } = world;
    const { body } = await admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Elsewhere', holiday_region: 'DE-BE' }),
    });
    const workspace_id = body.data.id;
    const { body: types } = await admin.call('listAbsenceTypes', { params: { workspace_id } });
    const { body: made } = await admin.call('createAbsence', {
      params: { workspace_id },
      body: bodyOf('absence', { ...fullDays('2027-01-01', '2027-01-08'), absence_type_id: types.data[0].id }),
    });
    const absence = { params: { workspace_id, absence_id: made.data.id } };
    expect((await admin.call('getAbsence', absence)).body.data.attributes.days).toBe(6);
    await admin.call('deleteWorkspace');
    await drain();
    // New Year's Day is a holiday in Berlin.
    expect((await admin.call('getAbsence', absence)).body.data.attributes.days).toBe(5);
  });
});

describe('the rows of an absence', () => {
  it('go with it', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee);
    expect(await daysOf(world, id)).toHaveLength(12);
    await world.admin.call('deleteAbsence', at(id));
    expect(await daysOf(world, id)).toEqual([]);
  });
});
