import { describe, expect, it } from 'vitest';
import { addDays, dayNumberOf } from '../../../../src/days/calendar/dates.ts';
import { localDay } from '../../../../src/platform/core/time.ts';
import { planTuesday } from '../../shared/planning/support.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { statementsDuring } from '../../../support/database/statements.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';
import { absent, asked, book, ledger, setEmployee, setTarget, work } from '../../v3/time_account/support.ts';

const idOf = ({ employee }: World, day: string): number => employee.id * 100_000 + dayNumberOf(day);

const list = ({ enterprise, employee }: World, query: object) =>
  enterprise('findEvaluations', { query: { user_id: employee.id, ...query } });

const evaluationsOf = async (world: World, range_start: string, range_end = range_start) => {
  const { status, body } = await list(world, { range_start, range_end });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.evaluations as Record<string, unknown>[];
};

/** The accounting of the employee starts on Monday, 30 March 2026. */
async function worldFromMarch(own: object = {}): Promise<World> {
  const world = await newWorld();
  await setEmployee(world, { start_of_accounting: '2026-03-30', ...own });
  return world;
}

const nothing = {
  target: 8,
  plan: 0,
  actual: 0,
  vacation: 0,
  compensation: 0,
  charged: 0,
  payout: 0,
  vacation_source_id: null,
  vacation_source_type: null,
};

