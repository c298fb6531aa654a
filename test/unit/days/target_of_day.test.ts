import { describe, expect, it } from 'vitest';
import { datesIn } from '../../../src/days/calendar/dates.ts';
import { targetOfDay, type TargetPlan } from '../../../src/days/calendar/target_of_day.ts';
import { cycle, hour, mondayToFriday, mondayToWednesday, weekly } from './calendars.ts';

const planOf = (...target_hours: TargetPlan['target_hours']): TargetPlan => ({
  start_of_accounting: '2020-01-01',
  end_of_contract: null,
  target_hours,
});
const targets = (plan: TargetPlan, from: string, to: string): number[] =>
  datesIn({ from, to }).map((date) => targetOfDay(plan, date).seconds);
const hours = (plan: TargetPlan, from: string, to: string): number[] =>
  targets(plan, from, to).map((seconds) => seconds / hour);

const allDays = [0, 0, 0, 0, 0, 0, 0];
const workdays = [0, 0, 0, 0, 0, null, null];

describe('the weekly target', () => {
  it('is the hours of the weekday, where that is worked', () => {
    expect(hours(planOf(weekly([8, 7.5, 8, 6, 4.25, null, null])), '2026-05-04', '2026-05-10')).toEqual([
      8, 7.5, 8, 6, 4.25, 0, 0,
    ]);
  });

  it('is nothing on a weekday that has hours but is not worked', () => {
    const { weekdays } = mondayToFriday;
    const plan = planOf({ ...mondayToFriday, weekdays: weekdays.map((day) => ({ ...day, isWorkday: false })) });
    expect(hours(plan, '2026-05-04', '2026-05-10')).toEqual(allDays);
  });

  it('spreads a week over its workdays, in whole seconds with the remainder on the last', () => {
    const contract = planOf(weekly(workdays, { is_week: true, weekSeconds: 38.5 * hour }));
    expect(hours(contract, '2026-05-04', '2026-05-10')).toEqual([7.7, 7.7, 7.7, 7.7, 7.7, 0, 0]);
    const daily = planOf(weekly(allDays, { is_week: true, weekSeconds: 10 * hour }));
    expect(targets(daily, '2026-05-04', '2026-05-10')).toEqual([5142, 5142, 5142, 5142, 5142, 5142, 5148]);
  });

  it('spreads a month over its workdays, in whole seconds with the remainder on the last', () => {
    const plan = planOf(weekly(workdays, { is_month: true, monthSeconds: 160 * hour }));
    expect(new Set(targets(plan, '2026-02-02', '2026-02-06'))).toEqual(new Set([8 * hour]));
    const may = targets(plan, '2026-05-01', '2026-05-31').filter((seconds) => seconds > 0);
    expect([may.length, may[0], may.at(-1)]).toEqual([21, 27_428, 27_440]);
    expect(may.reduce((sum, seconds) => sum + seconds, 0)).toBe(160 * hour);
  });

  it('spreads nothing where weekdays have hours, or where each day is to have its own', () => {
    const own = planOf(weekly([8, 0, null, null, null, null, null], { is_week: true, weekSeconds: 20 * hour }));
    expect(hours(own, '2026-05-04', '2026-05-05')).toEqual([8, 0]);
    const empty = planOf(weekly(workdays, { per_day: true, is_week: true, weekSeconds: 20 * hour }));
    expect(hours(empty, '2026-05-04', '2026-05-05')).toEqual([0, 0]);
  });

  it('spreads nothing where no weekday is worked', () => {
    const plan = planOf(weekly([null, null, null, null, null, null, null], { is_month: true, monthSeconds: hour }));
    expect(new Set(hours(plan, '2026-05-01', '2026-05-31'))).toEqual(new Set([0]));
  });
});

describe('the free target', () => {
  it('repeats a cycle of four days on and two off, from its first day', () => {
    const plan = planOf(cycle('2026-02-26', 8, 8, 8, 8, 0, 0));
    expect(hours(plan, '2026-02-26', '2026-03-10')).toEqual([8, 8, 8, 8, 0, 0, 8, 8, 8, 8, 0, 0, 8]);
  });
});

describe('the target in force', () => {
  it('is the latest that has started, and none before the first', () => {
    const plan = planOf(
      { ...mondayToFriday, start_date: '2026-05-05' },
      { ...mondayToWednesday, start_date: '2026-05-06' },
    );
    expect(hours(plan, '2026-05-04', '2026-05-07')).toEqual([0, 8, 8, 0]);
    expect(hours(planOf(), '2026-05-04', '2026-05-05')).toEqual([0, 0]);
  });

  it('is owed from the start of accounting to the end of the contract, both included', () => {
    const plan = { ...planOf(mondayToFriday), start_of_accounting: '2026-05-05', end_of_contract: '2026-05-07' };
    expect(hours(plan, '2026-05-04', '2026-05-08')).toEqual([0, 8, 8, 8, 0]);
  });

  it('says whether work beyond it counts', () => {
    expect(targetOfDay(planOf({ ...mondayToFriday, target_limited: true }), '2026-05-04').isLimited).toBe(true);
    expect(targetOfDay(planOf(mondayToFriday), '2026-05-04').isLimited).toBe(false);
  });
});
