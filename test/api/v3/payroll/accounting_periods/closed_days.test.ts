import { describe, expect, it } from 'vitest';
import { cacheMonthsOf } from '../../../../../src/days/balance/month_cache_job.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { asked, book, ledger, setEmployee, setTarget } from '../../time_account/support.ts';
import { closed, reopen, twoMonths, worked } from './support.ts';

const summaryOf = async ({ admin, employee }: World, from: string, to: string) => {
  const query = { from, to, 'filter[user_id]': String(employee.id) };
  return (await admin.call('listUserSummaries', { query })).body.data[0].attributes;
};

const balanceOn = async ({ admin, employee }: World, date: string): Promise<number> =>
  (await admin.call('getRecordsSummary', { params: { user_id: employee.id }, query: { date } })).body.data.attributes
    .total_overtime_in_sec;

/** Without the dates of creation and change, which are those of the user's zone today. */
const evaluationsOf = async ({ enterprise, employee }: World, range_start: string, range_end: string) => {
  const query = { user_id: employee.id, range_start, range_end };
  const { evaluations } = (await enterprise('findEvaluations', { query })).body;
  return evaluations.map((day: object) => ({ ...day, created_at: undefined, updated_at: undefined }));
};

/** Everything that is shown of a range of days. */
const shown = async (world: World, from: string, to: string) => ({
  days: await ledger(world, from, to),
  summary: await summaryOf(world, from, to),
  balance: await balanceOn(world, to),
  evaluations: await evaluationsOf(world, from, to),
});

const january = ['2026-01-01', '2026-01-31'] as const;
const partOfJanuary = ['2026-01-05', '2026-01-30'] as const;

/** Changes every setting without a date. */
async function changeSettings(world: World): Promise<void> {
  await asked(world, 'updateWorkspace', { body: bodyOf('workspace', { holiday_region: 'DE-BY' }) });
  await setEmployee(world, {
    time_zone: 'Asia/Tokyo',
    calc_vacation_options: 'custom',
    hours_on_vacation_day: 3,
    calc_holiday_options: 'custom',
    custom_holiday_hours: 1,
  });
}

