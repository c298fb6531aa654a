import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../src/days/calendar/dates.ts';
import { localDay } from '../../../../src/platform/core/time.ts';
import { titlesIn } from '../../../support/client.ts';
import { insertArea } from '../../../support/records.ts';
import { newWorld, type Person, type World } from '../../../support/world.ts';
import { book, confirm, setEmployee, work } from './support.ts';

const summary = (person: Person, userId: number, query = {}) =>
  person.call('getRecordsSummary', { params: { user_id: userId }, query });

const overtimeOf = async ({ admin, employee }: World, query = {}) =>
  (await summary(admin, employee.id, query)).body.data.attributes;

describe('getRecordsSummary', () => {
  it('200 with the balance at the end of the date, in exact seconds', async () => {
    const world = await newWorld();
    await setEmployee(world, { start_of_accounting: '2026-03-30', initial_time_account: 1.5 });
    const id = await work(world, '2026-03-30T08:00:00+02:00', '2026-03-30T17:00:01+02:00');
    await work(world, '2026-03-31T08:00:00+02:00', '2026-03-31T17:00:00+02:00');
    await confirm(world, id);
    const { body } = await summary(world.admin, world.employee.id, { date: '2026-03-30' });
    expect(body.data).toEqual({
      id: String(world.employee.id),
      type: 'records_summary',
      attributes: { confirmed_total_overtime_in_sec: 9_001, total_overtime_in_sec: 9_001 },
    });
    expect(await overtimeOf(world, { date: '2026-03-31' })).toEqual({
      confirmed_total_overtime_in_sec: 9_001 - 28_800,
      total_overtime_in_sec: 9_001 + 3_600,
    });
    expect(await overtimeOf(world, { date: '2026-03-29' })).toMatchObject({ total_overtime_in_sec: 5_400 });
  });

  it('200 of yesterday in the zone of the user', async () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const world = await newWorld();
      const today = localDay(new Date(), zone);
      await setEmployee(world, { time_zone: zone, start_of_accounting: addDays(today, -3) });
      await book(world, addDays(today, -1), 1);
      await book(world, today, 2);
      expect(await overtimeOf(world)).toEqual(await overtimeOf(world, { date: addDays(today, -1) }));
      expect(await overtimeOf(world)).not.toEqual(await overtimeOf(world, { date: today }));
      expect(await overtimeOf(world)).not.toEqual(await overtimeOf(world, { date: addDays(today, -2) }));
    }
  });

  it('200 for oneself and for admins of the user, 403 for others', async () => {
    const world = await newWorld();
    const { employee } = world;
    const [areaAdmin, colleague] = [await world.addMember('areaAdmin'), await world.addMember('employee')];
    expect((await summary(areaAdmin, employee.id)).status).toBe(403);
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    expect((await summary(areaAdmin, employee.id)).status).toBe(200);
    expect((await summary(employee, employee.id)).status).toBe(200);
    expect((await summary(colleague, employee.id)).status).toBe(403);
  });

  it('400 for an invalid date, 404 for an unknown user', async () => {
    const { admin, employee } = await newWorld();
    const wrong = await summary(admin, employee.id, { date: '2026-02-30' });
    expect(wrong.status).toBe(400);
    expect(titlesIn(wrong)).toEqual(['date must be a day that exists, like 2026-01-30, but was "2026-02-30".']);
    expect((await summary(admin, 4711)).status).toBe(404);
  });
});
