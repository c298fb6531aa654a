import { describe, expect, it } from 'vitest';
import { absenceOf, amountOf, daysOf, fullDays, setHoursOfVacationDay, typeOf } from '../../../../support/absences.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { create as createTargetHour, cycle, eightHours, monToWed } from '../../time_account/target_hours/support.ts';

const newTarget = async ({ admin, employee }: World, attributes: object) =>
  expect((await createTargetHour(admin, employee.id, { start_date: '2026-01-02', ...attributes })).status).toBe(201);
const inBerlin = async (world: World) => {
  await world.admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
  return world;
};
const addHoliday = ({ admin }: World, date: string, factor: number) =>
  admin.call('createPublicHoliday', { body: bodyOf('public_holiday', { date, title: 'Own day', factor }) });

describe('a full-day absence', () => {
  it('takes 3 days of a week of somebody who works Monday to Wednesday', async () => {
    const world = await newWorld();
    await newTarget(world, monToWed);
    expect(await amountOf(world, fullDays('2026-07-06', '2026-07-12'))).toEqual([3, 24]);
  });

  it('takes 2 days of a week of somebody who works on Saturday and Sunday', async () => {
    const world = await newWorld();
    await newTarget(world, eightHours('sat', 'sun'));
    expect(await amountOf(world, fullDays('2026-07-06', '2026-07-12'))).toEqual([2, 16]);
  });

  it('takes 4 days of the week of 1 May, and 8 of the two weeks around Easter', async () => {
    const world = await inBerlin(await newWorld());
    expect(await amountOf(world, fullDays('2026-04-27', '2026-05-03'))).toEqual([4, 32]);
    expect(await amountOf(world, fullDays('2026-03-30', '2026-04-12'))).toEqual([8, 64]);
  });

  it('takes the days of the user’s region from the day on which it applies', async () => {
    const world = await inBerlin(await newWorld());
    // Epiphany and Corpus Christi are holidays in Bavaria, not in Berlin.
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { holiday_region: 'DE-BY', holiday_region_from: '2026-06-01' }),
    });
    expect(await amountOf(world, fullDays('2026-01-05', '2026-01-09'))).toEqual([5, 40]);
    expect(await amountOf(world, fullDays('2026-06-01', '2026-06-05'))).toEqual([4, 32]);
  });

  it('follows a cycle of four days on and two off', async () => {
    const world = await newWorld();
    await newTarget(world, { ...cycle, start_date: '2026-05-01' });
    // On until 4 May and from 7 to 10 May.
    expect(await amountOf(world, fullDays('2026-05-04', '2026-05-10'))).toEqual([5, 40]);
  });

  it('is measured alike whatever its kind is', async () => {
    const world = await inBerlin(await newWorld());
    for (const kind of ['vacation', 'sickness', 'special', 'unpaid', 'overtime', 'other']) {
      const { body } = await world.admin.call('createAbsenceType', {
        body: bodyOf('absence_type', { title: kind, kind, user_ids: [world.employee.id] }),
      });
      const absence_type_id = body.data.id;
      expect([kind, ...(await amountOf(world, fullDays('2026-04-27', '2026-05-03', { absence_type_id })))]).toEqual([
        kind,
        4,
        32,
      ]);
    }
  });

  it('counts nothing before the start of accounting', async () => {
    const world = await newWorld();
    expect(await amountOf(world, fullDays('2025-12-29', '2026-01-02'))).toEqual([2, 16]);
  });
});

describe('half_start and half_end', () => {
  it('halve the first and the last date with an amount', async () => {
    const world = await inBerlin(await newWorld());
    const attributes = fullDays('2026-05-01', '2026-05-10', { half_start: true, half_end: true });
    const id = await absenceOf(world, world.employee, attributes);
    expect((await daysOf(world, id)).filter(([, , days]) => days > 0)).toEqual([
      ['2026-05-04', 4, 0.5],
      ['2026-05-05', 8, 1],
      ['2026-05-06', 8, 1],
      ['2026-05-07', 8, 1],
      ['2026-05-08', 4, 0.5],
    ]);
    expect(await amountOf(world, { ...attributes, half_end: false })).toEqual([4.5, 36]);
    expect(await amountOf(world, { ...attributes, half_start: false })).toEqual([4.5, 36]);
  });

  it('halve a single date once', async () => {
    const world = await newWorld();
    for (const halves of [{ half_start: true }, { half_end: true }, { half_start: true, half_end: true }])
      expect(await amountOf(world, fullDays('2026-07-10', '2026-07-12', halves))).toEqual([0.5, 4]);
  });

  it('are shown, can be changed, and do nothing to parts of a day', async () => {
    const world = await newWorld();
    const { employee } = world;
    const id = await absenceOf(world, employee, fullDays('2026-07-06', '2026-07-10', { half_start: true }));
    const change = async (attributes: object) =>
      (await employee.call('updateAbsence', { params: { absence_id: id }, body: bodyOf('absence', attributes) })).body
        .data.attributes;
    expect(await change({ half_end: true })).toMatchObject({ half_start: true, half_end: true, days: 4, hours: 32 });
    expect(await change({ half_start: false })).toMatchObject({
      half_start: false,
      half_end: true,
      days: 4.5,
      hours: 36,
    });
    const times = { starts_at: '2026-07-06T08:00:00Z', ends_at: '2026-07-06T12:00:00Z', full_day: false };
    expect(await change(times)).toMatchObject({ half_end: true, days: 0.5, hours: 4 });
  });
});

