import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { newWorld } from '../../../../support/world.ts';
import { create, cycle, datesOf, days, monToWed, shownTo, update, type Shown } from './support.ts';

describe('updateTargetHour', () => {
  it('200 changes what is sent, and moves the end of the one before', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', ...monToWed })).body.data;
    const { status, body } = await update(admin, employee.id, id, {
      start_date: '2026-05-01',
      tue: 4,
      target_limited: true,
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ mon: 8, tue: 4, wed: 8, total_hours: 20, target_limited: true });
    expect(await datesOf(world)).toEqual([
      ['2026-01-01', '2026-04-30'],
      ['2026-05-01', null],
    ]);
    const cleared = await update(admin, employee.id, id, { is_tue: false, tue: null });
    expect(cleared.body.data.attributes).toMatchObject({ is_tue: false, tue: null, total_hours: 16 });
  });

  it('200 spreads the hours of the week in place of those of the weekdays, and back', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    const week = (await update(admin, employee.id, id, { is_week: true, week: 35 })).body.data.attributes;
    expect(week).toMatchObject({ per_day: false, is_mon: true, mon: null, week: 35, total_hours: 35 });
    const back = await update(admin, employee.id, id, { per_day: true, is_week: false });
    expect(titlesIn(back)).toEqual(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => `${day} is required.`));
    const hours = Object.fromEntries(days.slice(0, 5).map((day) => [day, 7]));
    const daily = await update(admin, employee.id, id, { per_day: true, is_week: false, week: null, ...hours });
    expect(daily.body.data.attributes).toMatchObject({ per_day: true, week: null, total_hours: 35 });
  });

  it('200 replaces the cycle, in which named days keep their ids', async () => {
    const { admin, employee } = await newWorld();
    const { data } = (await create(admin, employee.id, { start_date: '2026-04-01', ...cycle })).body;
    const ids = data.attributes.target_working_days.map(({ id }: Shown) => id) as string[];
    const changes = [
      { id: ids[4] },
      { id: ids[0], hours: 6 },
      { day_type: 'workday', hours: 5 },
      { id: ids[1], _destroy: true },
    ];
    const { body } = await update(admin, employee.id, data.id, { target_working_days_attributes: changes });
    const shown = body.data.attributes.target_working_days as { id: string; day_type: string; hours: number }[];
    expect(shown.map(({ day_type, hours }) => [day_type, hours])).toEqual([['freeday', 0], ['workday', 6], ['workday', 5]]); // prettier-ignore
    expect(shown.slice(0, 2).map(({ id }) => id)).toEqual([ids[4], ids[0]]);
    expect(ids).not.toContain(shown[2]!.id);
    const kept = await update(admin, employee.id, data.id, { target_limited: true });
    expect(kept.body.data.attributes.target_working_days).toEqual(shown);
  });

  it('200 turns weekly into free and back, and forgets the other rhythm', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    const free = await update(admin, employee.id, id, cycle);
    expect(free.body.data.attributes).toMatchObject({ rhythm_type: 'free', total_hours: 32 });
    const blank = await update(admin, employee.id, id, { rhythm_type: 'weekly' });
    expect(pointersIn(blank)).toEqual(['is_mon']);
    const weekly = await update(admin, employee.id, id, { rhythm_type: 'weekly', ...monToWed });
    expect(weekly.body.data.attributes).toMatchObject({ rhythm_type: 'weekly', is_thu: false, total_hours: 24 });
    expect(pointersIn(await update(admin, employee.id, id, { rhythm_type: 'free' }))).toEqual([
      'target_working_days_attributes',
    ]);
  });

  it('400 for days that are not of this cycle, named twice, or all gone', async () => {
    const { admin, employee } = await newWorld();
    const { data } = (await create(admin, employee.id, { start_date: '2026-04-01', ...cycle })).body;
    const own = data.attributes.target_working_days[0].id as string;
    const titlesOf = async (changes: object[]) =>
      titlesIn(await update(admin, employee.id, data.id, { target_working_days_attributes: changes }));
    const at = 'target_working_days_attributes';
    expect(await titlesOf([{ id: '4711', hours: 8 }, { id: own }, { id: own }])).toEqual([
      `${at}/0/id names "4711", which is no day of this cycle.`,
      `${at}/2/id names the day ${own} a second time.`,
    ]);
    expect(await titlesOf([{ id: own, _destroy: true }])).toEqual([
      `${at} must have at least 1 day, but none is left.`,
    ]);
    expect(await titlesOf([])).toEqual([`${at} must have at least 1 day, but none is left.`]);
    const [shown] = (await shownTo(admin, employee.id)).filter(({ id }) => id === data.id);
    expect(shown!.attributes['target_working_days']).toEqual(data.attributes.target_working_days);
  });

  it('400 for the start of another one', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', ...monToWed })).body.data;
    expect((await update(admin, employee.id, id, { start_date: '2026-04-01' })).status).toBe(200);
    const response = await update(admin, employee.id, id, { start_date: '2026-01-01' });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['start_date']);
  });

  it('403 for an employee, 404 for an unknown one', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    expect((await update(employee, employee.id, id, monToWed)).status).toBe(403);
    expect((await update(admin, employee.id, '4711', monToWed)).status).toBe(404);
  });
});
