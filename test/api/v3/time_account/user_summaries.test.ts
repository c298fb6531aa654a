import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { fillMonthCache } from '../../../../src/days/balance/month_cache_job.ts';
import { joinWorkspace } from '../../../../src/organisation/users/memberships.ts';
import { absenceOf, at } from '../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { statementsDuring } from '../../../support/database/statements.ts';
import { insertArea, insertTimeTracking } from '../../../support/records.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../support/world.ts';

const may = { from: '2026-05-01', to: '2026-05-31' };

const summaries = (person: Person, query: object = {}) =>
  person.call('listUserSummaries', { query: { ...may, ...query } });

const namesFor = async (person: Person, query: object = {}) =>
  (await summaries(person, query)).body.data.map(({ id }: { id: string }) => Number(id));

/** Work in Berlin, confirmed or not. */
async function work(world: World, user: Person, starts_at: string, ends_at: string, own: object = {}) {
  const { body } = await world.admin.call('createTimeTracking', {
    body: bodyOf('time_tracking', {
      user_id: user.id,
      starts_at: `${starts_at}:00+02:00`,
      ends_at: `${ends_at}:00+02:00`,
      ...own,
    }),
  });
  return body.data.id as string;
}

/** A month with holidays, a break, a night shift into a Sunday, and vacation. */
async function monthOfMay() {
  const world = await newWorld();
  const { admin, employee } = world;
  await admin.call('updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BE' }) });
  const day = await work(world, employee, '2026-05-04T08:00', '2026-05-04T17:00', {
    breaks_attributes: [{ starts_at: '2026-05-04T12:00:00+02:00', ends_at: '2026-05-04T12:30:00+02:00' }],
  });
  await admin.call('confirmTimeTracking', { params: { time_tracking_id: day } });
  await work(world, employee, '2026-05-30T22:00', '2026-05-31T06:00');
  const vacation = await absenceOf(world, employee, {
    starts_at: '2026-05-11T00:00:00+02:00',
    ends_at: '2026-05-12T23:59:59+02:00',
  });
  await admin.call('confirmAbsence', at(vacation));
  return world;
}

