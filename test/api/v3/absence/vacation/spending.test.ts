import { describe, expect, it } from 'vitest';
import { at } from '../../../../support/absences.ts';
import type { RequestOptions } from '../../../../support/client.ts';
import { serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';
import { absent, accountOf, entitle, lastYear, summaryOf } from './support.ts';

/** Two weeks with ten working days. */
const twoWeeks = ['2026-06-08', '2026-06-19'] as const;

/** A server with a fixed clock. */
const serverAt = (moment: string) => serviceWith({}, { clock: () => new Date(moment) });

const remainingOfUser = async (person: Person, server: string, workspace_id?: string): Promise<number> => {
  const params: RequestOptions['params'] = workspace_id === undefined ? {} : { workspace_id };
  const { body } = await person.call('getCurrentWorkspaceUser', { at: server, params });
  return body.data.attributes.remaining_vacation_days_this_year;
};

describe('getVacationSummary', () => {
  it('200 counts ten days with three sick days inside as seven', async () => {
    const world = await newWorld();
    const { employee } = world;
    await entitle(world, employee);
    await absent(world, employee, twoWeeks);
    const sickness = await absent(world, employee, ['2026-06-09', '2026-06-11'], {
      kind: 'sickness',
      isConfirmed: false,
    });
    const year = { planned_vacation_days_this_year: 28 };
    const afterwards = (days: number) => ({ ...year, taken_days: days, remaining_vacation_days_this_year: 28 - days });
    expect(await summaryOf(employee, employee, '2026-06-30')).toEqual(afterwards(10));
    await world.admin.call('confirmAbsence', at(sickness));
    expect(await summaryOf(employee, employee, '2026-06-30')).toEqual(afterwards(7));
    expect(await accountOf(employee, employee)).toEqual([['Vacation 2026', 7, 0, 21]]);
  });

  it('200 charges February to last year, and lets the rest lapse after 31 March', async () => {
    const world = await newWorld();
    const { employee } = world;
    await entitle(world, employee, lastYear);
    await entitle(world, employee);
    const year = { planned_vacation_days_this_year: 28, transferred_days: 10 };
    expect(await summaryOf(employee, employee, '2026-01-31')).toEqual({
      ...year,
      remaining_vacation_days_this_year: 38,
    });
    await absent(world, employee, ['2026-02-09', '2026-02-13']);
    const spent = { ...year, taken_days: 5 };
    expect(await summaryOf(employee, employee, '2026-03-31')).toEqual({
      ...spent,
      remaining_vacation_days_this_year: 33,
    });
    expect(await summaryOf(employee, employee, '2026-04-01')).toEqual({
      ...spent,
      remaining_vacation_days_this_year: 28,
      lapsed_days: 5,
    });
    const before = { at: await serverAt('2026-03-31T12:00:00Z') };
    expect(await accountOf(employee, employee, before)).toEqual([
      ['Vacation 2025', 5, 0, 5],
      ['Vacation 2026', 0, 10, 28],
    ]);
    const after = { at: await serverAt('2026-04-01T12:00:00Z') };
    expect(await accountOf(employee, employee, after)).toEqual([
      ['Vacation 2025', 5, 0, 0],
      ['Vacation 2026', 0, 10, 28],
    ]);
    expect(await remainingOfUser(employee, before.at)).toBe(33);
    expect(await remainingOfUser(employee, after.at)).toBe(28);
    // Vacation after the end of the transfer does not reach back.
    await absent(world, employee, ['2026-04-13', '2026-04-17']);
    expect(await accountOf(employee, employee, after)).toEqual([
      ['Vacation 2025', 5, 0, 0],
      ['Vacation 2026', 5, 10, 23],
    ]);
  });

  it('200 never spends more than an entitlement has: the rest is uncovered, or comes from the next one', async () => {
    const world = await newWorld();
    const { employee } = world;
    const window = {
      title: 'Spring',
      starts_at: '2026-03-01',
      ends_at: '2026-06-30',
      planned_days: 4.5,
      expires: true,
    };
    await entitle(world, employee, window);
    await absent(world, employee, ['2026-05-04', '2026-05-12']);
    expect(await accountOf(employee, employee)).toEqual([['Spring', 4.5, 0, 0]]);
    expect(await summaryOf(employee, employee, '2026-05-31')).toEqual({
      planned_vacation_days_this_year: 4.5,
      taken_days: 7,
      uncovered_days: 2.5,
    });
    const next = await entitle(world, employee, { title: 'Year', planned_days: 20 });
    expect(await accountOf(employee, employee)).toEqual([
      ['Year', 2.5, 0, 17.5],
      ['Spring', 4.5, 0, 0],
    ]);
    await world.admin.call('deleteUserVacationEntitlement', {
      params: { user_id: employee.id, vacation_entitlement_id: next },
    });
    expect(await summaryOf(employee, employee, '2026-05-31')).toMatchObject({ uncovered_days: 2.5 });
  });

  it('200 tells requested days from booked and taken ones, and shows halves', async () => {
    const world = await newWorld();
    const { employee } = world;
    await entitle(world, employee, { planned_days: 30 });
    await absent(world, employee, ['2026-02-02', '2026-02-03'], { half_end: true });
    await absent(world, employee, ['2026-09-07', '2026-09-11']);
    const wish = await absent(world, employee, ['2026-10-05', '2026-10-07'], { isConfirmed: false });
    const expected = {
      ...{ planned_vacation_days_this_year: 30, remaining_vacation_days_this_year: 23.5 },
      ...{ taken_days: 1.5, booked_days: 5, requested_days: 3 },
    };
    expect(await summaryOf(employee, employee, '2026-06-30')).toEqual(expected);
    await world.admin.call('resetAbsence', at(wish));
    expect(await summaryOf(employee, employee, '2026-06-30')).toMatchObject({ taken_days: 1.5, booked_days: 5 });
    expect((await summaryOf(employee, employee, '2026-06-30'))['requested_days']).toBeUndefined();
    expect(await remainingOfUser(employee, await serverAt('2026-06-30T12:00:00Z'))).toBe(23);
  });

  it('200 takes today of the zone of the user, otherwise of their workspace with the lowest id', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await entitle(world, employee, lastYear);
    await entitle(world, admin, lastYear);
    // In Berlin it is still 31 March, in Kiritimati already 1 April.
    const server = await serverAt('2026-03-31T12:00:00Z');
    const user = { params: { user_id: employee.id } };
    const dateOf = async () =>
      (await admin.call('getVacationSummary', { ...user, at: server })).body.data.attributes.date;
    expect([await dateOf(), await remainingOfUser(employee, server)]).toEqual(['2026-03-31', 10]);
    await admin.call('updateUser', { ...user, body: bodyOf('user', { time_zone: 'Kiritimati' }) });
    expect([await dateOf(), await remainingOfUser(employee, server)]).toEqual(['2026-04-01', 0]);
    const elsewhere = bodyOf('workspace', { name: 'Elsewhere', time_zone: 'Kiritimati' });
    const { id } = (await admin.call('createWorkspace', { body: elsewhere })).body.data;
    expect(await remainingOfUser(admin, server, id)).toBe(10);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: 'Kiritimati' }) });
    expect(await remainingOfUser(admin, server, id)).toBe(0);
  });

  it('400 for a day that does not exist', async () => {
    const { employee } = await newWorld();
    const response = await employee.call('getVacationSummary', {
      params: { user_id: employee.id },
      query: { date: '2026-02-30' },
    });
    expect(response.status).toBe(400);
  });
});
