import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { insertArea } from '../../../../support/records.ts';
import { newWorld, type Person } from '../../../../support/world.ts';
import { ledger, work } from '../../time_account/support.ts';
import { close, closed, reopen, twoMonths, worked } from './support.ts';

const idsOf = async (person: Person, query = ''): Promise<string[]> =>
  (await person.call('listAccountingPeriods', { query })).body.data.map(({ id }: { id: string }) => id);
const show = (person: Person, id: string, query = {}) =>
  person.call('getAccountingPeriod', { params: { accounting_period_id: id }, query });

describe('listAccountingPeriods', () => {
  it('200 by month, filtered by user, month and status', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const other = await world.addMember('employee', 'other');
    const january = await closed(world, '2026-01');
    const february = await closed(world, '2026-02');
    const { body } = await close(admin, '2026-01', { user_ids: [other.id] });
    const ofOther = body.data[0].id as string;
    expect(await idsOf(admin)).toEqual([january, ofOther, february]);
    expect(await idsOf(admin, `filter[user_id]=${employee.id}`)).toEqual([january, february]);
    expect(await idsOf(admin, 'filter[month]=eq:2026-02')).toEqual([february]);
    await reopen(admin, february);
    expect(await idsOf(admin, 'filter[status]=eq:closed')).toEqual([january, ofOther]);
    expect(await idsOf(admin, 'filter[status]=eq:reopened&sort=-id')).toEqual([february]);
  });

  it('200 shows employees their own, and area admins those of their areas', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const areaAdmin = await world.addMember('areaAdmin');
    const other = await world.addMember('employee', 'other');
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    const own = await closed(world, '2026-01');
    await close(admin, '2026-01', { user_ids: [other.id] });
    expect(await idsOf(employee)).toEqual([own]);
    expect(await idsOf(areaAdmin)).toEqual([own]);
    expect(await idsOf(admin)).toHaveLength(2);
  });

  it('400 for an invalid page, 404 for a stranger', async () => {
    const { admin, stranger } = await newWorld();
    expect((await admin.call('listAccountingPeriods', { query: 'page=x' })).status).toBe(400);
    expect((await stranger.call('listAccountingPeriods')).status).toBe(404);
  });
});

describe('getAccountingPeriod', () => {
  it('200 for the user and their admins, 403 for others, 404 for an unknown one', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const other = await world.addMember('employee', 'other');
    const id = await closed(world, '2026-01');
    expect((await show(employee, id)).status).toBe(200);
    const { body } = await show(admin, id, { permissions: '' });
    expect(body.data.attributes.permissions).toEqual({ read: true, update: false, destroy: true });
    expect((await show(employee, id, { permissions: '' })).body.data.attributes.permissions.destroy).toBe(false);
    expect((await show(other, id)).status).toBe(403);
    expect((await show(admin, '4711')).status).toBe(404);
  });
});

describe('deleteAccountingPeriod', () => {
  it('200 reopens the month and keeps the period, with who, when and why', async () => {
    const world = await twoMonths();
    const { admin, employee } = world;
    const id = await closed(world, '2026-01');
    const { status, body } = await reopen(admin, id, 'A night shift was missing.');
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      status: 'reopened',
      reopened_at: expect.stringMatching(/\+0[12]:00$/),
      reopened_by: 'admin',
      reopening_reason: 'A night shift was missing.',
    });
    expect(body.data.relationships.reopener.data).toEqual({ type: 'user', id: String(admin.id) });
    await worked(world, '2026-01-06T08:00:00+01:00', '2026-01-06T10:00:00+01:00');
    const again = await close(admin, '2026-01', { user_ids: [employee.id] });
    expect(again.body.data[0].attributes.summary.net).toBe(18.5);
    expect((await show(admin, id)).body.data.attributes.summary.net).toBe(16.5);
    expect(await idsOf(admin)).toHaveLength(2);
  });

  it('200 applies settings to the days of the month again', async () => {
    const world = await twoMonths();
    const id = await closed(world, '2026-01');
    await world.admin.call('updateWorkspace', {
      body: { data: { type: 'workspace', attributes: { holiday_region: null } } },
    });
    expect((await ledger(world, '2026-01-01'))[0]).toMatchObject({ holiday_credit: 8 });
    await reopen(world.admin, id);
    expect((await ledger(world, '2026-01-01'))[0]).toMatchObject({ holiday_credit: 0 });
  });

  it('400 for a month that is not the latest, one that is open already, and without a reason', async () => {
    const world = await newWorld();
    const { admin } = world;
    const january = await closed(world, '2026-01');
    const february = await closed(world, '2026-02');
    const early = await reopen(admin, january);
    expect([early.status, titlesIn(early)]).toEqual([
      400,
      ['Only the latest closed month of employee, 2026-02, can be reopened.'],
    ]);
    const blank = await reopen(admin, february, ' ');
    expect([blank.status, pointersIn(blank)]).toEqual([400, ['reason']]);
    const params = { accounting_period_id: february };
    const missing = await admin.call('deleteAccountingPeriod', { params });
    expect([missing.status, pointersIn(missing)]).toEqual([400, ['reason']]);
    expect((await reopen(admin, february)).status).toBe(200);
    const twice = await reopen(admin, february);
    expect([twice.status, titlesIn(twice)]).toEqual([400, ['The month 2026-02 of employee is open already.']]);
    await work(world, '2026-02-02T08:00:00+01:00', '2026-02-02T10:00:00+01:00');
  });

  it('403 for employees, 404 for an unknown period', async () => {
    const world = await newWorld();
    const id = await closed(world, '2026-01');
    expect((await reopen(world.employee, id)).status).toBe(403);
    expect((await reopen(world.admin, '4711')).status).toBe(404);
  });
});
