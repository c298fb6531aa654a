import { describe, expect, it } from 'vitest';
import { codesIn, pointersIn, titlesIn } from '../../../../support/client.ts';
import { absenceOf, at, typeOf } from '../../../../support/absences.ts';
import { record } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { closed } from '../accounting_periods/support.ts';
import { asked, setEmployee } from '../../time_account/support.ts';
import { ask, fileOf } from './support.ts';

const may = { from: '2026-05-01', to: '2026-05-31' };
const lodas = { export_type: 'datev_lodas', format: 'txt', ...may };

const wageType = (person: Person, attributes: object) =>
  person.call('createWageType', {
    body: bodyOf('wage_type', { number: 100, title: 'Worked', source: 'net', unit: 'hours', ...attributes }),
  });

/** A workspace whose May is closed for its employee, with work on two days and one day of vacation. */
async function closedMay(): Promise<World> {
  const world = await newWorld();
  const { admin, employee } = world;
  const user = employee.id;
  const numbers = { datev_consultant_number: 1234567, datev_client_number: 12345 };
  expect((await admin.call('updateWorkspace', { body: bodyOf('workspace', numbers) })).status).toBe(200);
  await admin.call('updateUser', { params: { user_id: user }, body: bodyOf('user', { staff_number: '1001' }) });
  const confirmed = true;
  await record(admin, { starts_at: '2026-05-04T06:00:00Z', ends_at: '2026-05-04T14:30:00Z', confirmed }, { user });
  await record(admin, { starts_at: '2026-05-10T06:00:00Z', ends_at: '2026-05-10T10:00:00Z', confirmed }, { user });
  const leave = await absenceOf(world, employee, { starts_at: '2026-05-05T00:00:00+02:00', ends_at: '2026-05-05T23:59:59+02:00' }); // prettier-ignore
  await admin.call('confirmAbsence', { params: { absence_id: leave } });
  const closing = { month: '2026-05', user_ids: [user] };
  const closed = await admin.call('createAccountingPeriods', { body: bodyOf('accounting_period', closing) });
  expect([closed.status, closed.body.errors]).toEqual([201, undefined]);
  return world;
}

