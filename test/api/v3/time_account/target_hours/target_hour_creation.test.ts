import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { newWorld } from '../../../../support/world.ts';
import { create, cycle, datesOf, monToWed, shownTo } from './support.ts';

describe('createTargetHour', () => {
  it('201 weekly with hours for each weekday', async () => {
    const { admin, employee } = await newWorld();
    const { status, body } = await create(admin, employee.id, {
      start_date: '2026-04-01',
      ...monToWed,
      wed: 3.25,
      target_limited: true,
      reset_confirmed_absences: true,
    });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      rhythm_type: 'weekly',
      is_mon: true,
      mon: 8,
      wed: 3.25,
      is_thu: false,
      thu: null,
      total_hours: 19.25,
      per_day: true,
      target_limited: true,
      reset_confirmed_absences: true,
    });
  });

  it('201 weekly with hours for the week or the month, whatever is worked when', async () => {
    const { admin, employee } = await newWorld();
    const flags = { is_mon: true, is_tue: true };
    const week = await create(admin, employee.id, { start_date: '2026-04-01', ...flags, is_week: true, week: 20 });
    expect(week.body.data.attributes).toMatchObject({ per_day: false, is_week: true, week: 20, total_hours: 20 });
    const month = await create(admin, employee.id, { start_date: '2026-05-01', ...flags, is_month: true, month: 80 });
    expect(month.body.data.attributes).toMatchObject({ per_day: false, is_month: true, month: 80, total_hours: 80 });
  });

  it('201 free, in the order of the list', async () => {
    const { admin, employee } = await newWorld();
    const { status, body } = await create(admin, employee.id, { start_date: '2026-04-01', ...cycle });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ rhythm_type: 'free', total_hours: 32 });
    expect(body.data.attributes).not.toHaveProperty('mon');
    const shown = body.data.attributes.target_working_days as { id: string; day_type: string; hours: number }[];
    expect(shown.map(({ day_type, hours }) => ({ day_type, hours }))).toEqual(cycle.target_working_days_attributes);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(6);
  });

  it('201 up to 31 days and 24 hours, 400 above', async () => {
    const { admin, employee } = await newWorld();
    const daysOf = (length: number, hours: number) => ({
      target_working_days_attributes: Array.from({ length }, () => ({ day_type: 'workday', hours })),
    });
    expect((await create(admin, employee.id, { start_date: '2026-04-01', ...daysOf(31, 24) })).status).toBe(201);
    const long = await create(admin, employee.id, { start_date: '2026-05-01', ...daysOf(32, 8) });
    expect(titlesIn(long)).toEqual(['target_working_days_attributes must have at most 31 items, but had 32.']);
    const wide = await create(admin, employee.id, { start_date: '2026-05-01', ...daysOf(1, 24.5) });
    expect(pointersIn(wide)).toEqual(['target_working_days_attributes/0/hours']);
    expect(titlesIn(wide)).toEqual(['hours must be at most 24, but was 24.5.']);
  });

  it.each([
    ['no weekday', {}, ['is_mon to is_sun must be true for at least one weekday, but were all false.']],
    ['missing hours', { is_mon: true, is_tue: true, tue: 8 }, ['mon is required.']],
    ['negative hours', { is_mon: true, mon: -1 }, ['mon must be at least 0, but was -1.']],
    ['more than 24 hours', { is_mon: true, mon: 25, is_tue: true, tue: 24.01 }, ['mon must be at most 24, but was 25.', 'tue must be at most 24, but was 24.01.']],
    ['a week without hours', { is_mon: true, is_week: true }, ['week is required.']],
    ['a month without hours', { is_mon: true, is_month: true }, ['month is required.']],
    ['both week and month', { is_mon: true, is_week: true, week: 8, is_month: true }, ['is_month must be false where is_week is true, but was true.']],
    ['a week that its days cannot hold', { is_mon: true, is_week: true, week: 40 }, ['week must be at most 24, because a day has 24 hours and 1 weekdays are worked, but was 40.']],
    ['a month that its days cannot hold', { is_mon: true, is_month: true, month: 97 }, ['month must be at most 96, because a day has 24 hours and 1 weekdays are worked, but was 97.']],
    ['a free rhythm without days', { rhythm_type: 'free' }, ['target_working_days_attributes is required.']],
    ['a workday without hours', { target_working_days_attributes: [{}] }, ['target_working_days_attributes/0/hours is required.']],
    ['days in a weekly rhythm', { rhythm_type: 'weekly', ...monToWed, ...cycle }, ['target_working_days_attributes must be left out where rhythm_type is "weekly", but had 6 days.']],
  ])('400 for %s', async (_what, attributes, titles) => {
    const { admin, employee } = await newWorld();
    const response = await create(admin, employee.id, { start_date: '2026-04-01', ...attributes });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(titles);
    expect(await shownTo(admin, employee.id)).toHaveLength(1);
  }); // prettier-ignore

  it('400 for a start that is missing or taken, with every other problem', async () => {
    const { admin, employee } = await newWorld();
    expect(pointersIn(await create(admin, employee.id, monToWed))).toEqual(['start_date']);
    await create(admin, employee.id, { start_date: '2026-02-01', ...monToWed });
    const repeated = await create(admin, employee.id, {
      start_date: '2026-02-01',
      is_mon: true,
      is_week: true,
      is_month: true,
    });
    expect(repeated.status).toBe(400);
    expect(titlesIn(repeated)).toEqual([
      'start_date 2026-02-01 has to be unique. Another target hour of the user begins on that day.',
      'is_month must be false where is_week is true, but was true.',
      'week is required.',
    ]);
  });

  it('201 once and 400 otherwise where two begin on one day at the same moment', async () => {
    const world = await newWorld();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        create(world.admin, world.employee.id, { start_date: '2026-04-01', ...monToWed }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(await datesOf(world)).toHaveLength(2);
  });

  it('403 for an area admin, 404 for an unknown user', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    expect((await create(areaAdmin, world.employee.id, { start_date: '2026-04-01', ...monToWed })).status).toBe(403);
    expect((await create(world.admin, 4711, { start_date: '2026-04-01', ...monToWed })).status).toBe(404);
  });
});
