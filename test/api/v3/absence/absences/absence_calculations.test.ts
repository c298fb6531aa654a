import { describe, expect, it } from 'vitest';
import { request, rowsIn, setHoursOfVacationDay, twoWeeks } from '../../../../support/absences.ts';
import { pointersIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { newWorld, type Person } from '../../../../support/world.ts';

const calculate = (person: Person, query: object = {}) =>
  person.call('getAbsencesCalculation', {
    query: { starts_at: twoWeeks.starts_at, ends_at: twoWeeks.ends_at, full_day: 'true', ...query },
  });

describe('getAbsencesCalculation', () => {
  it('200 with what an absence would have, and stores nothing', async () => {
    const world = await newWorld();
    const { status, body } = await calculate(world.employee);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      type: 'absences_calculation',
      id: body.meta.request_id,
      attributes: {
        starts_at: '2026-07-05T22:00:00Z',
        ends_at: '2026-07-17T21:59:59Z',
        full_day: true,
        days: 10,
        hours: 80,
      },
      relationships: { user: { data: { type: 'user_overview', id: String(world.employee.id) } } },
    });
    expect(await rowsIn(world)).toMatchObject({ absences: 0, notes: 0 });
    const { starts_at, ends_at, full_day, days, hours } = (await request(world, world.employee)).body.data.attributes;
    expect(body.data.attributes).toEqual({ starts_at, ends_at, full_day, days, hours });
  });

  it('200 for part of a day, which is the default', async () => {
    const { employee } = await newWorld();
    const times = { starts_at: '2026-02-10T08:00:00Z', ends_at: '2026-02-10T12:00:00Z' };
    for (const query of [times, { ...times, full_day: 'false' }]) {
      const { body } = await employee.call('getAbsencesCalculation', { query });
      expect(body.data.attributes).toMatchObject({ full_day: false, days: 0.5, hours: 4 });
    }
  });

  it('200 for those whom the caller administers, 403 for others', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const chef = await world.addMember('areaAdmin');
    await insertArea(world, 'Kitchen', [chef.id, employee.id]);
    await setHoursOfVacationDay(world, 6);
    for (const person of [admin, chef])
      expect((await calculate(person, { user_id: employee.id })).body.data.attributes.hours).toBe(60);
    expect((await calculate(employee, { user_id: employee.id })).status).toBe(200);
    expect((await calculate(employee, { user_id: admin.id })).status).toBe(403);
    expect((await calculate(chef, { user_id: admin.id })).status).toBe(403);
  });

  it('400 for every bad value', async () => {
    const { admin, employee, stranger } = await newWorld();
    const bad = await calculate(employee, {
      starts_at: '2026-02-30T00:00:00Z',
      ends_at: '2026-07-06',
      full_day: 'maybe',
    });
    expect(pointersIn(bad).sort()).toEqual(['ends_at', 'full_day', 'starts_at']);
    expect(
      pointersIn(await calculate(admin, { ends_at: '2026-01-01T00:00:00Z', user_id: stranger.id })).sort(),
    ).toEqual(['ends_at', 'user_id']);
    expect(pointersIn(await calculate(admin, { user_id: 'abc' }))).toEqual(['user_id']);
    expect(pointersIn(await calculate(admin, { ends_at: '2027-07-07T00:00:00Z' }))).toEqual(['ends_at']);
  });

  it('404 for a stranger', async () => {
    expect((await calculate((await newWorld()).stranger)).status).toBe(404);
  });
});