describe('createTimeTrackingExport for DATEV', () => {
  it('201 for LODAS: a line for each user and wage type, from the closed month', async () => {
    const world = await closedMay();
    const { admin } = world;
    await wageType(admin, {});
    await wageType(admin, { number: 200, title: 'Sunday', source: 'sunday' });
    await wageType(admin, { number: 300, title: 'Leave', source: `absence:${await typeOf(world)}`, unit: 'days' });
    await wageType(admin, { number: 400, title: 'Night', source: 'night_23_6' });
    const text = (await fileOf(admin, lodas)).toString('latin1');
    expect(text.split('\r\n')).toEqual([
      '[Allgemein]',
      'Ziel=LODAS',
      'Version_SST=1.0',
      'BeraterNr=1234567',
      'MandantenNr=12345',
      'Datumsformat=TT/MM/JJJJ',
      'Feldtrennzeichen=;',
      'Zahlenkomma=,',
      '[Satzbeschreibung]',
      '1;u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;pnr#bwd;la_eigene#bwd;bs_nr#bwd;bs_wert_butab#bwd;kostenstelle#bwd;',
      '[Bewegungsdaten]',
      '1;01/05/2026;1001;100;1;12,50;;',
      '1;01/05/2026;1001;200;1;4,00;;',
      '1;01/05/2026;1001;300;2;1,00;;',
      '',
    ]);
  });

  it('201 for Lohn und Gehalt: a line for each day, with the cost centre in Windows-1252', async () => {
    const world = await closedMay();
    const { admin, employee, db, accountId } = world;
    const field = await db
      .selectFrom('custom_fields')
      .select('id')
      .where('account_id', '=', accountId)
      .where('key', '=', 'cost_center')
      .executeTakeFirstOrThrow();
    const setCostCentre = async (value: string) => {
      await db.deleteFrom('custom_field_values').where('account_id', '=', accountId).execute();
      await db
        .insertInto('custom_field_values')
        .values({ account_id: accountId, custom_field_id: field.id, user_id: employee.id, value })
        .execute();
    };
    await setCostCentre('Küche €');
    await wageType(admin, {});
    const leave = { number: 300, source: `absence:${await typeOf(world)}`, unit: 'days', absence_key: 'U' };
    await wageType(admin, leave);
    const bytes = await fileOf(admin, { ...lodas, export_type: 'datev_lug', user_ids: [employee.id] });
    // In Windows-1252 the euro sign is the byte 80, which Latin-1 has for a control character.
    expect(bytes.toString('latin1').split('\r\n')).toEqual([
      '1234567;12345;05/2026',
      '1001;04;;100;8,50;;;;;Küche \x80;',
      '1001;05;U;300;;1,00;;;;Küche \x80;',
      '1001;10;;100;4,00;;;;;Küche \x80;',
      '',
    ]);
    for (const [value, title] of [
      ['Bäcker Łódź', 'cost_center of employee must have characters of Windows-1252 only, but "Bäcker Łódź" has "Ł".'],
      ['A;B', 'cost_center of employee must have no semicolon and no line break, but is "A;B".'],
    ] as const) {
      await setCostCentre(value);
      const refused = await ask(admin, lodas);
      expect([refused.status, titlesIn(refused)]).toEqual([400, [title]]);
    }
  });

  it('201 for Lohn und Gehalt: the lines of a month add up to its rounded sum, in hours and in days', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await setEmployee(world, { start_of_accounting: '2026-05-01', staff_number: '1001' });
    // 7 hours and 35 minutes are 7.58333 hours. 20 days of them are 151.67 hours, and 20 lines of 7.58 are 151.60.
    for (let day = 4; day < 24; day++) {
      const date = `2026-05-${String(day).padStart(2, '0')}`;
      const times = { starts_at: `${date}T06:00:00Z`, ends_at: `${date}T13:35:00Z` };
      await record(admin, { ...times, confirmed: true }, { user: employee.id });
    }
    // A second is no hundredth of an hour, so that it has no line.
    const second = { starts_at: '2026-05-25T06:00:00Z', ends_at: '2026-05-25T06:00:01Z', confirmed: true };
    await record(admin, second, { user: employee.id });
    // A day that is spread over three dates.
    const leave = await absenceOf(world, employee, {
      starts_at: '2026-05-27T00:00:00+02:00',
      ends_at: '2026-05-29T23:59:59+02:00',
      use_custom_values: true,
      days: 1,
      hours: 8,
    });
    await asked(world, 'confirmAbsence', at(leave));
    const numbers = { datev_consultant_number: 1234567, datev_client_number: 12345 };
    await asked(world, 'updateWorkspace', { body: bodyOf('workspace', numbers) });
    await closed(world, '2026-05');
    await wageType(admin, {});
    await wageType(admin, { number: 300, source: `absence:${await typeOf(world)}`, unit: 'days' });
    const amounts = async (export_type: string, number: number, column: number) =>
      (await fileOf(admin, { ...lodas, export_type }))
        .toString('latin1')
        .split('\r\n')
        .map((line) => line.split(';'))
        .filter((cells) => cells[3] === String(number))
        .map((cells) => Math.round(Number(cells[column]!.replace(',', '.')) * 100));
    const hours = await amounts('datev_lug', 100, 4);
    expect(hours).toHaveLength(20);
    expect(hours.slice(0, 4)).toEqual([758, 759, 758, 758]);
    expect(hours.reduce((sum, one) => sum + one)).toBe(15167);
    expect(await amounts('datev_lug', 300, 5)).toEqual([33, 34, 33]);
    expect([await amounts('datev_lodas', 100, 5), await amounts('datev_lodas', 300, 5)]).toEqual([[15167], [100]]);
  });

  it('201 at once: the request checks what the file needs, and leaves its figures to the job', async () => {
    const { admin, db, accountId } = await closedMay();
    await wageType(admin, {});
    // Nobody can read these figures, so only what reads none of them succeeds.
    await db.updateTable('accounting_periods').set({ sums: '{}' }).where('account_id', '=', accountId).execute();
    const asked = await ask(admin, lodas);
    expect([asked.status, asked.body.data.attributes.status]).toEqual([201, 'pending']);
    const params = { export_id: asked.body.data.id };
    await db.deleteFrom('exports').where('account_id', '=', accountId).execute();
    expect((await admin.call('getTimeTrackingExport', { params })).status).toBe(404);
  });

  it('400 with everything that is missing, 403 for others than workspace admins', async () => {
    const world = await closedMay();
    const { admin, employee } = world;
    const refused = async (attributes: object) => {
      const response = await ask(admin, { ...lodas, ...attributes });
      return [response.status, pointersIn(response)[0], titlesIn(response)[0]];
    };
    expect(await refused({})).toEqual([
      400,
      'base',
      'The workspace has no wage types. Create them with createWageType.',
    ]);
    await wageType(admin, {});
    expect(await refused({ to: '2026-05-30' })).toEqual([
      400,
      'from',
      'from and to must be the first and the last day of one month, but were 2026-05-01 and 2026-05-30.',
    ]);
    expect(await refused({ from: '2026-04-01', to: '2026-04-30' })).toEqual([
      400,
      'from',
      'The month 2026-04 is closed for nobody. Close it with createAccountingPeriods first.',
    ]);
    expect(await refused({ user_ids: [admin.id] })).toEqual([
      400,
      'user_ids',
      `user_ids names ${admin.id}, whose month 2026-05 is not closed.`,
    ]);
    expect(await refused({ format: 'csv' })).toEqual([
      400,
      'format',
      'format must be one of txt for export_type datev_lodas, but was csv.',
    ]);
    await admin.call('updateUser', {
      params: { user_id: employee.id },
      body: bodyOf('user', { staff_number: '123456' }),
    });
    expect(await refused({})).toEqual([
      400,
      'staff_number',
      'DATEV needs a staff_number of at most 5 digits, which these users lack: employee (123456).',
    ]);
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { datev_client_number: null }) });
    expect(await refused({})).toEqual([
      400,
      'datev_client_number',
      'datev_client_number of the workspace is not set, and DATEV needs it.',
    ]);
    expect((await ask(employee, lodas)).status).toBe(403);
  });
});

