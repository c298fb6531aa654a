import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { newWorld } from '../../../../support/world.ts';
import { at, check, insertWork, listed, longDay } from './support.ts';

describe('checkTimeTracking', () => {
  it('200 with the new violations, and writes nothing', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, { starts_at: at('06:00'), ends_at: at('12:00') });
    const { status, body } = await check(employee, { starts_at: at('13:00'), ends_at: at('19:00') });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ type: 'time_tracking_check' });
    expect(body.data.attributes.violations).toEqual([
      {
        rule: 'long_work',
        paragraph: '§ 3 ArbZG',
        date: '2026-01-05',
        limit: 10,
        value: 12,
        hours_elsewhere: 0,
        title: 'More than 10 hours of work',
        message: 'The working time of 2026-01-05 is 12 hours. At most 10 hours are allowed. (§ 3 ArbZG)',
      },
    ]);
    expect(await listed(admin)).toEqual([]);
    expect((await employee.call('listTimeTrackings')).body.data).toHaveLength(1);
  });

  it('200 lists what creation then finds, without existing violations', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, longDay);
    const next = { starts_at: at('05:00', '2026-01-06'), ends_at: at('11:30', '2026-01-06') };
    const expected = (await check(admin, next, { user: employee.id })).body.data.attributes.violations;
    await record(admin, next, { user: employee.id });
    const found = (await listed(admin, 'filter[date]=eq:2026-01-06')).map(({ attributes }) => attributes);
    expect(expected).toMatchObject(
      found.map(({ rule, paragraph, date, limit, value }) => ({ rule, paragraph, date, limit, value })),
    );
    expect(found.map(({ rule }) => rule)).toEqual(['short_breaks', 'long_stretch', 'short_rest']);
  });

  it('200 with the average over 24 weeks', async () => {
    const world = await newWorld();
    for (let week = 0; week < 24; week++)
      for (const day of [0, 1, 2, 3, 4]) {
        const date = new Date(Date.parse('2026-01-05') + (week * 7 + day) * 86_400_000).toISOString().slice(0, 10);
        await insertWork(world, `${date}T08:00:00Z`, `${date}T17:36:00Z`);
      }
    const saturday = { starts_at: '2026-06-20T08:00:00Z', ends_at: '2026-06-20T08:00:24Z' };
    const rules = async (attributes: object) =>
      (await check(world.employee, attributes)).body.data.attributes.violations.map(
        (one: { rule: string }) => one.rule,
      );
    expect(await rules(saturday)).toEqual(['long_average']);
    await (await service()).jobs.drain();
    expect(await rules({ starts_at: '2026-06-27T08:00:00Z', ends_at: '2026-06-27T08:00:24Z' })).toEqual([]);
  });

  it('400 and 403 as for creation, 404 for a stranger', async () => {
    const world = await newWorld();
    const refused = await check(world.employee, { ends_at: at('06:00') });
    expect(refused.status).toBe(400);
    expect(pointersIn(refused)).toEqual(['ends_at']);
    expect((await check(world.employee, {}, { user: world.admin.id })).status).toBe(403);
    expect((await check(world.stranger, {}, {}, { workspace_id: world.workspaceId })).status).toBe(404);
  });
});
