import { describe, expect, it } from 'vitest';
import { absenceOf, at, fullDays } from '../../../../support/absences.ts';
import { insertShift, newRoster } from '../../../../support/shifts/shifts.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { eventsAt, eventsIn, newFeed, read, textAt, titleIn } from './support.ts';

const assign = ({ admin }: World, shift_id: number, ...user_ids: number[]) =>
  admin.call('updateShiftUsers', { params: { shift_id }, body: bodyOf('event', { user_ids, force: true }) });

describe('the absences of a feed', () => {
  it('are whole days with an exclusive end, also where clocks change, whatever the zone of the user', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { time_zone: 'Asia/Tokyo' }),
    });
    for (const [from, to] of [
      ['2026-03-28', '2026-03-29'],
      ['2026-07-06', '2026-07-17'],
      ['2026-10-25', '2026-10-25'],
    ] as const)
      await absenceOf(world, employee, { ...fullDays(from, to), title: 'Away' });
    const { path } = await newFeed(employee);
    expect((await eventsAt(path)).map(({ start, end, hours }) => [start, end, hours])).toEqual([
      ['2026-03-28', '2026-03-30', 48],
      ['2026-07-06', '2026-07-18', 288],
      ['2026-10-25', '2026-10-26', 24],
    ]);
    expect(await textAt(path)).toContain('DTSTART;VALUE=DATE:20260706\r\nDTEND;VALUE=DATE:20260718\r\n');
  });

  it('that are parts of days have the same moments in UTC', async () => {
    const world = await newWorld();
    const times = { starts_at: '2026-03-29T01:00:00+01:00', ends_at: '2026-03-29T04:00:00+02:00', full_day: false };
    await absenceOf(world, world.employee, times);
    const { path } = await newFeed(world.employee);
    expect(await eventsAt(path)).toMatchObject([
      { start: '2026-03-29T00:00:00Z', end: '2026-03-29T02:00:00Z', hours: 2 },
    ]);
  });

  it('say what is half', async () => {
    const world = await newWorld();
    const { employee } = world;
    const title = 'Away';
    await absenceOf(world, employee, { ...fullDays('2026-07-06'), half_start: true, title });
    await absenceOf(world, employee, { ...fullDays('2026-07-07', '2026-07-08'), half_start: true, title });
    await absenceOf(world, employee, { ...fullDays('2026-07-09', '2026-07-10'), half_end: true, title });
    const both = { half_start: true, half_end: true };
    await absenceOf(world, employee, { ...fullDays('2026-07-13', '2026-07-14'), ...both, title });
    const { path } = await newFeed(employee);
    const summaries = async () => (await eventsAt(path)).map(({ summary }) => summary);
    expect(await summaries()).toEqual([
      'Away (halber Tag)',
      'Away (erster Tag halb)',
      'Away (letzter Tag halb)',
      'Away (erster und letzter Tag halb)',
    ]);
    await world.admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { locale: 'en' }) });
    expect((await summaries())[0]).toBe('Away (half a day)');
  });

  it('have the status of their confirmation; those that are rejected or deleted are gone', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const ids: string[] = [];
    for (const day of ['2026-07-06', '2026-07-07', '2026-07-08', '2026-07-09'])
      ids.push(await absenceOf(world, employee, { ...fullDays(day), title: day }));
    await admin.call('confirmAbsence', at(ids[1]!));
    // The operation of this name rejects.
    await admin.call('resetAbsence', at(ids[2]!));
    const { path } = await newFeed(employee);
    const shown = async () => (await eventsAt(path)).map(({ summary, status }) => [summary, status]);
    expect(await shown()).toEqual([
      ['2026-07-06', 'TENTATIVE'],
      ['2026-07-07', 'CONFIRMED'],
      ['2026-07-09', 'TENTATIVE'],
    ]);
    await admin.call('deleteAbsence', at(ids[3]!));
    await admin.call('deleteAbsence', at(ids[1]!));
    expect(await shown()).toEqual([['2026-07-06', 'TENTATIVE']]);
  });

  it('keep their ids, and have a higher number after a change', async () => {
    const world = await newWorld();
    const { db, accountId, admin, employee } = world;
    const id = await absenceOf(world, employee, fullDays('2026-07-06'));
    const { path } = await newFeed(employee);
    const [first, again] = [await read(path), await read(path)];
    expect(again.text).toBe(first.text);
    expect(again.headers['etag']).toBe(first.headers['etag']);
    const [before] = eventsIn(first.text);
    // As if it had been made an hour ago.
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await db
      .updateTable('absences')
      .set({ created_at: anHourAgo, updated_at: anHourAgo })
      .where('account_id', '=', accountId)
      .where('id', '=', Number(id))
      .execute();
    const [old] = await eventsAt(path);
    const later = bodyOf('absence', fullDays('2026-07-07'));
    expect((await admin.call('updateAbsence', { ...at(id), body: later })).status).toBe(200);
    const changed = await read(path);
    const [after] = eventsIn(changed.text);
    expect([old!.uid, after!.uid]).toEqual([before!.uid, before!.uid]);
    expect([old!.start, after!.start]).toEqual(['2026-07-06', '2026-07-07']);
    expect(after!.sequence).toBeGreaterThan(old!.sequence);
    expect(after!.lastModified > old!.lastModified).toBe(true);
    expect(changed.headers['etag']).not.toBe(first.headers['etag']);
  });

  it('are those of one year back and two years ahead', async () => {
    const world = await newWorld();
    const days = ['2025-05-30', '2025-06-02', '2028-05-30', '2028-06-03'];
    for (const day of days) await absenceOf(world, world.employee, { ...fullDays(day), title: day });
    const { path } = await newFeed(world.employee);
    expect((await eventsAt(path)).map(({ summary }) => summary)).toEqual(['2025-06-02', '2028-05-30']);
  });
});