describe('findEvaluations', () => {
  it('200 plans the published shifts that begin on the local day', async () => {
    const world = await newEnterprise();
    await setEmployee(world, { start_of_accounting: '2026-03-30' });
    const { id: elsewhere } = await world.newLocation('Elsewhere');
    await planTuesday(world, elsewhere);
    const days = await evaluationsOf(world, '2026-03-30', '2026-04-02');
    expect(days.map(({ plan }) => plan)).toEqual([4, 10.5, 3, 0]);
    const tuesday = await world.enterprise('findEvaluations', { query: { id: idOf(world, '2026-03-31') } });
    expect(tuesday.body).toMatchObject({ plan: 10.5, target: 8, actual: 0, charged: 0 });
    const deleted = await world.admin.call('deleteWorkspace', { params: { workspace_id: elsewhere } });
    expect(deleted.status).toBe(200);
    const left = await evaluationsOf(world, '2026-03-30', '2026-04-02');
    expect(left.map(({ plan }) => plan)).toEqual([4, 8, 3, 0]);
  });

  it('200 has every day of the range, by day, with what was owed, worked and credited', async () => {
    const world = await worldFromMarch();
    await work(world, '2026-03-31T08:00:00+02:00', '2026-03-31T17:08:06+02:00');
    const vacation = Number(await absent(world, 'vacation', '2026-04-01'));
    await absent(world, 'overtime', '2026-04-02');
    await absent(world, 'sickness', '2026-04-03');
    await book(world, '2026-04-03', -3.5, 'payout');
    await book(world, '2026-04-03', 1);
    const user_id = world.employee.id;
    const days = await evaluationsOf(world, '2026-03-30', '2026-04-04');
    const ofDay = (day: string, own: object) => ({
      id: idOf(world, day),
      user_id,
      day,
      ...nothing,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      ...own,
    });
    expect(days).toEqual([
      ofDay('2026-03-30', { created_at: '2026-03-30T00:00:00+02:00', updated_at: '2026-03-30T00:00:00+02:00' }),
      // 9:08:06 hours are 32,886 seconds.
      ofDay('2026-03-31', { actual: 9.14, charged: 9.14 }),
      ofDay('2026-04-01', {
        vacation: 8,
        charged: 8,
        vacation_source_id: vacation,
        vacation_source_type: 'Absence',
      }),
      ofDay('2026-04-02', { compensation: 8 }),
      ofDay('2026-04-03', { charged: 8, payout: 3.5 }),
      ofDay('2026-04-04', { target: 0 }),
    ]);
  });

  it('200 agrees with the days of the resource API', async () => {
    const world = await worldFromMarch();
    await setTarget(world, { start_date: '2026-03-31', target_limited: true, is_tue: true, tue: 8 });
    await work(world, '2026-03-31T22:00:00+02:00', '2026-04-01T08:00:00+02:00');
    await asked(world, 'createPublicHoliday', {
      body: bodyOf('public_holiday', { date: '2026-03-30', title: 'Founding Day', factor: 0.5 }),
    });
    expect(await evaluationsOf(world, '2026-03-30', '2026-04-01')).toMatchObject([
      { target: 8, charged: 4 },
      { target: 8, actual: 10, charged: 8 },
      { target: 0, actual: 0, charged: 0 },
    ]);
    const days = await ledger(world, '2026-03-30', '2026-04-01');
    expect(days.map(({ change }) => change)).toEqual([-4, 0, 0]);
  });

  it('200 with the time of the last change on its day', async () => {
    const world = await worldFromMarch({ time_zone: 'America/New_York' });
    const id = await work(world, '2026-03-31T03:30:00Z', '2026-03-31T04:30:00Z');
    const { data } = await asked(world, 'getTimeTracking', { params: { time_tracking_id: id } });
    const [monday, tuesday] = await evaluationsOf(world, '2026-03-30', '2026-03-31');
    expect(new Date(String(monday!['updated_at']))).toEqual(new Date(data.attributes.updated_at));
    expect(monday!['updated_at']).toMatch(/-0[45]:00$/);
    expect(tuesday!['updated_at']).toBe('2026-03-31T00:00:00-04:00');
  });

  it('200 leaves out days before the start of accounting, and ends today by default', async () => {
    const world = await newWorld();
    const today = localDay(new Date(), 'Europe/Berlin');
    await setEmployee(world, { start_of_accounting: addDays(today, -2) });
    const { body } = await list(world, { range_start: '2020-01-01' });
    expect(body.evaluations.map(({ day }: { day: string }) => day)).toEqual([addDays(today, -2), addDays(today, -1), today]); // prettier-ignore
    expect((await list(world, { range_start: addDays(today, 3) })).body.evaluations).toEqual([]);
  });

  it('200 with 25 per page, for a user named by external id', async () => {
    const world = await worldFromMarch({ external_id: 'erika' });
    const pageOf = async (page: number) =>
      (
        await world.enterprise('findEvaluations', {
          query: { user_external_id: 'erika', range_start: '2026-03-30', range_end: '2026-04-24T12:00:00+02:00', page },
        })
      ).body;
    const [first, second, third] = [await pageOf(1), await pageOf(2), await pageOf(3)];
    expect(first).toMatchObject({ page_number: 1, total_pages: 2, next_page: expect.stringContaining('page=2') });
    expect(first.evaluations).toHaveLength(25);
    expect(second.evaluations).toMatchObject([{ day: '2026-04-24' }]);
    expect(second.next_page).toBeNull();
    expect(third).toMatchObject({ evaluations: [], page_number: 3, total_pages: 2, next_page: null });
  });

  it('200 with one evaluation by id, in as many statements as for a page', async () => {
    const world = await worldFromMarch();
    await work(world, '2026-03-31T08:00:00+02:00', '2026-03-31T16:00:00+02:00');
    const query = { id: idOf(world, '2026-03-31') };
    const { status, body } = await world.enterprise('findEvaluations', { query });
    expect(status).toBe(200);
    expect(body).toEqual((await evaluationsOf(world, '2026-03-31'))[0]);
    const one = await statementsDuring(() => evaluationsOf(world, '2026-03-31'));
    expect(await statementsDuring(() => evaluationsOf(world, '2026-03-31', '2026-04-24'))).toBe(one);
  });

  it('400 names what is missing, and a range in the wrong order', async () => {
    const world = await newWorld();
    const missing = await world.enterprise('findEvaluations');
    expect(missing.status).toBe(400);
    expect(titlesIn(missing)).toEqual([
      'user_id is required unless id names one evaluation.',
      'range_start is required unless id names one evaluation.',
    ]);
    const turned = await list(world, { range_start: '2026-05-02', range_end: '2026-05-01' });
    expect(titlesIn(turned)).toEqual([
      'range_end must not lie before range_start, which is 2026-05-02, but was 2026-05-01.',
    ]);
    const wrong = await list(world, { range_start: 'May', page: 0 });
    expect(pointersIn(wrong)).toEqual(['range_start', 'page']);
  });

  it('404 for an unknown user, one of another account, and a day without an evaluation', async () => {
    const [world, other] = [await worldFromMarch(), await worldFromMarch()];
    const statusOf = async (query: object) =>
      (await world.enterprise('findEvaluations', { query: query as Record<string, number> })).status;
    expect(await statusOf({ user_id: 999_999_999, range_start: '2026-05-01' })).toBe(404);
    expect(await statusOf({ user_id: other.employee.id, range_start: '2026-05-01' })).toBe(404);
    expect(await statusOf({ id: idOf(world, '2026-03-30') })).toBe(200);
    expect(await statusOf({ id: idOf(world, '2026-03-29') })).toBe(404);
    expect(await statusOf({ id: idOf(other, '2026-03-30') })).toBe(404);
    expect(await statusOf({ id: 7 })).toBe(404);
  });
});
