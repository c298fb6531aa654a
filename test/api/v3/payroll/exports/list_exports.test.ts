import readXlsxFile from 'read-excel-file/node';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { absenceOf, typeOf } from '../../../../support/absences.ts';
import { service } from '../../../../support/service.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { ask, bytesAt, csvRows, fileOf, made, rowsIn } from './support.ts';

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('createTimeTrackingExport', () => {
  it('201 pending, then a signed file with what the list shows, in its order', async () => {
    const { admin, employee } = await newWorld();
    await record(admin, { starts_at: '2026-01-06T08:00:00Z', ends_at: '2026-01-06T16:30:00Z' }, { user: employee.id });
    await record(admin, {}, { user: employee.id });
    const { file_url, ...shown } = await made(admin);
    expect(shown).toMatchObject({
      user_id: admin.id,
      export_type: 'list',
      status: 'success',
      format: 'csv',
      progress: 100,
    });
    expect(file_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\/\d+\/[\w-]+\?expires=\d+&signature=/);
    expect(rowsIn(await bytesAt(file_url))).toMatchObject([
      { User: 'employee', Date: '2026-01-05', Start: '2026-01-05 09:00:00', 'Net (h)': '2', 'Net (s)': '7200' },
      { User: 'employee', Date: '2026-01-06', End: '2026-01-06 17:30:00', 'Net (h)': '8.5', Confirmed: 'no' },
    ]);
  });

  it('201 with ids, filters of the list, days, users and areas, which all narrow it', async () => {
    const { admin, employee } = await newWorld();
    const { body: area } = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const own = await record(admin);
    const inBar = await record(admin, {}, { user: employee.id, area: area.data.id });
    const later = await record(
      admin,
      { starts_at: '2026-02-01T08:00:00Z', ends_at: '2026-02-01T09:00:00Z' },
      { user: employee.id },
    );
    const ids = async (attributes: object, query?: string) =>
      (await csvRows(admin, attributes, { ...(query && { query }) })).map(({ Id }) => Id);
    expect(await ids({})).toEqual([own.id, inBar.id, later.id]);
    expect(await ids({ ids: [later.id, own.id] })).toEqual([own.id, later.id]);
    expect(await ids({ user_ids: [employee.id] })).toEqual([inBar.id, later.id]);
    expect(await ids({ area_ids: [area.data.id] })).toEqual([inBar.id]);
    expect(await ids({ from: '2026-01-05', to: '2026-01-31' })).toEqual([own.id, inBar.id]);
    expect(await ids({ to: '2026-01-31', user_ids: [employee.id] })).toEqual([inBar.id]);
    expect(await ids({ from: '2026-01-06' }, 'filter[starts_at]=lt:2026-03-01')).toEqual([later.id]);
    expect(await ids({ user_ids: [employee.id] }, 'filter[starts_at]=gte:2026-01-06&sort=-id')).toEqual([later.id]);
    expect(await ids({}, 'sort=-id')).toEqual([later.id, inBar.id, own.id]);
  });

  it('covers what the list shows an employee: their own, and those they follow', async () => {
    const { admin, employee } = await newWorld();
    const own = await record(employee, { starts_at: '2026-01-05T08:00:00Z' });
    await record(admin);
    const followed = await record(admin, { starts_at: '2026-01-07T08:00:00Z', ends_at: '2026-01-07T09:00:00Z' });
    await admin.call('createTimeTrackingFollowers', {
      params: { time_tracking_id: followed.id },
      body: bodyOf('follower', { follower_ids: [employee.id] }),
    });
    const rows = await csvRows(employee);
    expect(rows.map(({ Id }) => Id)).toEqual([own.id, followed.id]);
  });

  it('has no more than the rights at the time the file is made', async () => {
    const world = await newWorld();
    const member = await world.addMember('workspaceAdmin');
    await record(world.admin);
    const { body } = await ask(member);
    await world.db
      .deleteFrom('memberships')
      .where('account_id', '=', world.accountId)
      .where('user_id', '=', member.id)
      .execute();
    await (await service()).jobs.drain();
    const row = await world.db
      .selectFrom('exports')
      .select(['status', 'message', 'file_id'])
      .where('account_id', '=', world.accountId)
      .where('id', '=', Number(body.data.id))
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      status: 'failed',
      message: 'The user who asked for the export no longer belongs to the workspace.',
      file_id: null,
    });
  });

  it('writes German and English numbers, and defuses text that looks like a formula', async () => {
    const { admin } = await newWorld();
    const { body } = await admin.call('createTag', { body: bodyOf('tag', { title: '=1+1;"x"' }) });
    const span = { starts_at: '2026-01-05T08:00:00Z', ends_at: '2026-01-05T09:30:00Z' };
    await record(admin, { ...span, external_id: '@SUM(A1)' }, { tags: [body.data.id] });
    const german = await fileOf(admin, {}, { headers: { 'Accept-Language': 'fr, de-AT;q=0.8, en;q=0.5' } });
    expect(german.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(rowsIn(german, ';')[0]).toMatchObject({
      Benutzer: 'admin',
      'Netto (h)': '1,5',
      'Netto (s)': '5400',
      Bestätigt: 'nein',
      Tags: `'=1+1;"x"`,
      'Externe Id': "'@SUM(A1)",
    });
    const english = await fileOf(admin);
    expect(english.toString('utf8')).toMatch(/^Id,/);
    expect(rowsIn(english)[0]).toMatchObject({ 'Net (h)': '1.5', Tags: `'=1+1;"x"`, Confirmed: 'no' });
  });

  it('quotes a cell with a line break, and defuses every line in it', async () => {
    const { admin } = await newWorld();
    const broken = ['a\n=1+1', 'b\r@SUM(A1)', 'c\r\n\t+1', '\r=2', 'd\n\n-3'];
    for (const [index, external_id] of broken.entries())
      await record(admin, { starts_at: `2026-01-0${index + 1}T08:00:00Z`, ends_at: `2026-01-0${index + 1}T09:00:00Z`, external_id }); // prettier-ignore
    const text = (await fileOf(admin)).toString('utf8');
    const cells = [`"a\n'=1+1"`, `"b\r'@SUM(A1)"`, `"c\r\n'\t+1"`, `"'\r'=2"`, `"d\n\n'-3"`];
    const rows = text.split(/\r\n(?=\d+,|[\w-]{36},|$)/).filter((row) => row !== '');
    expect(rows.slice(1).map((row) => row.slice(row.indexOf(',admin,', 60) + 7))).toEqual(cells);
    expect(text.split(/[\r\n]/).filter((line) => /^["]?[=+@\t-]/.test(line))).toEqual([]);
  });

  it('takes the language of the workspace where the request names none', async () => {
    const { admin } = await newWorld();
    const bytes = await fileOf(admin, {}, { headers: { 'Accept-Language': '*' } });
    expect(bytes.toString('utf8')).toMatch(/^\uFEFFId;Benutzer-Id;/);
  });

  it.each(['xlsx', 'xls'])('201 as %s, with numbers, days and flags as what they are', async (format) => {
    const { admin } = await newWorld();
    await record(admin, { external_id: '=1<&>"2' });
    const attributes = await made(admin, { format });
    expect(attributes.format).toBe('xlsx');
    const head = await supertest('').head(new URL(attributes.file_url, (await service()).url).href);
    expect([head.status, head.headers['content-type']]).toEqual([200, xlsxType]);
    const [sheet] = await readXlsxFile(await bytesAt(attributes.file_url));
    expect(sheet!.sheet).toBe('Time trackings');
    const [headings, row] = sheet!.data as [string[], unknown[]];
    const cells = Object.fromEntries(headings.map((name, index) => [name, row[index]]));
    expect(cells).toMatchObject({
      User: 'admin',
      Date: new Date('2026-01-05'),
      Start: new Date('2026-01-05T09:00:00Z'),
      'Net (h)': 2,
      'Net (s)': 7200,
      Confirmed: false,
      Area: null,
      'External id': '=1<&>"2',
    });
  });

  it('400 for what does not fit, naming it', async () => {
    const { admin, employee } = await newWorld();
    const refused = async (attributes: object, query = '') => {
      const response = await ask(admin, attributes, { query });
      return [response.status, pointersIn(response)[0], titlesIn(response)[0]];
    };
    expect(await refused({ export_type: 'everything' })).toEqual([400, 'export_type', expect.stringContaining('list')]);
    expect(await refused({ format: 'doc' })).toEqual([400, 'format', expect.stringContaining('csv')]);
    expect(await refused({ ids: ['x'] })).toEqual([
      400,
      'ids',
      'ids names "x", which is no time tracking of this workspace that you may read.',
    ]);
    expect(await refused({ user_ids: ['x'], area_ids: ['y'] })).toEqual([
      400,
      'user_ids',
      'user_ids names "x", which is no user of this account.',
    ]);
    expect(await refused({ ids: Array.from({ length: 1001 }, (_, index) => index + 1) })).toEqual([
      400,
      'ids',
      expect.stringContaining('1000'),
    ]);
    expect(await refused({ from: '2026-02-01', to: '2026-01-01' })).toEqual([
      400,
      'to',
      'to must not lie before from, which is 2026-02-01, but was 2026-01-01.',
    ]);
    expect(await refused({ area_ids: [4711] })).toEqual([
      400,
      'area_ids',
      'area_ids names 4711, which is no area of this workspace.',
    ]);
    const own = await record(admin);
    expect((await ask(employee, { ids: [own.id] })).status).toBe(400);
    expect(await refused({ user_ids: [admin.id] }, 'filter[user_id]=1')).toEqual([
      400,
      'user_ids',
      'user_ids cannot be combined with filter[user_id], but both were sent. Send one of them.',
    ]);
    expect((await refused({}, 'filter[naem]=eq:x'))[0]).toBe(400);
    expect((await refused({}, 'filter[starts_at]=gte:yesterday'))[0]).toBe(400);
  });

  it('404 in a workspace of another account', async () => {
    const { stranger } = await newWorld();
    expect((await ask(stranger)).status).toBe(404);
  });
});

describe('getTimeTrackingExport', () => {
  it('403 for everybody but its maker, even for admins', async () => {
    const { admin, employee } = await newWorld();
    const { body } = await ask(employee);
    const params = { export_id: body.data.id };
    expect((await admin.call('getTimeTrackingExport', { params })).status).toBe(403);
    expect((await employee.call('getTimeTrackingExport', { params })).status).toBe(200);
  });

  it('404 for one of absences, of another account, and an unknown one', async () => {
    const { admin, stranger } = await newWorld();
    const { body } = await ask(admin, {}, { of: 'Absence' });
    const params = { export_id: body.data.id };
    expect((await admin.call('getTimeTrackingExport', { params })).status).toBe(404);
    expect((await stranger.call('getTimeTrackingExport', { params })).status).toBe(404);
    expect((await admin.call('getTimeTrackingExport', { params: { export_id: 'x' } })).status).toBe(404);
  });
});

describe('createAbsenceExport', () => {
  it('201 with the absences that the list shows', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const july = await absenceOf(world, employee);
    await absenceOf(world, admin, { starts_at: '2026-09-07T00:00:00+02:00', ends_at: '2026-09-08T12:00:00+02:00' });
    await admin.call('confirmAbsence', { params: { absence_id: july } });
    const type = await typeOf(world);
    const rows = await csvRows(admin, { to: '2026-07-06', from: '2026-07-01' }, { of: 'Absence' });
    expect(rows).toMatchObject([
      { Id: july, User: 'employee', Days: '10', Hours: '80', Status: 'confirmed', 'Confirmed by': 'admin' },
    ]);
    const filtered = await csvRows(
      admin,
      { user_ids: [admin.id] },
      { of: 'Absence', query: `filter[absence_type_id]=${type}` },
    );
    expect(filtered).toMatchObject([{ User: 'admin', Status: 'pending', Start: '2026-09-07 00:00:00' }]);
    expect(await csvRows(employee, {}, { of: 'Absence' })).toMatchObject([{ User: 'employee' }]);
    expect(await csvRows(admin, { to: '2026-08-01' }, { of: 'Absence' })).toHaveLength(1);
  });

  it('400 for a range that is given twice, and 404 abroad', async () => {
    const { admin, stranger } = await newWorld();
    const twice = await ask(
      admin,
      { from: '2026-01-01' },
      { of: 'Absence', query: 'filter[overlapping_with_range]=2026-01-01' },
    );
    expect([twice.status, pointersIn(twice)]).toEqual([400, ['from']]);
    expect((await ask(stranger, {}, { of: 'Absence' })).status).toBe(404);
  });
});

describe('getAbsenceExport', () => {
  it('403 for everybody but its maker, and 404 for one of time trackings', async () => {
    const { admin, employee } = await newWorld();
    const params = { export_id: (await ask(employee, {}, { of: 'Absence' })).body.data.id };
    expect((await admin.call('getAbsenceExport', { params })).status).toBe(403);
    expect((await employee.call('getAbsenceExport', { params })).status).toBe(200);
    const other = (await ask(employee)).body.data.id;
    expect((await employee.call('getAbsenceExport', { params: { export_id: other } })).status).toBe(404);
  });
});
