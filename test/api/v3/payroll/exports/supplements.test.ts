import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { closed, worked } from '../accounting_periods/support.ts';
import { asked, setEmployee } from '../../time_account/support.ts';
import { csvRows, fileOf } from './support.ts';

const may = { from: '2026-05-01', to: '2026-05-31' };

const holiday = (world: World, date: string, factor: number) =>
  asked(world, 'createPublicHoliday', { body: bodyOf('public_holiday', { date, title: `On ${date}`, factor }) });

/** May 2026 with whole and half holidays, on Sundays and on other days, and work on all of them. */
async function monthWithHolidays(): Promise<World> {
  const world = await newWorld();
  await setEmployee(world, { start_of_accounting: '2026-05-01', staff_number: '1001' });
  // 10, 17 and 24 May are Sundays.
  await holiday(world, '2026-05-10', 1);
  await holiday(world, '2026-05-17', 0.5);
  await holiday(world, '2026-05-20', 0.5);
  await holiday(world, '2026-05-21', 1);
  await worked(world, '2026-05-09T22:00:00+02:00', '2026-05-10T06:00:00+02:00');
  await worked(world, '2026-05-17T10:00:00+02:00', '2026-05-17T13:00:00+02:00');
  await worked(world, '2026-05-20T22:00:00+02:00', '2026-05-21T01:00:00+02:00');
  await worked(world, '2026-05-24T10:00:00+02:00', '2026-05-24T14:00:00+02:00');
  return world;
}

describe('Sunday and holiday hours', () => {
  it('200, 201: no hour is in both, and a holiday of half a day is none, in summaries, exports and DATEV', async () => {
    const world = await monthWithHolidays();
    const { admin, employee } = world;
    const expected = { sunday: 7, holiday: 7 };
    const shown = async () => {
      const query = { ...may, 'filter[user_id]': String(employee.id) };
      return (await admin.call('listUserSummaries', { query })).body.data[0].attributes;
    };
    expect(await shown()).toMatchObject(expected);
    const [sums] = await csvRows(admin, { export_type: 'sum', ...may, user_ids: [employee.id] });
    expect(sums).toMatchObject({ 'Sunday (h)': '7', 'Holiday (h)': '7' });

    const accounting_period_id = await closed(world, '2026-05');
    expect(await shown()).toMatchObject(expected);
    const period = await admin.call('getAccountingPeriod', { params: { accounting_period_id } });
    expect(period.body.data.attributes.summary).toMatchObject(expected);
    const numbers = { datev_consultant_number: 1234567, datev_client_number: 12345 };
    await asked(world, 'updateWorkspace', { body: bodyOf('workspace', numbers) });
    for (const [number, source] of [
      [200, 'sunday'],
      [300, 'holiday'],
    ] as const)
      // prettier-ignore
      await asked(world, 'createWageType', {
        body: bodyOf('wage_type', { number, title: source, source, unit: 'hours' }),
      });
    const lines = async (export_type: string) => {
      const bytes = await fileOf(admin, { export_type, format: 'txt', ...may });
      return bytes.toString('latin1').split('\r\n').filter((line) => line.includes(';1001;') || line.startsWith('1001;')); // prettier-ignore
    };
    expect(await lines('datev_lodas')).toEqual(['1;01/05/2026;1001;200;1;7,00;;', '1;01/05/2026;1001;300;1;7,00;;']);
    expect(await lines('datev_lug')).toEqual([
      '1001;09;;300;6,00;;;;;;',
      '1001;17;;200;3,00;;;;;;',
      '1001;20;;300;1,00;;;;;;',
      '1001;24;;200;4,00;;;;;;',
    ]);
  });
});
