import { describe, expect, it } from 'vitest';
import { cacheMonthsOf } from '../../../../src/days/balance/month_cache_job.ts';
import { addDays } from '../../../../src/days/calendar/dates.ts';
import { rowsDuring } from '../../../support/database/statements.ts';
import { insertTimeTracking } from '../../../support/records.ts';
import { bodyOf, newWorld, type World } from '../../../support/world.ts';

const first = '2024-03-01';
const perDay = 4;

/** Some days of work in a zone far from UTC, with pieces on both sides of midnight there and in UTC. Every third is confirmed. */
async function workFrom(world: World, dates: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const date of dates)
    for (let hour = 0; hour < 24; hour += 24 / perDay) {
      const starts_at = new Date(Date.parse(date) + hour * 3_600_000);
      const ends_at = new Date(starts_at.getTime() + (61 + ids.length) * 60_000);
      ids.push(await insertTimeTracking(world, world.employee.id, { starts_at, ends_at }));
    }
  const confirmed = ids.filter((_id, index) => index % 3 === 0);
  await world.db.updateTable('time_trackings').set({ confirmed: true }).where('account_id', '=', world.accountId).where('id', 'in', confirmed).execute(); // prettier-ignore
  return ids;
}

const datesFrom = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addDays(date, index));

/** A world whose employee has a zone of their own and a balance since 2024. */
async function worldSince(time_zone: string): Promise<World> {
  const world = await newWorld();
  await world.db
    .updateTable('users')
    .set({ time_zone, start_of_accounting: first })
    .where('account_id', '=', world.accountId)
    .where('id', '=', world.employee.id)
    .execute();
  return world;
}

async function daysOf({ admin, employee }: World, from: string, to: string) {
  const { status, body } = await admin.call('getUserDays', {
    params: { user_id: employee.id },
    query: { from, to },
  });
  expect([status, body.errors]).toEqual([200, undefined]);
  return (body.data as { attributes: { date: string } }[]).map(({ attributes }) => attributes);
}

describe('the days of a user with a history', { timeout: 300_000 }, () => {
  it.each(['Pacific/Auckland', 'America/Los_Angeles', 'Europe/Berlin'])(
    'are the same from sums of days, from kept months and from all work, also after an old change, in %s',
    async (zone) => {
      const world = await worldSince(zone);
      const { db, accountId, employee, admin } = world;
      // Summer time begins and ends within these days.
      const [id] = await workFrom(world, [...datesFrom('2024-03-29', 4), ...datesFrom('2024-10-26', 3)]);
      const [last, end] = ['2025-01-30', '2025-01-31'];
      const inBothWays = async () => {
        // The range begins with the account, so that it needs no history.
        const all = await daysOf(world, first, end);
        for (const from of ['2024-03-31', '2024-04-01', '2024-10-27', '2024-10-28', last])
          expect(await daysOf(world, from, end)).toEqual(all.filter(({ date }) => date >= from));
        return all;
      };
      const before = await inBothWays();
      await cacheMonthsOf(db, accountId, [employee.id], '2025-01-01');
      expect(await inBothWays()).toEqual(before);
      const changed = await admin.call('updateTimeTracking', {
        params: { time_tracking_id: id! },
        body: bodyOf('time_tracking', { ends_at: '2024-03-29T04:00:00Z' }),
      });
      expect(changed.status).toBe(200);
      const after = await inBothWays();
      expect(after.at(-1)).not.toEqual(before.at(-1));
    },
  );

  it('need one row for each year of history, however many days and time trackings it has', async () => {
    const world = await worldSince('Europe/Berlin');
    await workFrom(world, datesFrom('2024-04-01', 5));
    const rowsOf = (year: number) =>
      rowsDuring(() => daysOf(world, `${year}-01-30`, `${year}-01-31`), /time_trackings/);
    const few = await rowsOf(2025);
    expect(few).toBeGreaterThan(0);
    await workFrom(world, datesFrom('2024-05-01', 10));
    expect(await rowsOf(2025)).toBe(few);
    for (const year of [2025, 2026, 2027]) await workFrom(world, datesFrom(`${year}-05-01`, 10));
    expect(await rowsOf(2028)).toBe(few + 3);
  });
});
