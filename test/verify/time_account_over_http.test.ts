import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheMonthsOf } from '../../src/days/balance/month_cache_job.ts';
import { hoursOf } from '../../src/days/calendar/worked_time.ts';
import { found } from './time_account/compared_figures.ts';
import { turned } from './time_account/printed_calendar.ts';
import { anyScenario, type Scenario } from './time_account/scenarios.ts';
import { changeOldRecords, storable, store } from './time_account/stored_scenario.ts';
import { repetitions, seed, tally, walkTimeoutMs } from '../support/verification.ts';
import { newWorld } from '../support/world.ts';

/* Compares the responses of both APIs about the time account with the oracle. It shares only the rows of the database with the service. */

describe('the days, the overtime and the evaluations of a user', () => {
  it(
    'are what the oracle finds',
    async () => {
      const cases = tally('random users, read through both APIs and compared with the oracle');
      const world = await newWorld();
      const { admin, enterprise } = world;
      for (const random of fc.sample(anyScenario, { numRuns: repetitions(8, 1_000), seed })) {
        cases.count();
        const scenario = storable(random);
        const user = await world.addMember('employee');
        const { absenceIds, trackingIds } = await store(world, user, scenario);
        const days = found(scenario).ledger;
        const params = { user_id: user.id };
        const { body } = await admin.call('getUserDays', { params, query: { ...scenario.range } });
        const summary = await admin.call('getRecordsSummary', { params, query: { date: scenario.range.to } });
        const range = { range_start: scenario.range.from, range_end: scenario.range.to };
        const page = await enterprise('findEvaluations', { query: { ...params, ...range } });
        try {
          expect(
            body.data.map(({ attributes }: { attributes: Record<string, object> }) => {
              const { date, seconds, is_confirmed, holiday, absences, time_trackings } = attributes;
              return { date, ...seconds, is_confirmed, holiday, absences, time_trackings };
            }),
          ).toEqual(
            days.map((day) => ({
              date: day.date,
              plan: 0,
              target: day.target,
              worked: day.worked.all,
              confirmed_worked: day.worked.confirmed,
              breaks: day.breaks,
              absence_credit: day.absenceCredit,
              holiday_credit: day.holidayCredit,
              adjustment: day.adjustment,
              change: day.change.all,
              confirmed_change: day.change.confirmed,
              balance: day.balance.all,
              confirmed_balance: day.balance.confirmed,
              is_confirmed: day.isConfirmed,
              holiday: day.holiday,
              absences: day.absenceIds.map((id) => String(absenceIds.get(id))),
              time_trackings: expect.toSatisfy((ids: string[]) =>
                sameItems(
                  ids,
                  day.timeTrackingIds.map((id) => trackingIds.get(id)!),
                ),
              ),
            })),
          );
          expect(summary.body.data.attributes).toEqual({
            total_overtime_in_sec: days.at(-1)!.balance.all,
            confirmed_total_overtime_in_sec: days.at(-1)!.balance.confirmed,
          });
          const accounted = days.filter(({ date }) => date >= scenario.person.start_of_accounting).slice(0, 25);
          expect(page.body.evaluations).toMatchObject(
            accounted.map((day) => ({
              day: day.date,
              target: hoursOf(day.target),
              actual: hoursOf(day.worked.all),
              vacation: hoursOf(day.credits.vacation),
              compensation: hoursOf(day.credits.overtime),
              charged: hoursOf(day.charged.all),
              payout: hoursOf(day.payout),
            })),
          );
        } catch (error) {
          cases.fail(`${(error as Error).message}\n${JSON.stringify(scenario)}`);
        }
      }
      cases.close();
    },
    walkTimeoutMs,
  );
});

describe('the balance of a user with a long history', () => {
  it(
    'is what the oracle finds, from cached months, and after old records have changed',
    async () => {
      const cases = tally(
        'random users with cached months, before and after a change of old records, compared with the oracle',
      );
      const world = await newWorld();
      const { db, accountId, admin } = world;
      for (const random of fc.sample(anyScenario, { numRuns: repetitions(6, 300), seed })) {
        cases.count();
        const to = turned(random.anchor, 600);
        const scenario = storable({ ...random, range: { ...random.range, to } });
        const user = await world.addMember('employee');
        const records = await store(world, user, scenario);
        const cachedMonths = () =>
          db
            .selectFrom('month_cache')
            .select('month')
            .where('account_id', '=', accountId)
            .where('user_id', '=', user.id)
            .orderBy('month')
            .execute();
        const compare = async (expected: Scenario): Promise<void> => {
          const balances = new Map(found(expected).ledger.map(({ date, balance }) => [date, balance]));
          for (const days of [20, 61, 180, 365, 600]) {
            const date = turned(random.anchor, days);
            const { body } = await admin.call('getRecordsSummary', { params: { user_id: user.id }, query: { date } });
            expect(body.data.attributes, date).toEqual({
              total_overtime_in_sec: balances.get(date)!.all,
              confirmed_total_overtime_in_sec: balances.get(date)!.confirmed,
            });
          }
        };
        try {
          await compare(scenario);
          await cacheMonthsOf(db, accountId, [user.id], `${to.slice(0, 7)}-01`);
          const cached = await cachedMonths();
          await compare(scenario);
          const changed = await changeOldRecords(world, user, records, scenario);
          const left = await cachedMonths();
          expect(left.length).toBeGreaterThan(10);
          expect(left.length).toBeLessThan(cached.length);
          await compare(changed);
          await cacheMonthsOf(db, accountId, [user.id], `${to.slice(0, 7)}-01`);
          expect(await cachedMonths()).toEqual(cached);
          await compare(changed);
        } catch (error) {
          cases.fail(`${(error as Error).message}\n${JSON.stringify(scenario)}`);
        }
      }
      cases.close();
    },
    walkTimeoutMs,
  );
});

/** Work that begins at the same moment has no fixed order. */
const sameItems = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
