import { describe, expect, it } from 'vitest';
import { joinWorkspace } from '../../../../src/organisation/users/memberships.ts';
import { planTuesday } from '../../shared/planning/support.ts';
import { absenceOf } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { statementsDuring } from '../../../support/database/statements.ts';
import { insertArea, insertTimeTracking } from '../../../support/records.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';
import { absent, asked, book, confirm, daysOf, ledger, setEmployee, setTarget, work } from './support.ts';

/** The accounting of the employee starts on this day, by default on Monday, 30 March 2026. */
async function worldFrom(start_of_accounting = '2026-03-30', own: object = {}): Promise<World> {
  const world = await newWorld();
  await setEmployee(world, { start_of_accounting, ...own });
  return world;
}

const ownHoliday = (world: World, date: string, factor: number) =>
  asked(world, 'createPublicHoliday', { body: bodyOf('public_holiday', { date, title: 'Founding Day', factor }) });

/** Writes a date into the data profile of the employee, as the public API does. */
const leaveOn = (world: World, end_of_contract: string) =>
  world.enterprise('updatePublicUser', {
    body: { user: { id: world.employee.id, data_profiles: { end_of_contract } } },
  });

describe('getUserDays', () => {
  it('200 shows what was owed, worked and credited, to the second', async () => {
    const world = await worldFrom('2026-03-30', { initial_time_account: 12.5 });
    const id = await work(world, '2026-03-31T08:00:00+02:00', '2026-03-31T17:08:06+02:00', {
      breaks_attributes: [{ starts_at: '2026-03-31T12:00:00+02:00', ends_at: '2026-03-31T12:30:00+02:00' }],
    });
    await confirm(world, id);
    const [monday, tuesday] = await ledger(world, '2026-03-30', '2026-03-31');
    expect(monday).toMatchObject({ target: 8, worked: 0, change: -8, balance: 4.5, is_confirmed: true });
    // 9:08:06 hours less half an hour are 31,086 seconds.
    expect(tuesday).toEqual({
      date: '2026-03-31',
      target: 8,
      plan: 0,
      worked: 8.64,
      confirmed_worked: 8.64,
      breaks: 0.5,
      absence_credit: 0,
      holiday_credit: 0,
      adjustment: 0,
      change: 0.64,
      confirmed_change: 0.64,
      balance: 5.14,
      confirmed_balance: 5.14,
      is_confirmed: true,
      holiday: null,
      absences: [],
      time_trackings: [id],
      seconds: {
        target: 28_800,
        plan: 0,
        worked: 31_086,
        confirmed_worked: 31_086,
        breaks: 1_800,
        absence_credit: 0,
        holiday_credit: 0,
        adjustment: 0,
        change: 2_286,
        confirmed_change: 2_286,
        balance: 18_486,
        confirmed_balance: 18_486,
      },
    });
  });

  it('200 plans the published shifts that begin on the local day, without a change of the balance', async () => {
    const world = await worldFrom();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    await planTuesday(world, Number(body.data.id));
    const days = await ledger(world, '2026-03-30', '2026-04-02');
    expect(days).toMatchObject([
      { plan: 4, change: -8 },
      { plan: 10.5, change: -8, seconds: { plan: 37_800 } },
      { plan: 3, change: -8 },
      { plan: 0, change: -8 },
    ]);
  });

  it('200 counts a night shift from 31 March to 1 April in March', async () => {
    const world = await worldFrom('2026-03-31');
    await work(world, '2026-03-31T22:00:00+02:00', '2026-04-01T06:00:00+02:00');
    expect(await ledger(world, '2026-03-31', '2026-04-01')).toMatchObject([
      { date: '2026-03-31', worked: 8, balance: 0 },
      { date: '2026-04-01', worked: 0, balance: -8, time_trackings: [] },
    ]);
  });

  it('200 has a figure of all work and one of confirmed work, and nothing of running work', async () => {
    const world = await worldFrom();
    const [early, late] = [
      await work(world, '2026-03-30T08:00:00+02:00', '2026-03-30T12:00:00+02:00'),
      await work(world, '2026-03-30T13:00:00+02:00', '2026-03-30T18:00:00+02:00'),
    ];
    await confirm(world, early);
    await insertTimeTracking(world, world.employee.id, { starts_at: new Date('2026-03-31T06:00:00Z'), ends_at: null });
    expect(await ledger(world, '2026-03-30', '2026-03-31')).toMatchObject([
      {
        worked: 9,
        confirmed_worked: 4,
        change: 1,
        confirmed_change: -4,
        balance: 1,
        confirmed_balance: -4,
        is_confirmed: false,
        time_trackings: [early, late],
      },
      { worked: 0, balance: -7, confirmed_balance: -12, is_confirmed: true, time_trackings: [] },
    ]);
  });

  it('200 credits no work beyond a limited target', async () => {
    const world = await worldFrom();
    const week = { is_mon: true, mon: 8, is_tue: true, tue: 8 };
    await setTarget(world, { start_date: '2026-03-30', target_limited: true, ...week });
    await work(world, '2026-03-30T08:00:00+02:00', '2026-03-30T18:00:00+02:00');
    await work(world, '2026-03-31T08:00:00+02:00', '2026-03-31T14:00:00+02:00');
    // On Wednesday nothing is owed, so nothing is credited.
    await work(world, '2026-04-01T08:00:00+02:00', '2026-04-01T14:00:00+02:00');
    expect(await ledger(world, '2026-03-30', '2026-04-01')).toMatchObject([
      { worked: 10, change: 0, balance: 0 },
      { worked: 6, change: -2, balance: -2 },
      { target: 0, worked: 6, change: 0, balance: -2 },
    ]);
  });

  it('200 credits sickness, vacation and special leave, and nothing before they are confirmed', async () => {
    const world = await worldFrom();
    const sickness = await absent(world, 'sickness', '2026-03-30');
    const vacation = await absent(world, 'vacation', '2026-03-31', '2026-03-31', { half_start: true });
    await absent(world, 'special', '2026-04-01');
    const times = { starts_at: '2026-04-02T00:00:00+02:00', ends_at: '2026-04-02T23:59:59+02:00', full_day: true };
    await absenceOf(world, world.employee, times);
    expect(await ledger(world, '2026-03-30', '2026-04-02')).toMatchObject([
      { absence_credit: 8, change: 0, absences: [sickness] },
      { absence_credit: 4, change: -4, absences: [vacation] },
      { absence_credit: 8, change: 0 },
      { absence_credit: 0, change: -8, absences: [] },
    ]);
  });

  it('200 lowers the target by unpaid leave, and uses up the balance by time off in lieu', async () => {
    const world = await worldFrom('2026-03-30', { initial_time_account: 20 });
    await absent(world, 'unpaid', '2026-03-30');
    const timeOff = await absent(world, 'overtime', '2026-03-31');
    expect(await ledger(world, '2026-03-30', '2026-03-31')).toMatchObject([
      { target: 0, absence_credit: 0, change: 0, balance: 20 },
      { target: 8, absence_credit: 0, change: -8, balance: 12, absences: [timeOff] },
    ]);
  });

  it('200 credits a holiday by its factor, and vacation beside half a holiday the rest', async () => {
    const world = await worldFrom('2026-03-30');
    await ownHoliday(world, '2026-03-30', 1);
    await ownHoliday(world, '2026-03-31', 0.5);
    await ownHoliday(world, '2026-04-01', 0.5);
    // On Saturday nothing is owed.
    await ownHoliday(world, '2026-04-04', 1);
    await absent(world, 'vacation', '2026-03-31');
    const days = await ledger(world, '2026-03-30', '2026-04-04');
    expect([days[0], days[1], days[2], days[5]]).toMatchObject([
      { holiday: 'Founding Day', holiday_credit: 8, change: 0 },
      { holiday: 'Founding Day', holiday_credit: 4, absence_credit: 4, change: 0 },
      { holiday: 'Founding Day', holiday_credit: 4, absence_credit: 0, change: -4 },
      { holiday: 'Founding Day', target: 0, holiday_credit: 0, change: 0 },
    ]);
  });

  it('200 adds the entries of a day', async () => {
    const world = await worldFrom();
    await book(world, '2026-03-30', 10.25);
    await book(world, '2026-03-30', -2, 'payout');
    expect(await ledger(world, '2026-03-30', '2026-03-31')).toMatchObject([
      { adjustment: 8.25, change: 0.25, confirmed_change: 0.25, balance: 0.25 },
      { adjustment: 0, balance: -7.75 },
    ]);
  });

  it('200 owes nothing before the start of accounting and after the end of the contract', async () => {
    const world = await worldFrom('2026-04-01', { initial_time_account: -3 });
    expect((await leaveOn(world, '2026-04-02')).status).toBe(200);
    await work(world, '2026-03-31T08:00:00+02:00', '2026-03-31T10:00:00+02:00');
    await book(world, '2026-03-31', 5);
    expect(await ledger(world, '2026-03-31', '2026-04-03')).toMatchObject([
      { target: 0, worked: 2, adjustment: 5, change: 0, balance: -3 },
      { target: 8, balance: -11 },
      { target: 8, balance: -19 },
      { target: 0, change: 0, balance: -19 },
    ]);
  });

  it('200 counts the work in all workspaces, and nothing of other users and accounts', async () => {
    const world = await worldFrom();
    const { db, accountId, employee, admin } = world;
    const { data } = await asked(world, 'createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const elsewhere = { ...world, workspaceId: Number(data.id) };
    await joinWorkspace(
      db,
      { accountId, workspaceId: elsewhere.workspaceId, userId: employee.id },
      undefined,
      new Date(),
    );
    const morning = { starts_at: new Date('2026-03-30T06:00:00Z'), ends_at: new Date('2026-03-30T10:00:00Z') };
    const evening = { starts_at: new Date('2026-03-30T15:00:00Z'), ends_at: new Date('2026-03-30T18:00:00Z') };
    const ids = [
      await insertTimeTracking(world, employee.id, morning),
      await insertTimeTracking(elsewhere, employee.id, evening),
    ];
    await insertTimeTracking(world, admin.id, morning);
    const other = await worldFrom();
    await insertTimeTracking(other, other.employee.id, morning);
    await book(other, '2026-03-30', 7);
    await ownHoliday(other, '2026-03-30', 1);
    const shown = { worked: 7, adjustment: 0, holiday: null, time_trackings: ids.map(String) };
    expect(await ledger(world, '2026-03-30')).toMatchObject([shown]);
    const there = await admin.call('getUserDays', {
      params: { workspace_id: elsewhere.workspaceId, user_id: employee.id },
      query: { from: '2026-03-30', to: '2026-03-30' },
    });
    expect(there.body.data[0].attributes).toMatchObject(shown);
    expect((await daysOf(other.admin, employee.id, '2026-03-30')).status).toBe(404);
  });

  it('200 begins a day at the first of two midnights', async () => {
    // On 25 October 2026 the clocks of the Azores go from 1:00 back to 0:00: midnight is at 0:00 and at 1:00 UTC.
    const world = await worldFrom('2026-10-24', { time_zone: 'Atlantic/Azores' });
    const before = await work(world, '2026-10-24T23:59:59Z', '2026-10-25T00:30:00Z');
    const first = await work(world, '2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z');
    const second = await work(world, '2026-10-25T01:30:00Z', '2026-10-25T02:00:00Z');
    expect(await ledger(world, '2026-10-24', '2026-10-26')).toMatchObject([
      { worked: 0.5, time_trackings: [before] },
      { worked: 0.75, time_trackings: [first, second] },
      { worked: 0, target: 8 },
    ]);
  });

  it('200 has a whole leap year in one answer, in as many statements as a day', async () => {
    const world = await worldFrom();
    await work(world, '2026-03-31T22:00:00+02:00', '2026-04-01T06:00:00+02:00');
    const countOf = (to: string) => statementsDuring(() => daysOf(world.admin, world.employee.id, '2028-01-01', to));
    expect(await countOf('2028-01-01')).toBe(await countOf('2028-12-31'));
    expect(await ledger(world, '2028-01-01', '2028-12-31')).toHaveLength(366);
  });

  it('200 for oneself and for admins of the user, 403 for others', async () => {
    const world = await newWorld();
    const { employee } = world;
    const [areaAdmin, colleague] = [await world.addMember('areaAdmin'), await world.addMember('employee')];
    const statusFor = async (person: typeof employee) => (await daysOf(person, employee.id, '2026-05-04')).status;
    expect(await statusFor(areaAdmin)).toBe(403);
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    expect(await statusFor(areaAdmin)).toBe(200);
    expect(await statusFor(employee)).toBe(200);
    expect(await statusFor(colleague)).toBe(403);
    expect(await statusFor(world.stranger)).toBe(404);
    expect((await daysOf(world.admin, 4711, '2026-05-04')).status).toBe(404);
  });

  it('200 with the attributes that are asked for', async () => {
    const { employee } = await newWorld();
    const query = { from: '2026-05-04', to: '2026-05-04', fields: 'date,target' };
    const { body } = await employee.call('getUserDays', { params: { user_id: employee.id }, query });
    expect(body.data).toMatchObject([{ id: '2026-05-04', attributes: { date: '2026-05-04', target: 8 } }]);
    expect(Object.keys(body.data[0].attributes)).toEqual(['date', 'target']);
  });

  it('400 names a range that is missing, in the wrong order, too long or out of this world', async () => {
    const { admin, employee } = await newWorld();
    const missing = await admin.call('getUserDays', { params: { user_id: employee.id } });
    expect([missing.status, pointersIn(missing)]).toEqual([400, ['from', 'to']]);
    const turned = await daysOf(admin, employee.id, '2026-05-02', '2026-05-01');
    expect(titlesIn(turned)).toEqual(['to must not lie before from, which is 2026-05-02, but was 2026-05-01.']);
    const long = await daysOf(admin, employee.id, '2026-01-01', '2027-01-02');
    expect([long.status, pointersIn(long)]).toEqual([400, ['to']]);
    const far = await daysOf(admin, employee.id, '0001-01-01', '9999-12-31');
    expect(titlesIn(far)).toEqual([
      'from must be a day from 1900 to 2099, but was "0001-01-01".',
      'to must be a day from 1900 to 2099, but was "9999-12-31".',
    ]);
  });
});
