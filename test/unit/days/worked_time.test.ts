import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { wholeSeconds } from '../../../src/platform/core/time.ts';
import {
  breakDuration,
  hoursOf,
  secondsOf,
  workedSeconds,
  type Span,
  type Worked,
} from '../../../src/days/calendar/worked_time.ts';

const now = new Date('2026-01-05T12:00:00Z');
const at = (time: string): Date => new Date(`2026-01-05T${time}Z`);
const span = (from: string, to: string | null): Span => ({ starts_at: at(from), ends_at: to === null ? null : at(to) });
const tracking = (from: string, to: string | null, breaks: Span[] = [], custom: number | null = null): Worked => ({
  ...span(from, to),
  breaks,
  force_custom_break_duration: custom !== null,
  custom_break_s: custom,
  manual_pause_min: null,
});
const hours = (worked: Worked) => {
  const { gross, pause, net } = workedSeconds(worked, now);
  return [hoursOf(gross), hoursOf(net), hoursOf(pause)];
};

describe('worked time', () => {
  it('of 6 minutes with a 1-minute break is 0.1, 0.08 and 0.02', () => {
    const worked = tracking('08:00:00', '08:06:00', [span('08:02:00', '08:03:00')]);
    expect(hours(worked)).toEqual([0.1, 0.08, 0.02]);
    expect(breakDuration(worked, now)).toBe(60);
  });

  it('with a break of one hour has a break_duration of 3600', () => {
    expect(breakDuration(tracking('08:00:00', '17:00:00', [span('12:00:00', '13:00:00')]), now)).toBe(3600);
  });

  it('without a break has no break_duration', () => {
    const worked = tracking('08:00:00', '10:00:00');
    expect(breakDuration(worked, now)).toBeNull();
    expect(hours(worked)).toEqual([2, 2, 0]);
  });

  it('follows a break given by hand', () => {
    const worked = tracking('08:00:00', '10:00:00', [span('08:30:00', '08:40:00')], 1800);
    expect(breakDuration(worked, now)).toBe(1800);
    expect(hours(worked)).toEqual([2, 1.5, 0.5]);
    expect(breakDuration({ ...worked, force_custom_break_duration: false }, now)).toBe(600);
    expect(breakDuration({ ...worked, custom_break_s: null }, now)).toBe(600);
  });

  it('adds a manual pause to all other breaks', () => {
    const plain = { ...tracking('08:00:00', '10:00:00'), manual_pause_min: 30 };
    expect([breakDuration(plain, now), ...hours(plain)]).toEqual([1800, 2, 1.5, 0.5]);
    const timed = { ...tracking('08:00:00', '10:00:00', [span('08:30:00', '08:40:00')]), manual_pause_min: 30 };
    expect(breakDuration(timed, now)).toBe(2400);
    const forced = { ...timed, force_custom_break_duration: true, custom_break_s: 60 };
    expect(breakDuration(forced, now)).toBe(1860);
    expect(breakDuration({ ...plain, manual_pause_min: 0 }, now)).toBe(0);
  });

  it('reaches up to now while running, and so does an open break', () => {
    const worked = tracking('08:00:00', null, [span('09:00:00', '09:15:00'), span('11:30:00', null)]);
    expect(hours(worked)).toEqual([4, 3.25, 0.75]);
    expect(breakDuration(worked, now)).toBe(45 * 60);
  });

  it('is never less than nothing', () => {
    expect(hours(tracking('11:50:00', null, [], 3600))).toEqual([0.17, 0, 0.17]);
    expect(hours(tracking('12:30:00', null))).toEqual([0, 0, 0]);
  });

  it('rounds once, from the seconds, half up', () => {
    expect([17, 18, 54, 3599, 3600].map(hoursOf)).toEqual([0, 0.01, 0.02, 1, 1]);
    expect(hoursOf(1000 * 20 * 60)).toBe(333.33);
    expect(hoursOf(1200)).toBe(0.33);
  });

  it('counts whole seconds', () => {
    expect(secondsOf({ starts_at: at('08:00:00'), ends_at: null }, new Date('2026-01-05T08:00:01.999Z'))).toBe(1);
    expect(wholeSeconds(new Date('2026-01-05T08:00:01.999Z'))).toEqual(at('08:00:01'));
  });
});

describe('a night shift from 22:00 to 06:00', () => {
  it.each([
    ['Europe/Berlin', '2026-03-28', 7],
    ['Europe/Berlin', '2026-10-24', 9],
    ['Europe/Berlin', '2026-06-13', 8],
    ['America/New_York', '2026-03-07', 7],
    ['America/New_York', '2026-10-31', 9],
    ['Australia/Lord_Howe', '2026-10-03', 7.5],
    ['Australia/Lord_Howe', '2026-04-04', 8.5],
  ])('in %s on %s has %d hours', (zone, day, expected) => {
    const evening = DateTime.fromISO(`${day}T22:00:00`, { zone });
    const morning = evening.plus({ days: 1 }).set({ hour: 6 });
    const gross = secondsOf({ starts_at: evening.toJSDate(), ends_at: morning.toJSDate() }, now);
    expect(hoursOf(gross)).toBe(expected);
  });
});