describe('part of a day', () => {
  it('is cut at local midnights, and counts at most the target of each date', async () => {
    const world = await newWorld();
    const times = { starts_at: '2026-05-07T20:00:00+02:00', ends_at: '2026-05-11T03:00:00+02:00', full_day: false };
    const id = await absenceOf(world, world.employee, times);
    expect(await daysOf(world, id)).toEqual([
      ['2026-05-07', 4, 0.5],
      ['2026-05-08', 8, 1],
      ['2026-05-09', 0, 0],
      ['2026-05-10', 0, 0],
      ['2026-05-11', 3, 0.375],
    ]);
    expect(await amountOf(world, times)).toEqual([1.88, 15]);
  });

  it('counts at most the target × (1 − factor) of a holiday', async () => {
    const world = await newWorld();
    await addHoliday(world, '2026-12-24', 0.5);
    await addHoliday(world, '2026-12-25', 1);
    const on = (day: string) => ({
      starts_at: `${day}T06:00:00+01:00`,
      ends_at: `${day}T20:00:00+01:00`,
      full_day: false,
    });
    expect(await amountOf(world, on('2026-12-24'))).toEqual([0.5, 4]);
    expect(await amountOf(world, on('2026-12-25'))).toEqual([0, 0]);
    expect(await amountOf(world, fullDays('2026-12-23', '2026-12-25'))).toEqual([1.5, 12]);
  });
});

describe('custom values', () => {
  it('stay as given, and are spread over the dates with a target in proportion to it', async () => {
    const world = await newWorld();
    await newTarget(world, { is_thu: true, thu: 8, is_fri: true, fri: 4 });
    const attributes = fullDays('2026-04-30', '2026-05-03', { use_custom_values: true, days: 3, hours: 9 });
    const id = await absenceOf(world, world.employee, attributes);
    expect(await daysOf(world, id)).toEqual([
      ['2026-04-30', 6, 2],
      ['2026-05-01', 3, 1],
      ['2026-05-02', 0, 0],
      ['2026-05-03', 0, 0],
    ]);
    expect(await amountOf(world, attributes)).toEqual([3, 9]);
  });

  it('are credited in full beside a holiday, which takes none of them', async () => {
    const world = await inBerlin(await newWorld());
    await addHoliday(world, '2026-04-30', 0.5);
    // 1 May is a Friday.
    const week = fullDays('2026-04-27', '2026-05-03', { use_custom_values: true, days: 1.75, hours: 14 });
    const id = await absenceOf(world, world.employee, week);
    await world.admin.call('confirmAbsence', { params: { absence_id: id } });
    const { body } = await world.employee.call('getUserDays', {
      params: { user_id: world.employee.id },
      query: { from: '2026-04-27', to: '2026-05-03' },
    });
    const days: { attributes: { absence_credit: number } }[] = body.data;
    expect(days.map(({ attributes }) => attributes.absence_credit)).toEqual([4, 4, 4, 2, 0, 0, 0]);
  });

  it('lie on the first date where holidays leave no target', async () => {
    const world = await inBerlin(await newWorld());
    const attributes = fullDays('2026-05-01', '2026-05-03', { use_custom_values: true, days: 1, hours: 8 });
    expect(await daysOf(world, await absenceOf(world, world.employee, attributes))).toEqual([
      ['2026-05-01', 8, 1],
      ['2026-05-02', 0, 0],
      ['2026-05-03', 0, 0],
    ]);
  });

  it('lie on the first date where no date has a target', async () => {
    const world = await newWorld();
    const attributes = fullDays('2026-07-11', '2026-07-12', { use_custom_values: true, days: 1.5, hours: 7.25 });
    expect(await daysOf(world, await absenceOf(world, world.employee, attributes))).toEqual([
      ['2026-07-11', 7.25, 1.5],
      ['2026-07-12', 0, 0],
    ]);
  });
});

describe('the hours of a vacation day', () => {
  it('are those of the user with the option custom, for full days of vacation with a target', async () => {
    const world = await newWorld();
    await addHoliday(world, '2026-07-08', 0.5);
    await setHoursOfVacationDay(world, 10);
    const sickness = { absence_type_id: await typeOf(world, 'sickness') };
    expect(await amountOf(world, fullDays('2026-07-06', '2026-07-12'))).toEqual([4.5, 45]);
    expect(await amountOf(world, fullDays('2026-07-06', '2026-07-06', { half_end: true }))).toEqual([0.5, 5]);
    expect(await amountOf(world, fullDays('2026-07-06', '2026-07-12', sickness))).toEqual([4.5, 36]);
  });

  it('are the target with the option target, whatever hours_on_vacation_day is', async () => {
    const world = await newWorld();
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { hours_on_vacation_day: 6, calc_vacation_options: 'target' }),
    });
    expect(await amountOf(world, fullDays('2026-07-06', '2026-07-10'))).toEqual([5, 40]);
  });
});
