import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { closed } from '../../payroll/accounting_periods/support.ts';
import { setEmployee } from '../support.ts';
import { create, datesOf, list, monToWed, shownTo, update } from './support.ts';

const targetsOf = async ({ admin, employee }: World, from: string, to = from): Promise<number[]> => {
  const { body } = await admin.call('getUserDays', { params: { user_id: employee.id }, query: { from, to } });
  return body.data.map(({ attributes }: { attributes: { target: number } }) => attributes.target);
};

describe('the first target hour of a user, which nobody has changed', () => {
  it('moves with the start of accounting, also of users whom the public API creates', async () => {
    const world = await newWorld();
    const { body: made } = await world.enterprise('createPublicUser', {
      body: { user: { username: 'Robin', location_ids: world.workspaceId } },
    });
    const params = { user_id: made.id };
    for (const start_of_accounting of ['2025-03-03', '2025-06-02']) {
      await world.admin.call('updateUser', { params, body: bodyOf('user', { start_of_accounting }) });
      const shown = await shownTo(world.admin, made.id);
      expect(shown.map(({ attributes }) => attributes['start_date'])).toEqual([start_of_accounting]);
      const { body } = await world.enterprise('listPublicTargetHours', { query: params });
      expect(body.target_hours).toEqual([expect.objectContaining({ start_date: start_of_accounting })]);
      const days = await world.admin.call('getUserDays', { params, query: { from: '2025-06-02', to: '2025-06-02' } });
      expect(days.body.data[0].attributes).toMatchObject({ target: 8 });
    }
    const query = { 'filter[name]': 'eq:target_hour.updated', sort: '-id' };
    const { body: events } = await world.admin.call('listEvents', { query });
    expect(events.data[0].attributes.changes).toEqual({ start_date: ['2025-03-03', '2025-06-02'] });
  });

  it('moves too where others begin later', async () => {
    const world = await newWorld();
    await create(world.admin, world.employee.id, { start_date: '2026-07-01', ...monToWed });
    await setEmployee(world, { start_of_accounting: '2025-12-01' });
    expect(await datesOf(world)).toEqual([
      ['2025-12-01', '2026-06-30'],
      ['2026-07-01', null],
    ]);
    expect(await targetsOf(world, '2025-12-01')).toEqual([8]);
  });

  it('stays where another begins before it, or would', async () => {
    const world = await newWorld();
    await create(world.admin, world.employee.id, { start_date: '2026-07-01', ...monToWed });
    await setEmployee(world, { start_of_accounting: '2026-08-03' });
    expect((await datesOf(world)).map(([start]) => start)).toEqual(['2026-01-01', '2026-07-01']);
    // A Thursday and a Monday.
    expect(await targetsOf(world, '2026-08-06', '2026-08-10')).toEqual([0, 0, 0, 0, 8]);
    await create(world.admin, world.employee.id, { start_date: '2025-11-03', ...monToWed });
    await setEmployee(world, { start_of_accounting: '2025-12-01' });
    expect((await datesOf(world)).map(([start]) => start)).toEqual(['2025-11-03', '2026-01-01', '2026-07-01']);
  });

  it('gives way to one that begins on the same day', async () => {
    const world = await newWorld();
    await setEmployee(world, { start_of_accounting: '2025-12-01' });
    const { status } = await create(world.admin, world.employee.id, { start_date: '2025-12-01', ...monToWed });
    expect(status).toBe(201);
    expect(await datesOf(world)).toEqual([['2025-12-01', null]]);
    expect((await create(world.admin, world.employee.id, { start_date: '2025-12-01', ...monToWed })).status).toBe(400);
  });

  it('stays once somebody has changed it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [first] = (await list(admin, employee.id)).body.data;
    await update(admin, employee.id, first.id, { fri: 6 });
    await setEmployee(world, { start_of_accounting: '2025-12-01' });
    expect(await datesOf(world)).toEqual([['2026-01-01', null]]);
  });

  it('stays with the start of accounting where a month is closed', async () => {
    const world = await newWorld();
    await closed(world, '2026-01');
    const { status } = await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { start_of_accounting: '2025-12-01' }),
    });
    expect(status).toBe(400);
    expect(await datesOf(world)).toEqual([['2026-01-01', null]]);
  });
});
