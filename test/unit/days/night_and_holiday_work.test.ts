import { describe, expect, it } from 'vitest';
import { nightAndHolidayWork, workedSpans } from '../../../src/days/calendar/night_and_holiday_work.ts';
import { holidaysOn, hour } from './calendars.ts';

const span = (starts_at: string, ends_at: string) => ({ starts_at: new Date(starts_at), ends_at: new Date(ends_at) });
const work = (starts_at: string, ends_at: string, zone = 'Europe/Berlin') => {
  const holidays = holidaysOn('2026-05-01', '2026-05-10', ['2026-05-17', 0.5], ['2026-05-20', 0.5]);
  const found = nightAndHolidayWork([span(starts_at, ends_at)], { zone, holidays });
  return [found.nightFrom23, found.nightFrom20, found.sunday, found.holiday].map((seconds) => seconds / hour);
};
const tracking = { force_custom_break_duration: false, custom_break_s: null, manual_pause_min: null, breaks: [] };

describe('night, Sunday and holiday work', () => {
  it('is from 23 or 20 to 6 by the local clock', () => {
    expect(work('2026-05-04T19:00:00+02:00', '2026-05-05T07:00:00+02:00')).toEqual([7, 10, 0, 0]);
    expect(work('2026-05-04T06:00:00+02:00', '2026-05-04T20:00:00+02:00')).toEqual([0, 0, 0, 0]);
  });

  it('is on the day on which it is done, not on which the shift begins', () => {
    expect(work('2026-05-02T22:00:00+02:00', '2026-05-03T06:00:00+02:00')).toEqual([7, 8, 6, 0]);
    expect(work('2026-04-30T22:00:00+02:00', '2026-05-01T06:00:00+02:00')).toEqual([7, 8, 0, 6]);
  });

  it('is of a holiday or of a Sunday, and half a holiday is none', () => {
    expect(work('2026-05-09T22:00:00+02:00', '2026-05-10T06:00:00+02:00')).toEqual([7, 8, 0, 6]);
    expect(work('2026-05-17T10:00:00+02:00', '2026-05-17T12:00:00+02:00')).toEqual([0, 0, 2, 0]);
    expect(work('2026-05-20T10:00:00+02:00', '2026-05-20T12:00:00+02:00')).toEqual([0, 0, 0, 0]);
  });

  it('is an hour shorter or longer in the nights in which clocks change', () => {
    expect(work('2026-03-28T23:00:00+01:00', '2026-03-29T06:00:00+02:00')).toEqual([6, 6, 5, 0]);
    expect(work('2026-10-24T23:00:00+02:00', '2026-10-25T06:00:00+01:00')).toEqual([8, 8, 7, 0]);
    expect(work('2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z', 'Atlantic/Azores')).toEqual([2, 2, 2, 0]);
  });
});

describe('the spans in which a tracking is worked', () => {
  const [starts_at, ends_at] = [new Date('2026-05-04T20:00:00Z'), new Date('2026-05-05T04:00:00Z')];

  it('leave out breaks', () => {
    const breaks = [
      span('2026-05-05T01:00:00Z', '2026-05-05T01:30:00Z'),
      span('2026-05-04T20:00:00Z', '2026-05-04T20:15:00Z'),
    ];
    expect(workedSpans({ ...tracking, starts_at, ends_at, breaks })).toEqual([
      span('2026-05-04T20:15:00Z', '2026-05-05T01:00:00Z'),
      span('2026-05-05T01:30:00Z', '2026-05-05T04:00:00Z'),
    ]);
  });

  it('leave out a break without times in the middle', () => {
    const forced = { ...tracking, force_custom_break_duration: true, custom_break_s: 3600 };
    expect(workedSpans({ ...forced, starts_at, ends_at })).toEqual([
      span('2026-05-04T20:00:00Z', '2026-05-04T23:30:00Z'),
      span('2026-05-05T00:30:00Z', '2026-05-05T04:00:00Z'),
    ]);
    expect(workedSpans({ ...forced, custom_break_s: 24 * hour, starts_at, ends_at })).toEqual([]);
    const manual = {
      ...tracking,
      breaks: [span('2026-05-04T20:30:00Z', '2026-05-04T21:00:00Z')],
      manual_pause_min: 30,
    };
    expect(workedSpans({ ...manual, starts_at, ends_at })).toEqual(workedSpans({ ...forced, starts_at, ends_at }));
  });
});