describe('listUserSummaries', () => {
  it('200 shows what a user owed, worked and was credited, to the second', async () => {
    const { admin, employee } = await monthOfMay();
    const { status, body } = await summaries(admin, { 'filter[user_id]': String(employee.id) });
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ total_count: 1, page_items: 20 });
    const [{ attributes }] = body.data;
    expect(attributes).toEqual({
      username: 'employee',
      is_leaver: false,
      gross: 17,
      breaks: 0.5,
      net: 16.5,
      confirmed_net: 8.5,
      // 21 days from Monday to Friday.
      target: 168,
      absence_credit: 16,
      // 1 May, Ascension Day and Whit Monday.
      holiday_credit: 24,
      adjustment: 0,
      change: -111.5,
      confirmed_change: -119.5,
      // 86 days from Monday to Friday since 1 January, less New Year, Good Friday and Easter Monday.
      opening_balance: -664,
      confirmed_opening_balance: -664,
      balance: -775.5,
      confirmed_balance: -783.5,
      night_23_to_6: 7,
      night_20_to_6: 8,
      sunday: 6,
      holiday: 0,
      absences: [{ absence_type_id: expect.any(String), title: 'Urlaub', kind: 'vacation', days: 2, hours: 16 }],
    });
  });

  it('200 cuts everything to the days that are asked for', async () => {
    const { admin, employee } = await monthOfMay();
    const query = { from: '2026-05-12', to: '2026-05-29', 'filter[user_id]': String(employee.id) };
    const { attributes } = (await summaries(admin, query)).body.data[0];
    expect(attributes).toMatchObject({ net: 0, target: 112, holiday_credit: 16, absence_credit: 8, night_23_to_6: 0 });
    expect(attributes.absences).toMatchObject([{ days: 1, hours: 8 }]);
    expect(attributes.balance).toBe(attributes.opening_balance - 112 + 16 + 8);
  });

  it('200 counts work on a holiday, with a break without times in the middle', async () => {
    const world = await monthOfMay();
    await work(world, world.employee, '2026-05-14T18:00', '2026-05-15T02:00', {
      force_custom_break_duration: true,
      break_duration: 3600,
    });
    const query = { from: '2026-05-14', to: '2026-05-14', 'filter[user_id]': String(world.employee.id) };
    const { attributes } = (await summaries(world.admin, query)).body.data[0];
    // 18:00 to 21:30, and 22:30 to 2:00.
    expect(attributes).toMatchObject({ gross: 8, breaks: 1, net: 7, holiday: 5, night_20_to_6: 5, night_23_to_6: 3 });
  });

  it('200 has leavers who worked or were absent in these days, for workspace admins only', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [leaver, idle, areaAdmin] = [
      await world.addMember('employee', 'leaver'),
      await world.addMember('employee', 'idle'),
      await world.addMember('areaAdmin', 'lead'),
    ];
    await insertArea(world, 'Hall', [areaAdmin.id, employee.id, leaver.id]);
    await work(world, leaver, '2026-05-04T08:00', '2026-05-04T16:00');
    for (const { id } of [leaver, idle]) await admin.call('deleteUser', { params: { user_id: id } });
    expect(await namesFor(admin, { 'filter[username]': 'ct:leaver' })).toEqual([leaver.id]);
    expect(await namesFor(admin)).not.toContain(idle.id);
    expect(await namesFor(admin, { from: '2026-04-01', to: '2026-04-30' })).not.toContain(leaver.id);
    const { attributes } = (await summaries(admin, { 'filter[user_id]': String(leaver.id) })).body.data[0];
    expect(attributes).toMatchObject({ is_leaver: true, net: 8 });
    expect(await namesFor(areaAdmin)).toEqual([employee.id, areaAdmin.id]);
    expect(await namesFor(employee)).toEqual([employee.id]);
  });

  it('200 counts the work of a user in all workspaces, and none of other accounts', async () => {
    const world = await monthOfMay();
    const { admin, employee } = world;
    const { body: elsewhere } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Two' }) });
    const workspaceId = Number(elsewhere.data.id);
    await joinWorkspace(
      world.db,
      { accountId: world.accountId, workspaceId, userId: employee.id },
      undefined,
      new Date(),
    );
    const span = { starts_at: new Date('2026-05-05T06:00:00Z'), ends_at: new Date('2026-05-05T08:00:00Z') };
    await insertTimeTracking({ ...world, workspaceId }, employee.id, span);
    const one = { 'filter[user_id]': String(employee.id) };
    expect((await summaries(admin, one)).body.data[0].attributes.net).toBe(18.5);
    const { status, body } = await world.stranger.call('listUserSummaries', { query: may });
    expect([status, body.data]).toEqual([404, undefined]);
  });

  it('200 filters by area and user, sorts by username, and pages', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const other = await world.addMember('employee', 'zoe');
    const area = await insertArea(world, 'Hall', [other.id]);
    expect(await namesFor(admin, { 'filter[area_id]': String(area) })).toEqual([other.id]);
    expect(await namesFor(admin, { 'filter[user_id]': `${other.id},${employee.id}` })).toEqual([employee.id, other.id]);
    const all = await namesFor(admin, { sort: '-username' });
    expect(all).toEqual([other.id, employee.id, admin.id]);
    expect(await namesFor(admin, { sort: '-username', items: 1, page: 2 })).toEqual([employee.id]);
  });

  it('200 shows the same from a month that is kept, and after it has changed', async () => {
    const world = await monthOfMay();
    const { admin, db, accountId } = world;
    const shown = async () => (await summaries(admin)).body.data;
    const before = await shown();
    await fillMonthCache(db, new Date('2026-06-10T12:00:00Z'));
    expect(await shown()).toEqual(before);
    const kept = db.updateTable('month_cache').where('account_id', '=', accountId).where('month', '=', '2026-05-01');
    await kept.set({ sums: sql`jsonb_set(sums, '{nightAndHoliday, sunday}', '3600')` }).execute();
    const sundayOf = async (query: object = {}) =>
      (await summaries(admin, { 'filter[user_id]': String(world.employee.id), ...query })).body.data[0].attributes
        .sunday;
    expect(await sundayOf()).toBe(1);
    expect(await sundayOf({ to: '2026-05-30' })).toBe(6);
    await work(world, world.employee, '2026-05-20T08:00', '2026-05-20T09:00');
    const after = (await shown()).find(({ id }: { id: string }) => id === String(world.employee.id));
    expect(after.attributes).toMatchObject({ net: 17.5, balance: -774.5, sunday: 6 });
  });

  it('200 needs as many statements for many users as for one', async () => {
    const world = await monthOfMay();
    const { admin, employee } = world;
    for (const name of ['one', 'two', 'three'])
      await work(world, await world.addMember('employee', name), '2026-05-06T08:00', '2026-05-06T16:00');
    const countFor = async (query: object) => statementsDuring(() => summaries(admin, query));
    expect(await countFor({})).toBe(await countFor({ 'filter[user_id]': String(employee.id) }));
  });

  it('400 names a range that is missing, in the wrong order or too long', async () => {
    const { admin } = await newWorld();
    const missing = await admin.call('listUserSummaries');
    expect([missing.status, pointersIn(missing)]).toEqual([400, ['from', 'to']]);
    const turned = await summaries(admin, { to: '2026-04-30' });
    expect(titlesIn(turned)).toEqual(['to must not lie before from, which is 2026-05-01, but was 2026-04-30.']);
    const long = await summaries(admin, { to: '2027-05-02' });
    expect(titlesIn(long)).toEqual([
      'to must lie at most 366 days after from, both days counted, but 2026-05-01 to 2027-05-02 are 367 days.',
    ]);
    expect((await summaries(admin, { to: '2027-05-01' })).status).toBe(200);
    const wrong = await summaries(admin, { from: 'May', items: 501 });
    expect([wrong.status, pointersIn(wrong)]).toEqual([400, ['items', 'from', 'from']]);
  });
});
