import { expect, it } from 'vitest';
import { absenceOf, at, fullDays } from '../../../../support/absences.ts';
import { newEnterpriseWithAbsences } from '../../../../support/enterprise_absences.ts';
import { bodyOf } from '../../../../support/world.ts';
import { csvRows } from '../../payroll/exports/support.ts';

it('the days of somebody in another zone are the same in the calendar, the ledger, files and filters', async () => {
  const world = await newEnterpriseWithAbsences();
  const { admin, employee, enterprise } = world;
  const user = { params: { user_id: employee.id } };
  await admin.call('updateUser', { ...user, body: bodyOf('user', { time_zone: 'Auckland' }) });
  const times = { starts_at: '2026-03-02T00:00:00+13:00', ends_at: '2026-03-03T23:59:59+13:00', full_day: true };
  const id = await absenceOf(world, employee, times);
  expect((await admin.call('confirmAbsence', at(id))).status).toBe(200);
  const dates = ['2026-03-02', '2026-03-03'];
  const range = { from: '2026-03-01', to: '2026-03-05' };
  const { data } = (await admin.call('getAbsenceCalendar', { query: range })).body;
  expect(JSON.stringify(data).match(/2026-03-\d\d/g)).toEqual(expect.arrayContaining(dates));
  const days = (await admin.call('getUserDays', { ...user, query: range })).body.data;
  const credited = days.filter(({ attributes }: { attributes: { absence_credit: number } }) => attributes.absence_credit > 0); // prettier-ignore
  expect(credited.map(({ attributes }: { attributes: { date: string } }) => attributes.date)).toEqual(dates);

  const expected = { '2026-03-01': 0, '2026-03-02': 1, '2026-03-03': 1, '2026-03-04': 0 };
  for (const [day, count] of Object.entries(expected)) {
    const query = { 'filter[overlapping_with_range]': `${day}_${day}` };
    const listed = (await admin.call('listAbsences', { query })).body.meta;
    expect([day, listed.total_count, listed.total_days]).toEqual([day, count, count]);
    const rows = await csvRows(admin, { from: day, to: day }, { of: 'Absence' });
    expect([day, rows.length]).toEqual([day, count]);
    const shown = await enterprise('findPublicAbsences', { query: { range_start: day, range_end: day } });
    expect([day, shown.status, shown.body.absences.length]).toEqual([day, 200, count]);
    const open = (await admin.call('listAbsences', { query: { 'filter[overlapping_with_range]': day } })).body.meta;
    expect([day, open.total_count]).toEqual([day, day <= '2026-03-03' ? 1 : 0]);
  }
  const [row] = await csvRows(admin, {}, { of: 'Absence' });
  expect(row).toMatchObject({ Start: '2026-03-02 00:00:00', End: '2026-03-03 23:59:59', Days: '2' });

  // Hours of a day are moments, and the reader's clock shows them.
  const part = { ...fullDays('2026-03-09'), starts_at: '2026-03-09T09:00:00+13:00', ends_at: '2026-03-09T11:00:00+13:00', full_day: false }; // prettier-ignore
  await absenceOf(world, employee, part);
  const parts = await csvRows(admin, { from: '2026-03-08', to: '2026-03-08' }, { of: 'Absence' });
  expect(parts.map(({ Start }) => Start)).toEqual(['2026-03-08 21:00:00']);
});
