import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { absenceOf } from '../../../../support/absences.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { record } from '../../../../support/time_trackings.ts';
import { asked, book, setEmployee, setTarget } from '../../time_account/support.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { ask, csvRows, fileOf } from './support.ts';

const march = { from: '2026-03-01', to: '2026-03-31' };

describe('createTimeTrackingExport of timesheets', () => {
  it('201 with a row for each day: start, end, breaks, net, target, absence, balance, and who confirmed', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const user = employee.id;
    const pause = { starts_at: '2026-03-02T11:00:00Z', ends_at: '2026-03-02T11:30:00Z' };
    const morning = { starts_at: '2026-03-02T07:00:00Z', ends_at: '2026-03-02T12:00:00Z', breaks_attributes: [pause] };
    const { id } = await record(admin, morning, { user });
    await record(admin, { starts_at: '2026-03-02T13:00:00Z', ends_at: '2026-03-02T17:00:00Z' }, { user });
    await admin.call('confirmTimeTracking', { params: { time_tracking_id: id } });
    const leave = await absenceOf(world, employee, { starts_at: '2026-03-03T08:00:00+01:00', ends_at: '2026-03-03T16:00:00+01:00' }); // prettier-ignore
    await admin.call('confirmAbsence', { params: { absence_id: leave } });
    const rows = await csvRows(admin, { export_type: 'timesheet', ...march, user_ids: [user] });
    expect(rows).toHaveLength(31);
    expect(rows[1]).toMatchObject({
      User: 'employee',
      Date: '2026-03-02',
      Start: '08:00, 14:00',
      End: '13:00, 18:00',
      'Breaks (h)': '0.5',
      'Net (h)': '8.5',
      'Target (h)': '8',
      'Confirmed by': 'admin',
    });
    expect(rows[2]).toMatchObject({ Start: '', 'Net (h)': '0', 'Credit (h)': '8' });
    expect(rows[2]!['Absence']).not.toBe('');
  });

  it('201 names who confirmed, not who changed the work later or created it', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const boss = await world.addMember('workspaceAdmin', 'boss');
    const user = employee.id;
    const [first, second] = [2, 3].map((day) => ({
      starts_at: `2026-03-0${day}T07:00:00Z`,
      ends_at: `2026-03-0${day}T12:00:00Z`,
    }));
    const { id } = await record(admin, first!, { user });
    const params = { time_tracking_id: id };
    await boss.call('confirmTimeTracking', { params });
    const later = bodyOf('time_tracking', { ends_at: '2026-03-02T13:00:00Z' });
    expect((await admin.call('updateTimeTracking', { params, body: later })).status).toBe(200);
    await record(boss, { ...second!, confirmed: true }, { user });
    const shown = async () =>
      (await csvRows(admin, { export_type: 'timesheet', ...march, user_ids: [user] }))
        .slice(1, 3)
        .map((row) => row['Confirmed by']);
    expect(await shown()).toEqual(['boss', 'boss']);
    // The events of work that was stored before there were any say nothing.
    await world.db.deleteFrom('events').where('account_id', '=', world.accountId).execute();
    expect(await shown()).toEqual(['admin', 'boss']);
  });

  it('201 as PDF with a page for each user and month, in letters of all European languages', async () => {
    const world = await newWorld();
    const person = await world.addMember('employee', 'Łucja Ďurišová');
    await record(
      world.admin,
      { starts_at: '2026-03-02T07:00:00Z', ends_at: '2026-03-02T15:15:00Z' },
      { user: person.id },
    );
    const wanted = {
      export_type: 'timesheet',
      format: 'pdf',
      from: '2026-03-01',
      to: '2026-04-30',
      user_ids: [person.id],
    };
    const bytes = await fileOf(world.admin, wanted, { headers: { 'Accept-Language': 'de' } });
    const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)));
    expect(totalPages).toBe(2);
    expect(text[0]).toMatch(/Stundenzettel März 2026/);
    expect(text[0]).toMatch(/Łucja Ďurišová/);
    expect(text[0]).toMatch(/Mo 02\.03\.2026\s+08:00\s+16:15\s+0,00\s+8,25\s+8,00/);
    expect(text[1]).toMatch(/Stundenzettel April 2026/);
  });

  it('201 as PDF that a reader can follow with a pencil, from the opening balance to the closing one', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await setEmployee(world, { start_of_accounting: '2026-02-01', initial_time_account: 161.25 });
    await setTarget(world, {
      ...{ start_date: '2026-02-02', rhythm_type: 'weekly', target_limited: true, per_day: true },
      ...{ is_mon: true, mon: 8, is_tue: true, tue: 8, is_wed: true, wed: 8 },
    });
    // 7:35:10 on each of these days, none of which is a whole hundredth of an hour. On the last one more than the target counts nothing.
    for (const day of [2, 3, 4, 9, 10, 11, 16, 17]) {
      const date = `2026-03-${String(day).padStart(2, '0')}`;
      const ends_at = `${date}T${day === 17 ? 18 : 14}:35:10Z`;
      await record(admin, { starts_at: `${date}T07:00:00Z`, ends_at }, { user: employee.id });
    }
    await book(world, '2026-03-20', -2.5);
    const leave = await absenceOf(world, employee, { starts_at: '2026-03-18T00:00:00+01:00', ends_at: '2026-03-18T23:59:59+01:00' }); // prettier-ignore
    await asked(world, 'confirmAbsence', { params: { absence_id: leave } });
    const bytes = await fileOf(admin, { export_type: 'timesheet', format: 'pdf', ...march, user_ids: [employee.id] });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    const { body: account } = await admin.call('getAccount');
    expect(text).toContain(account.data.attributes.account_name);
    const numbersIn = (line: string): number[] =>
      (line.match(/-?\d+\.\d\d(?!\d)/g) ?? []).map((number) => Math.round(Number(number) * 100));
    const lineOf = (name: string): number[] => numbersIn(new RegExp(`${name}\\s+([-.\\d\\s]+)`).exec(text)![1]!);
    const [opening] = lineOf('Opening balance');
    const days = [...text.matchAll(/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) 2026-03-\d\d(.*?)(?=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) 2026|Total)/gs)].map(([, line]) => numbersIn(line!)); // prettier-ignore
    expect(days).toHaveLength(31);
    let balance = opening!;
    for (const day of days) {
      const [change, shown] = day.slice(-2);
      balance += change!;
      expect(shown).toBe(balance);
    }
    const [breaks, worked, target, credit, adjustment, uncounted, change] = lineOf('Total');
    const sum = (index: number): number => days.reduce((total, day) => total + day[index]!, 0);
    expect([sum(0), sum(1), sum(2)]).toEqual([breaks, worked, target]);
    expect([credit, adjustment]).toEqual([800, -250]);
    expect(change).toBe(worked! + credit! + adjustment! - target! - uncounted!);
    const rounding = /Rounding\s+(-?0\.\d\d)/.exec(text) ? lineOf('Rounding')[0]! : 0;
    const [closing] = lineOf('Closing balance');
    expect(closing).toBe(opening! + change! + rounding);
    const query = { ...march, 'filter[user_id]': String(employee.id) };
    const { attributes } = (await admin.call('listUserSummaries', { query })).body.data[0];
    expect([opening, worked, target, closing]).toEqual(
      [attributes.opening_balance, attributes.net, attributes.target, attributes.balance].map((hours) => Math.round(hours * 100)), // prettier-ignore
    );
  });

  it('covers employees themselves alone, whomever they ask for', async () => {
    const { admin, employee } = await newWorld();
    await record(admin);
    const followed = await record(admin);
    await admin.call('createTimeTrackingFollowers', {
      params: { time_tracking_id: followed.id },
      body: { data: { type: 'follower', attributes: { follower_ids: [employee.id] } } },
    });
    await record(employee, { starts_at: '2026-01-06T08:00:00Z', ends_at: '2026-01-06T09:00:00Z' });
    const usersIn = async (attributes: object) =>
      new Set((await csvRows(employee, attributes)).map((row) => row['User']));
    const january = { from: '2026-01-01', to: '2026-01-31' };
    expect(await usersIn({ export_type: 'sum' })).toEqual(new Set(['employee']));
    expect(await usersIn({ export_type: 'sum', ...january })).toEqual(new Set(['employee']));
    expect(await usersIn({ export_type: 'timesheet', ...january })).toEqual(new Set(['employee']));
    expect(await usersIn({ export_type: 'timesheet', ...january, user_ids: [admin.id] })).toEqual(new Set());
  });

  it('400 for what does not fit the type', async () => {
    const { admin } = await newWorld();
    const refused = async (attributes: object, query = '') => {
      const response = await ask(admin, attributes, { query });
      return [response.status, pointersIn(response), titlesIn(response)[0]];
    };
    expect(await refused({ format: 'pdf' })).toEqual([
      400,
      ['format'],
      'format must be one of csv, xlsx for export_type list, but was pdf.',
    ]);
    expect(await refused({ export_type: 'timesheet' })).toEqual([
      400,
      ['from', 'to'],
      'from is required for export_type timesheet.',
    ]);
    expect(await refused({ export_type: 'timesheet', ...march }, 'filter[confirmed]=eq:true')).toEqual([
      400,
      ['filter[confirmed]'],
      'filter[confirmed] does not fit export_type timesheet, which covers whole days. Send from, to, user_ids or area_ids.',
    ]);
    expect(await refused({ export_type: 'sum', from: '2026-01-01', to: '2027-01-02' })).toEqual([
      400,
      ['to'],
      'to must lie at most 366 days after from, both days counted, but 2026-01-01 to 2027-01-02 are 367 days.',
    ]);
  });
});