describe('wage types', () => {
  it('201, 200: are created, listed, changed and deleted', async () => {
    const world = await newWorld();
    const { admin } = world;
    const { status, body } = await wageType(admin, {});
    const attributes = { number: 100, title: 'Worked', source: 'net', unit: 'hours', absence_key: null };
    expect([status, body.data.attributes]).toEqual([201, attributes]);
    const params = { wage_type_id: body.data.id };
    await wageType(admin, { number: 5, source: 'target' });
    const shown = await admin.call('getWageType', { params });
    expect([shown.status, shown.body.data.attributes]).toEqual([200, attributes]);
    const listed = await admin.call('listWageTypes');
    expect(listed.body.data.map((one: { attributes: { number: number } }) => one.attributes.number)).toEqual([5, 100]);
    const changed = await admin.call('updateWageType', { params, body: bodyOf('wage_type', { number: 7 }) });
    expect([changed.status, changed.body.data.attributes]).toEqual([200, { ...attributes, number: 7 }]);
    // What was read before the change is no longer true.
    const headers = { 'If-Match': shown.headers['etag']! };
    expect((await admin.call('deleteWageType', { params, headers })).status).toBe(412);
    expect((await admin.call('updateWageType', { params, headers, body: bodyOf('wage_type', {}) })).status).toBe(412);
    expect((await admin.call('deleteWageType', { params, headers: { 'If-Match': 'x' } })).status).toBe(400);
    const current = { 'If-Match': (await admin.call('getWageType', { params })).headers['etag']! };
    expect(changed.headers['etag']).toBe(current['If-Match']);
    expect((await admin.call('deleteWageType', { params, headers: current })).status).toBe(200);
    expect((await admin.call('deleteWageType', { params })).status).toBe(404);
    expect((await admin.call('getWageType', { params })).status).toBe(404);
    expect((await admin.call('updateWageType', { params, body: bodyOf('wage_type', {}) })).status).toBe(404);
  });

  it('400 for a source that is not there, and days of anything but absences', async () => {
    const { admin } = await newWorld();
    const refused = async (attributes: object) => {
      const response = await wageType(admin, attributes);
      return [response.status, pointersIn(response)];
    };
    expect(await refused({ source: 'gross' })).toEqual([400, ['source']]);
    expect(await refused({ source: 'absence:4711' })).toEqual([400, ['source']]);
    expect(await refused({ unit: 'days' })).toEqual([400, ['unit']]);
    const { body } = await wageType(admin, {});
    const inDays = { params: { wage_type_id: body.data.id }, body: bodyOf('wage_type', { unit: 'days' }) };
    expect((await admin.call('updateWageType', inDays)).status).toBe(400);
    expect((await admin.call('listWageTypes', { query: 'page=0' })).status).toBe(400);
  });

  it('400 for a second one of the same figure, also at once: it would be exported twice', async () => {
    const world = await newWorld();
    const { admin } = world;
    const source = `absence:${await typeOf(world)}`;
    const hours = await wageType(admin, { source });
    const days = await wageType(admin, { number: 101, source, unit: 'days' });
    expect([hours.status, days.status]).toEqual([201, 201]);
    const again = await wageType(admin, { number: 7, title: 'Again', source, absence_key: 'U' });
    expect([again.status, codesIn(again), pointersIn(again), titlesIn(again)]).toEqual([
      400,
      ['taken'],
      ['source'],
      [`source "${source}" is already used by another wage type of this workspace with the unit hours.`],
    ]);
    const params = { wage_type_id: days.body.data.id };
    const changed = await admin.call('updateWageType', { params, body: bodyOf('wage_type', { unit: 'hours' }) });
    expect([changed.status, codesIn(changed), pointersIn(changed)]).toEqual([400, ['taken'], ['source']]);
    const same = await admin.call('updateWageType', { params, body: bodyOf('wage_type', { unit: 'days' }) });
    expect(same.status).toBe(200);
    const atOnce = await Promise.all([1, 2, 3].map((number) => wageType(admin, { number, source: 'night_20_6' })));
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect((await admin.call('listWageTypes')).body.meta.total_count).toBe(3);
  });

  it('403 for everybody but workspace admins, 404 abroad', async () => {
    const { admin, employee, stranger } = await newWorld();
    const params = { wage_type_id: (await wageType(admin, {})).body.data.id };
    const body = bodyOf('wage_type', { number: 1, title: 'x', source: 'net', unit: 'hours' });
    for (const [person, status] of [
      [employee, 403],
      [stranger, 404],
    ] as const)
      for (const operation of ['listWageTypes', 'getWageType', 'createWageType', 'updateWageType', 'deleteWageType'])
        expect([operation, (await person.call(operation, { params, ...(/^(create|update)/.test(operation) && { body }) })).status]).toEqual([operation, status]); // prettier-ignore
  });
});
