import { bodyOf, demo, here, type Recorder } from '../recorder.ts';
import { closedRecords } from './closed_records.ts';

/** Target hours and public holidays. */
export async function timeAccount(record: Recorder): Promise<void> {
  await targetHours(record);
  await publicHolidays(record);
  await timeAccountEntries(record);
  await accountingPeriods(record);
}

async function targetHours(record: Recorder): Promise<void> {
  const [erin, robin, sam] = ['2', '3', '4'].map((user_id) => ({ ...here, user_id })) as [User, User, User];
  const ids = async (path: User) =>
    (await record.sendOnly('listTargetHours', { path })).data.map((target_hour) => target_hour.id);
  await record('listTargetHours', { path: robin });
  const thirtyHours = { is_mon: true, mon: 8, is_tue: true, tue: 8, is_wed: true, wed: 8, is_thu: true, thu: 6 };
  await record(
    'createTargetHour',
    { path: robin, body: bodyOf('target_hour', { start_date: '2026-09-01', ...thirtyHours }) },
    { 400: { body: bodyOf('target_hour', { start_date: '2026-04-01', is_mon: true }) } },
  );
  const cycle = { ...sam, target_hour_id: (await ids(sam)).at(-1)! };
  const { data } = await record('getTargetHour', { path: cycle });
  const [first, ...others] = data.attributes.target_working_days!.map(({ id }) => ({ id }));
  await record(
    'updateTargetHour',
    {
      path: cycle,
      body: bodyOf('target_hour', { target_working_days_attributes: [{ ...first, hours: 6 }, ...others] }),
    },
    { 400: { body: bodyOf('target_hour', { target_working_days_attributes: [{ ...first, hours: 25 }] }) } },
  );
  const [only] = await ids(erin);
  await record(
    'deleteTargetHour',
    { path: { ...robin, target_hour_id: (await ids(robin)).at(-1)! } },
    { 400: { path: { ...erin, target_hour_id: only! } } },
  );
}

type User = typeof here & { readonly user_id: string };

async function publicHolidays(record: Recorder): Promise<void> {
  await record('listHolidayRegions', { query: { 'filter[country]': 'eq:DE', items: 3 } });
  await record('listPublicHolidays', {
    path: { workspace_id: '2' },
    query: { 'filter[year]': '2026', 'filter[date]': 'gte:2026-10-01' },
  });
  const outing = { date: '2026-09-08', title: 'Company outing', factor: 0.5 } as const;
  await record(
    'createPublicHoliday',
    { path: here, body: bodyOf('public_holiday', outing) },
    { 400: { body: bodyOf('public_holiday', { date: '15 September', title: '', factor: 2 }) } },
  );
  const path = { ...here, public_holiday_id: demo.publicHoliday };
  await record(
    'updatePublicHoliday',
    { path, body: bodyOf('public_holiday', { factor: 1 }) },
    { 400: { body: bodyOf('public_holiday', { factor: 0.25 }) } },
  );
  await record('deletePublicHoliday', { path }, { 400: { query: { reset_confirmed_absences: 'perhaps' } } });
}

async function timeAccountEntries(record: Recorder): Promise<void> {
  const robin = { ...here, user_id: '3' };
  const paidOut = { date: '2026-04-30', hours: -4, kind: 'payout', note: 'Paid out with the wages of April.' } as const;
  await record(
    'createTimeAccountEntry',
    { path: robin, body: bodyOf('time_account_entry', paidOut) },
    { 400: { body: bodyOf('time_account_entry', { ...paidOut, hours: 0, note: ' ' }) } },
  );
  await record('listTimeAccountEntries', { path: robin });
  const lastDays = { from: '2026-04-29', to: '2026-05-01' };
  await record('getUserDays', { path: robin, query: lastDays }, { 400: { query: { ...lastDays, to: '2026-04-01' } } });
  await record('getRecordsSummary', { path: robin }, { 400: { query: { date: 'yesterday' } } });
  await record(
    'listUserSummaries',
    { path: here, query: { from: '2026-04-01', to: '2026-04-30', items: 2 } },
    { 400: { query: { from: '2026-04-01', to: '2026-03-31' } } },
  );
  const closed = await closedRecords(record);
  await record(
    'deleteTimeAccountEntry',
    { path: { ...robin, time_account_entry_id: demo.timeAccountEntry } },
    { 400: { path: closed.entry } },
  );
}

async function accountingPeriods(record: Recorder): Promise<void> {
  const hotel = { workspace_id: '2' };
  const february = { month: '2026-02', user_ids: ['4'] };
  await record(
    'createAccountingPeriods',
    { path: here, body: bodyOf('accounting_period', february) },
    { 400: { body: bodyOf('accounting_period', { ...february, month: '2026-05' }) } },
  );
  await record('listAccountingPeriods', { path: hotel, query: { 'filter[status]': 'eq:closed' } });
  const path = { ...hotel, accounting_period_id: demo.accountingPeriod };
  const body = bodyOf('accounting_period', february);
  const { data } = await record.sendOnly('createAccountingPeriods', { path: here, body });
  const byEmployee = {
    403: { token: record.employee, path: { ...here, accounting_period_id: data[0]!.id } },
  };
  await record('getAccountingPeriod', { path }, byEmployee);
  await record.sendOnly('createAccountingPeriods', { path: here, body });
  const query = { reason: 'A night shift was missing.' };
  await record('deleteAccountingPeriod', { path, query }, { ...byEmployee, 400: { query: { reason: ' ' } } });
}
