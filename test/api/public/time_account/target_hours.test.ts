import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newWorld, type World } from '../../../support/world.ts';
import { setTarget } from '../../v3/time_account/support.ts';

const list = ({ enterprise, employee }: World, query: object = {}) =>
  enterprise('listPublicTargetHours', { query: { user_id: employee.id, ...query } });

const startsOf = async (world: World, query: object = {}): Promise<string[]> =>
  (await list(world, query)).body.target_hours.map(({ start_date }: { start_date: string }) => start_date);

/** Monday to Friday, then 30 hours a week, then a cycle. */
async function worldWithThree(): Promise<World> {
  const world = await newWorld();
  const cycle = [{ day_type: 'workday', hours: 8.25 }, { day_type: 'freeday' }];
  await setTarget(world, { start_date: '2026-04-01', is_week: true, week: 30, is_mon: true, is_tue: true });
  await setTarget(world, { start_date: '2026-07-01', target_working_days_attributes: cycle, target_limited: true });
  return world;
}

describe('listPublicTargetHours', () => {
  it('200 with the newest first, each until the day before the next', async () => {
    const world = await worldWithThree();
    const { status, body } = await list(world);
    expect(status).toBe(200);
    expect(body).toMatchObject({ page_number: 1, total_pages: 1, next_page: null });
    const none = { is_mon: false, is_tue: false, is_wed: false, is_thu: false, is_fri: false };
    const noHours = { mon: 0, tue: 0, wed: 0, thu: 0, fri: 0, sat: 0, sun: 0, week: 0, month: 0 };
    const times = { created_at: expect.stringMatching(/Z$/), updated_at: expect.stringMatching(/Z$/) };
    const weekly = {
      id: expect.any(Number),
      rhythm_type: 'weekly',
      is_week: false,
      is_month: false,
      per_day: true,
      is_sat: false,
      is_sun: false,
      target_working_days: [],
      regard_holidays: true,
      target_limited: false,
      status: 'success',
      ...times,
    };
    expect(body.target_hours).toEqual([
      {
        ...weekly,
        ...none,
        ...noHours,
        rhythm_type: 'free',
        start_date: '2026-07-01',
        end_date: null,
        target_working_days: [
          { id: expect.any(Number), day_type: 'workday', hours: 8.25 },
          { id: expect.any(Number), day_type: 'freeday', hours: 0 },
        ],
        target_limited: true,
        updated_by_id: world.admin.id,
      },
      {
        ...weekly,
        ...none,
        ...noHours,
        start_date: '2026-04-01',
        end_date: '2026-06-30',
        is_week: true,
        per_day: false,
        week: 30,
        is_mon: true,
        is_tue: true,
        updated_by_id: world.admin.id,
      },
      {
        ...weekly,
        ...noHours,
        start_date: '2026-01-01',
        end_date: '2026-03-31',
        ...{ is_mon: true, is_tue: true, is_wed: true, is_thu: true, is_fri: true },
        ...{ mon: 8, tue: 8, wed: 8, thu: 8, fri: 8 },
        updated_by_id: null,
      },
    ]);
  });

  it('200 with those that apply on some of the days', async () => {
    const world = await worldWithThree();
    expect(await startsOf(world, { start_date: '2026-06-30' })).toEqual(['2026-07-01', '2026-04-01']);
    expect(await startsOf(world, { start_date: '2026-07-01' })).toEqual(['2026-07-01']);
    expect(await startsOf(world, { end_date: '2026-04-01' })).toEqual(['2026-04-01', '2026-01-01']);
    expect(await startsOf(world, { start_date: '2026-03-31', end_date: '2026-03-31T23:59:59+02:00' })).toEqual([
      '2026-01-01',
    ]);
    expect(await startsOf(world, { end_date: '2025-12-31' })).toEqual([]);
  });

  it('200 with 25 per page', async () => {
    const world = await newWorld();
    for (let day = 1; day <= 25; day++)
      await setTarget(world, { start_date: `2027-01-${String(day).padStart(2, '0')}`, is_mon: true, mon: 8 });
    const { body } = await list(world);
    expect(body.target_hours).toHaveLength(25);
    expect(body.next_page).toContain('page=2');
    expect(await startsOf(world, { page: 2 })).toEqual(['2026-01-01']);
  });

  it('400 without a user and for an invalid day, 404 for an unknown user and one of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const nameless = await world.enterprise('listPublicTargetHours');
    expect([nameless.status, pointersIn(nameless)]).toEqual([400, ['user_id']]);
    expect(pointersIn(await list(world, { start_date: '2026-02-30' }))).toEqual(['start_date']);
    for (const user_id of [999_999_999, other.employee.id])
      expect((await world.enterprise('listPublicTargetHours', { query: { user_id } })).status).toBe(404);
  });
});
