import { describe, expect, it } from 'vitest';
import {
  at,
  absenceOf,
  daysOf,
  fullDays,
  request,
  shownAbsence,
  twoWeeks,
  typeOf,
} from '../../../../support/absences.ts';
import { newEnterpriseWithAbsences } from '../../../../support/enterprise_absences.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const changeUser = ({ admin, employee }: World, attributes: object) =>
  admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', attributes) });

describe('the dates of an absence', () => {
  it('are those of the user’s own zone', async () => {
    const world = await newWorld();
    await changeUser(world, { time_zone: 'Auckland' });
    // Sunday in UTC, Monday in Auckland.
    const times = { starts_at: '2026-03-01T23:30:00Z', ends_at: '2026-03-01T23:30:00Z', full_day: true };
    const { attributes } = (await request(world, world.employee, times)).body.data;
    expect(attributes).toMatchObject({ starts_at: '2026-03-01T11:00:00Z', ends_at: '2026-03-02T10:59:59Z', days: 1 });
  });

  it('are those that the sender of the public API means in their zone', async () => {
    const world = await newEnterpriseWithAbsences();
    // Monday to Wednesday in Auckland, from Sunday in Berlin.
    const times = { starts_at: '2026-03-02T00:00:00+13:00', ends_at: '2026-03-04T23:59:59+13:00' };
    const absence = await world.newAbsence({ ...times, time_zone: 'Auckland' });
    expect(absence).toMatchObject({
      starts_at: '2026-03-01T11:00:00Z',
      ends_at: '2026-03-04T10:59:59Z',
      time_zone: 'Auckland',
      vacation_days: 3,
      paid_hours: 24,
    });
    expect((await daysOf(world, String(absence.id))).map(([date]) => date)).toEqual([
      '2026-03-02',
      '2026-03-03',
      '2026-03-04',
    ]);
    const changed = await world.enterprise('updatePublicAbsence', {
      body: {
        absence: { id: absence.id, starts_at: '2026-03-03T00:00:00+13:00', ends_at: '2026-03-04T20:00:00+13:00' },
      },
    });
    expect(changed.body).toMatchObject({ starts_at: '2026-03-02T11:00:00Z', vacation_days: 2 });
    // The resource API knows no zone of a sender.
    const { body } = await world.admin.call(
      'updateAbsence',
      at(absence.id, { body: bodyOf('absence', { starts_at: '2026-03-02T10:00:00+01:00' }) }),
    );
    expect(body.data.attributes).toMatchObject({ starts_at: '2026-03-01T23:00:00Z', days: 3 });
  });

  it('stay when the zone of the user changes, and its times move along', async () => {
    const world = await newWorld();
    const [open, confirmed, custom] = [
      await absenceOf(world, world.employee),
      await absenceOf(world, world.employee),
      await absenceOf(world, world.employee, { use_custom_values: true, days: 2, hours: 3 }),
    ];
    await world.admin.call('confirmAbsence', at(confirmed));
    const before = await Promise.all([open, confirmed, custom].map((id) => daysOf(world, id)));
    await changeUser(world, { time_zone: 'New York' });
    for (const [index, id] of [open, confirmed, custom].entries()) {
      expect(await shownAbsence(world, id)).toMatchObject({
        starts_at: '2026-07-06T04:00:00Z',
        ends_at: '2026-07-18T03:59:59Z',
      });
      expect(await daysOf(world, id)).toEqual(before[index]);
    }
    expect(await shownAbsence(world, confirmed)).toMatchObject({ confirmation_status: 'confirmed', days: 10 });
  });

  it('stay in a change that comes before the new zone of the workspace has arrived', async () => {
    const world = await newWorld();
    const id = await absenceOf(world, world.employee, fullDays('2026-07-06', '2026-07-10'));
    await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'New York' }) });
    const { body } = await world.employee.call(
      'updateAbsence',
      at(id, { body: bodyOf('absence', { half_end: true }) }),
    );
    expect(body.data.attributes).toMatchObject({ days: 4.5, starts_at: '2026-07-05T22:00:00Z' });
    await (await service()).jobs.drain();
    expect(await shownAbsence(world, id)).toMatchObject({ days: 4.5, starts_at: '2026-07-06T04:00:00Z' });
    expect((await daysOf(world, id)).map(([date]) => date).slice(0, 2)).toEqual(['2026-07-06', '2026-07-07']);
  });

  it('of parts of days are those of the new zone', async () => {
    const world = await newWorld();
    const times = { starts_at: '2026-07-06T02:00:00Z', ends_at: '2026-07-06T06:00:00Z', full_day: false };
    const id = await absenceOf(world, world.employee, times);
    expect(await daysOf(world, id)).toEqual([['2026-07-06', 4, 0.5]]);
    await changeUser(world, { time_zone: 'New York' });
    // Two hours of Sunday, which has no target, and two of Monday.
    expect(await daysOf(world, id)).toEqual([
      ['2026-07-05', 0, 0],
      ['2026-07-06', 2, 0.25],
    ]);
    expect(await shownAbsence(world, id)).toMatchObject({ starts_at: times.starts_at, hours: 2, days: 0.25 });
  });
});

describe('an amount', () => {
  const parts = { starts_at: '2026-07-08T20:00:00+02:00', ends_at: '2026-07-10T10:00:00+02:00', full_day: false };

  it.each([
    ['full days', twoWeeks],
    ['parts of days', parts],
  ])('is the same in both APIs and in the calculation: %s', async (_, times) => {
    const world = await newWorld();
    const { admin, employee } = world;
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
    await admin.call('createPublicHoliday', {
      body: bodyOf('public_holiday', { date: '2026-07-09', title: 'Day', factor: 0.5 }),
    });
    await changeUser(world, { time_zone: 'Lisbon', calc_vacation_options: 'custom', hours_on_vacation_day: 7 });
    const { body: created } = await request(world, employee, times);
    const { body: calculated } = await employee.call('getAbsencesCalculation', {
      query: { ...times, full_day: String(times.full_day) },
    });
    const absence = { ...times, user_id: employee.id, absence_type_id: await typeOf(world), time_zone: 'Lisbon' };
    const { body: enterprise } = await world.enterprise('createPublicAbsence', { body: { absence } });
    const { starts_at, ends_at, full_day, days, hours } = created.data.attributes;
    expect(days).toBeGreaterThan(1);
    expect(calculated.data.attributes).toEqual({ starts_at, ends_at, full_day, days, hours });
    expect(enterprise).toMatchObject({ starts_at, ends_at, full_day, vacation_days: days, paid_hours: hours });
  });

  it('is calculated with halves', async () => {
    const { employee } = await newWorld();
    const query = { ...twoWeeks, full_day: 'true', half_start: 'true', half_end: 'true' };
    const { body } = await employee.call('getAbsencesCalculation', { query });
    expect(body.data.attributes).toMatchObject({ days: 9, hours: 72 });
  });
});