describe('the shifts of a feed', () => {
  it('are those that the user is assigned to, with the right length where clocks change', async () => {
    const roster = await newRoster();
    const { employee, admin, bar } = roster;
    const times = { starts_at: new Date('2026-10-24T20:00:00Z'), ends_at: new Date('2026-10-25T05:00:00Z') };
    const night = await insertShift(roster, { ...times, area_id: bar, visible: true, note: 'The key, please; thanks' });
    await assign(roster, night, employee.id);
    await assign(roster, await insertShift(roster, { area_id: bar, visible: true }), admin.id);
    const { path } = await newFeed(employee);
    expect(await eventsAt(path)).toMatchObject([
      {
        summary: 'Schicht: Bar',
        description: 'The key, please; thanks',
        start: '2026-10-24T20:00:00Z',
        end: '2026-10-25T05:00:00Z',
        hours: 9,
        status: 'CONFIRMED',
        transparency: 'OPAQUE',
      },
    ]);
  });

  it('are no drafts, except for those who plan them', async () => {
    const roster = await newRoster();
    const { employee, barAdmin, bar, kitchen, workspaceId } = roster;
    for (const area_id of [bar, kitchen])
      await assign(roster, await insertShift(roster, { area_id, visible: false }), employee.id, barAdmin.id);
    await assign(roster, await insertShift(roster, { area_id: bar, visible: null }), employee.id, barAdmin.id);
    const shown = async (path: string) => (await eventsAt(path)).map(({ summary, status }) => `${summary} ${status}`);
    expect(await shown((await newFeed(employee)).path)).toEqual(['Schicht: Bar CONFIRMED']);
    expect(await shown((await newFeed(barAdmin)).path)).toEqual(['Schicht: Bar TENTATIVE', 'Schicht: Bar CONFIRMED']);
    const feed = await newFeed(barAdmin, { scope: 'workspace', workspace_id: workspaceId });
    expect(await shown(feed.path)).toEqual(['Schicht: Bar (2/1) TENTATIVE', 'Schicht: Bar (2/1) CONFIRMED']);
    const kitchenFeed = await newFeed(barAdmin, { scope: 'area', workspace_id: workspaceId, area_id: kitchen });
    expect(await shown(kitchenFeed.path)).toEqual([]);
  });
});

describe('the file', () => {
  const hostile =
    'Zoë 👩‍👩‍👧, "Älteste"; \\n\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Injected\u0007 ' + '日本語 und 🎉 '.repeat(30);
  const shownAs = hostile.replaceAll('\r\n', '\n').replaceAll('\u0007', ' ');

  it('keeps every character of names and titles, and takes no line of them for its own', async () => {
    const roster = await newRoster();
    const { db, accountId, admin, employee, workspaceId, bar } = roster;
    const change = (table: 'users' | 'workspaces' | 'areas', id: number, values: object) =>
      db.updateTable(table).set(values).where('account_id', '=', accountId).where('id', '=', id).execute();
    await change('users', employee.id, { username: hostile });
    await change('workspaces', workspaceId, { name: hostile });
    await change('areas', bar, { name: hostile });
    const absence = await absenceOf(roster, employee, { ...fullDays('2026-07-06'), title: 'Away' });
    await db
      .updateTable('absences')
      .set({ title: hostile })
      .where('account_id', '=', accountId)
      .where('id', '=', Number(absence))
      .execute();
    await assign(roster, await insertShift(roster, { area_id: bar, visible: true, note: hostile }), employee.id);
    const own = await textAt((await newFeed(employee)).path);
    expect(eventsIn(own).map(({ summary, description }) => [summary, description])).toEqual([
      [shownAs, null],
      [`Schicht: ${shownAs}`, shownAs],
    ]);
    const whole = await textAt((await newFeed(admin, { scope: 'workspace', workspace_id: workspaceId })).path);
    expect(titleIn(whole)).toBe(shownAs);
    expect(eventsIn(whole).map(({ summary, description }) => [summary, description])).toEqual([
      [`${shownAs}: abwesend`, null],
      [`Schicht: ${shownAs} (1/1)`, `${shownAs}\n\n${shownAs}`],
    ]);
  });

  it('has lines of at most 75 bytes, each ended by CR and LF', async () => {
    const roster = await newRoster();
    const { employee, bar } = roster;
    await assign(roster, await insertShift(roster, { area_id: bar, visible: true, note: hostile }), employee.id);
    const text = await textAt((await newFeed(employee)).path);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const lengths = text.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
    expect(lengths.filter((length) => length > 60).length).toBeGreaterThan(5);
  });
});