describe('closed days', () => {
  it('stay as they were, whatever setting changes later', async () => {
    const world = await twoMonths();
    const before = [await shown(world, ...january), await shown(world, ...partOfJanuary)];
    await closed(world, '2026-01');
    expect([await shown(world, ...january), await shown(world, ...partOfJanuary)]).toEqual(before);
    await changeSettings(world);
    await setTarget(world, { start_date: '2026-02-01', is_mon: true, mon: 4 });
    const inBerlin = (text: string) => text.replaceAll(/T[\d:]+\+09:00/g, '');
    const after = [await shown(world, ...january), await shown(world, ...partOfJanuary)];
    const withoutTimes = (value: unknown) => inBerlin(JSON.stringify(value).replaceAll(/T[\d:]+\+01:00/g, ''));
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
    await cacheMonthsOf(world.db, world.accountId, [world.employee.id], '2026-03-01');
    expect(withoutTimes([await shown(world, ...january), await shown(world, ...partOfJanuary)])).toEqual(
      withoutTimes(before),
    );
  });

  it('agree with cached months beside them, also when they are reopened after the zone has changed', async () => {
    const world = await twoMonths();
    const { db, accountId, employee } = world;
    const balances = async () => [await balanceOn(world, '2026-01-31'), await balanceOn(world, '2026-03-10')];
    const inAllWays = async () => {
      const withWhatIsLeft = await balances();
      await db.deleteFrom('month_cache').where('account_id', '=', accountId).execute();
      expect(await balances()).toEqual(withWhatIsLeft);
      await cacheMonthsOf(db, accountId, [employee.id], '2026-03-01');
      expect(await balances()).toEqual(withWhatIsLeft);
      return withWhatIsLeft;
    };
    const before = await inAllWays();
    const id = await closed(world, '2026-01');
    expect(await inAllWays()).toEqual(before);
    // In Tokyo, the work of the last evening of January begins in February.
    await setEmployee(world, { time_zone: 'Asia/Tokyo' });
    expect(await inAllWays()).toEqual(before);
    expect((await reopen(world.admin, id)).status).toBe(200);
    const after = await inAllWays();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it('pass their balance on to the first open day, also over several months', async () => {
    const world = await twoMonths();
    await closed(world, '2026-01');
    const atTheEnd = await balanceOn(world, '2026-01-31');
    const [first] = await ledger(world, '2026-02-01');
    expect(first).toMatchObject({ seconds: { balance: atTheEnd, change: 0 } });
    await book(world, '2026-02-01', 1);
    expect(await balanceOn(world, '2026-02-01')).toBe(atTheEnd + 3600);
    expect((await summaryOf(world, '2026-01-15', '2026-02-01')).balance).toBe((atTheEnd + 3600) / 3600);
    const february = await balanceOn(world, '2026-02-28');
    await closed(world, '2026-02');
    expect(await balanceOn(world, '2026-02-28')).toBe(february);
    expect((await summaryOf(world, '2026-02-01', '2026-02-28')).opening_balance).toBe(atTheEnd / 3600);
  });

  it('keep the balance with which the time account started, in both APIs', async () => {
    const world = await twoMonths();
    const { admin, enterprise, employee } = world;
    await setEmployee(world, { initial_time_account: 2.5 });
    const period = await closed(world, '2026-01');
    const balance = await balanceOn(world, '2026-02-28');
    const attempts = (initial_time_account: number) => [
      admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', { initial_time_account }) }),
      enterprise('updatePublicUser', { body: { user: { id: employee.id, initial_time_account } } }),
    ];
    for (const attempt of attempts(100)) {
      const refused = await attempt;
      expect([refused.status, pointersIn(refused), titlesIn(refused)]).toEqual([
        400,
        ['initial_time_account'],
        [expect.stringMatching(/^initial_time_account must stay 2\.5, .*2026-02-01.* time account entry/)],
      ]);
      expect(refused.body.errors[0].code).toBe('closed_period');
    }
    for (const attempt of attempts(2.5)) expect((await attempt).status).toBe(200);
    const { data_profiles: _, ...user } = (await enterprise('findPublicUsers', { query: { id: employee.id } })).body;
    expect((await enterprise('updatePublicUser', { body: { user } })).status).toBe(200);
    expect(await balanceOn(world, '2026-02-28')).toBe(balance);
    await reopen(admin, period);
    for (const attempt of attempts(3.5)) expect((await attempt).status).toBe(200);
    expect(await balanceOn(world, '2026-02-28')).toBe(balance + 3600);
  });

  it('lose and gain no work where the user moves to another zone', async () => {
    const world = await newWorld();
    // The first is closed with January. The second begins on the first open moment.
    await worked(world, '2026-01-31T20:00:00+01:00', '2026-01-31T23:00:00+01:00');
    await worked(world, '2026-02-01T00:00:00+01:00', '2026-02-01T05:00:00+01:00');
    await closed(world, '2026-01');
    const net = async () => [
      (await summaryOf(world, '2026-01-01', '2026-01-31')).net,
      (await summaryOf(world, '2026-01-31', '2026-02-01')).net,
      (await summaryOf(world, '2026-02-01', '2026-02-28')).net,
      ...(await ledger(world, '2026-01-31', '2026-02-01')).map(({ worked: hours }) => hours),
    ];
    expect(await net()).toEqual([3, 8, 5, 3, 5]);
    for (const time_zone of ['America/New_York', 'Asia/Tokyo']) {
      await setEmployee(world, { time_zone });
      expect(await net()).toEqual([3, 8, 5, 3, 5]);
    }
    await closed(world, '2026-02');
    expect(await net()).toEqual([3, 8, 5, 3, 5]);
  });

  it('keep the names of their absence types', async () => {
    const world = await twoMonths();
    await closed(world, '2026-01');
    const [{ absence_type_id }] = (await summaryOf(world, ...january)).absences;
    await asked(world, 'updateAbsenceType', {
      params: { absence_type_id },
      body: bodyOf('absence_type', { title: 'Holiday' }),
    });
    expect((await summaryOf(world, ...january)).absences[0]).toMatchObject({ title: 'Urlaub', days: 2, hours: 16 });
    expect((await summaryOf(world, '2026-01-02', '2026-01-31')).absences[0]).toMatchObject({ days: 2, hours: 16 });
  });
});
