import { describe, expect, it } from 'vitest';
import { absenceDays, type AbsenceKind, type MeasuredAbsence } from '../../../src/days/calendar/absence_days.ts';
import { absenceTotal } from '../../../src/days/calendar/absence_totals.ts';
import { daysShown, partsOfDays } from '../../../src/days/calendar/amounts.ts';
import type { UserCalendar } from '../../../src/days/calendar/calendar_day.ts';
import { hoursOf } from '../../../src/days/calendar/worked_time.ts';
import { calendarOf, cycle, holidaysOn, hour, mondayToWednesday, weekend, weekly } from './calendars.ts';

const zone = 'Europe/Berlin';
type Other = { kind?: AbsenceKind; half_start?: boolean; half_end?: boolean; custom?: MeasuredAbsence['custom'] };

const fullDays = (from: string, to: string, other: Other = {}): MeasuredAbsence => ({
  full_day: true,
  dates: { from, to },
  half_start: false,
  half_end: false,
  kind: 'vacation',
  ...other,
});
const times = (starts_at: string, ends_at: string, other: Other = {}): MeasuredAbsence => ({
  full_day: false,
  starts_at: new Date(starts_at),
  ends_at: new Date(ends_at),
  zone,
  kind: 'vacation',
  ...other,
});

const always = { from: '0001-01-01', to: '9999-12-31' };
/** Days and hours as they are shown. */
function amount(absence: MeasuredAbsence, calendar: UserCalendar, range = always): [number, number] {
  const rows = absenceDays(absence, calendar).map((row) => ({ ...row, kind: absence.kind }));
  const { seconds, parts } = absenceTotal(rows, range);
  return [daysShown(parts), hoursOf(seconds)];
}
const rowsOf = (absence: MeasuredAbsence, calendar: UserCalendar): [string, number, number][] =>
  absenceDays(absence, calendar).map(({ date, seconds, parts }) => [date, seconds, parts]);

describe('full days', () => {
  it('are 3 for a week of somebody who works Monday to Wednesday', () => {
    const calendar = calendarOf({ target_hours: [mondayToWednesday] });
    expect(amount(fullDays('2026-05-04', '2026-05-10'), calendar)).toEqual([3, 24]);
  });

  it('are 2 for a week of somebody who works on weekends', () => {
    expect(amount(fullDays('2026-05-04', '2026-05-10'), calendarOf({ target_hours: [weekend] }))).toEqual([2, 12]);
  });

  it('are 4 in the week of 1 May', () => {
    const calendar = calendarOf({ holidays: holidaysOn('2026-05-01') });
    expect(amount(fullDays('2026-04-27', '2026-05-03'), calendar)).toEqual([4, 32]);
  });

  it('are 8 in the two weeks around Easter', () => {
    const calendar = calendarOf({ holidays: holidaysOn('2026-04-03', '2026-04-05', '2026-04-06') });
    expect(amount(fullDays('2026-03-30', '2026-04-12'), calendar)).toEqual([8, 64]);
  });

  it('are cut to the month that is asked for', () => {
    const vacation = fullDays('2026-06-25', '2026-07-08');
    expect(amount(vacation, calendarOf(), { from: '2026-06-01', to: '2026-06-30' })).toEqual([4, 32]);
    expect(amount(vacation, calendarOf(), { from: '2026-07-01', to: '2026-07-31' })).toEqual([6, 48]);
  });

  it('follow a cycle of four days on and two off', () => {
    const calendar = calendarOf({ target_hours: [cycle('2026-05-01', 10, 10, 10, 10, 0, 0)] });
    expect(amount(fullDays('2026-05-04', '2026-05-10'), calendar)).toEqual([5, 50]);
  });

  it('are half a day on half a holiday', () => {
    const calendar = calendarOf({ holidays: holidaysOn(['2026-12-24', 0.5], '2026-12-25') });
    expect(amount(fullDays('2026-12-23', '2026-12-25'), calendar)).toEqual([1.5, 12]);
  });

  it('divide odd seconds between a holiday and an absence without losing one', () => {
    const odd = weekly([0, 0, 0, 0, 0, 0, 0], { is_week: true, weekSeconds: 7 * 28_801 });
    const calendar = calendarOf({ target_hours: [odd], holidays: holidaysOn(['2026-12-24', 0.5]) });
    expect(rowsOf(fullDays('2026-12-24', '2026-12-24'), calendar)).toEqual([['2026-12-24', 14_400, 5000]]);
  });

  it('have a row for each date, also for those that count nothing', () => {
    expect(rowsOf(fullDays('2026-05-08', '2026-05-11'), calendarOf())).toEqual([
      ['2026-05-08', 8 * hour, 10_000],
      ['2026-05-09', 0, 0],
      ['2026-05-10', 0, 0],
      ['2026-05-11', 8 * hour, 10_000],
    ]);
  });
});

describe('halves', () => {
  it('halve the first and the last date with an amount', () => {
    const calendar = calendarOf({ holidays: holidaysOn('2026-05-01') });
    const vacation = fullDays('2026-05-01', '2026-05-10', { half_start: true, half_end: true });
    expect(rowsOf(vacation, calendar).filter(([, , parts]) => parts > 0)).toEqual([
      ['2026-05-04', 4 * hour, 5000],
      ['2026-05-05', 8 * hour, 10_000],
      ['2026-05-06', 8 * hour, 10_000],
      ['2026-05-07', 8 * hour, 10_000],
      ['2026-05-08', 4 * hour, 5000],
    ]);
  });

  it.each([
    [true, false],
    [false, true],
    [true, true],
  ])('halve a single date once: start %s, end %s', (half_start, half_end) => {
    expect(amount(fullDays('2026-05-08', '2026-05-10', { half_start, half_end }), calendarOf())).toEqual([0.5, 4]);
  });
});

describe('parts of days', () => {
  it('count their length, and their part of the target', () => {
    const calendar = calendarOf({ target_hours: [weekly([6, 6, 6, 6, 6, null, null])] });
    expect(amount(times('2026-05-04T08:00:00+02:00', '2026-05-04T12:00:00+02:00'), calendar)).toEqual([0.67, 4]);
    expect(rowsOf(times('2026-05-04T08:00:00+02:00', '2026-05-04T12:00:00+02:00'), calendar)).toEqual([
      ['2026-05-04', 4 * hour, 6667],
    ]);
  });

  it('are cut at local midnights, and count at most the target of each date', () => {
    const absence = times('2026-05-07T20:00:00+02:00', '2026-05-11T03:00:00+02:00');
    expect(rowsOf(absence, calendarOf())).toEqual([
      ['2026-05-07', 4 * hour, 5000],
      ['2026-05-08', 8 * hour, 10_000],
      ['2026-05-09', 0, 0],
      ['2026-05-10', 0, 0],
      ['2026-05-11', 3 * hour, 3750],
    ]);
  });

  it('count at most what half a holiday leaves', () => {
    const calendar = calendarOf({ holidays: holidaysOn(['2026-12-24', 0.5]) });
    expect(amount(times('2026-12-24T08:00:00+01:00', '2026-12-24T18:00:00+01:00'), calendar)).toEqual([0.5, 4]);
  });

  it('do not touch the day that begins when they end', () => {
    const absence = times('2026-05-04T20:00:00+02:00', '2026-05-05T00:00:00+02:00');
    expect(rowsOf(absence, calendarOf()).map(([date]) => date)).toEqual(['2026-05-04']);
  });

  it('are as long as the time that passes when clocks change', () => {
    const sundays = calendarOf({ target_hours: [weekly([8, 8, 8, 8, 8, 8, 8])] });
    expect(amount(times('2026-03-29T01:00:00+01:00', '2026-03-29T04:00:00+02:00'), sundays)[1]).toBe(2);
    expect(amount(times('2026-10-25T01:00:00+02:00', '2026-10-25T04:00:00+01:00'), sundays)[1]).toBe(4);
  });

  it('end a day of 23 or 25 hours at its midnight', () => {
    const roundTheClock = calendarOf({ target_hours: [weekly([24, 24, 24, 24, 24, 24, 24])] });
    const spring = rowsOf(times('2026-03-29T00:00:00+01:00', '2026-03-30T01:00:00+02:00'), roundTheClock);
    expect(spring.map(([date, seconds]) => [date, seconds / hour])).toEqual([
      ['2026-03-29', 23],
      ['2026-03-30', 1],
    ]);
    const autumn = calendarOf({ target_hours: [weekly([25, 25, 25, 25, 25, 25, 25])] });
    expect(rowsOf(times('2026-10-25T00:00:00+02:00', '2026-10-26T01:00:00+01:00'), autumn)[0]![1]).toBe(25 * hour);
  });

  it('belong to the date that has begun where midnight occurs twice', () => {
    const azores = {
      ...times('2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z'),
      zone: 'Atlantic/Azores',
    } as MeasuredAbsence;
    const sundays = calendarOf({ target_hours: [weekly([8, 8, 8, 8, 8, 8, 8])] });
    expect(rowsOf(azores, sundays)).toEqual([['2026-10-25', 2 * hour, 2500]]);
  });
});

describe('custom amounts', () => {
  const custom = (days: number, hours: number) => ({ parts: partsOfDays(days), seconds: hours * hour });

  it('are spread in proportion to the targets, with the remainder on the last', () => {
    const calendar = calendarOf({ target_hours: [weekly([8, 4, 4, null, null, null, null])] });
    expect(rowsOf(fullDays('2026-05-04', '2026-05-07', { custom: custom(2, 20) }), calendar)).toEqual([
      ['2026-05-04', 10 * hour, 10_000],
      ['2026-05-05', 5 * hour, 5000],
      ['2026-05-06', 5 * hour, 5000],
      ['2026-05-07', 0, 0],
    ]);
    expect(
      rowsOf(fullDays('2026-05-04', '2026-05-06', { custom: custom(2, 1) }), calendarOf()).map(([, , parts]) => parts),
    ).toEqual([6667, 6667, 6666]);
  });

  it('are spread over what holidays leave of the targets', () => {
    const calendar = calendarOf({ holidays: holidaysOn(['2026-04-30', 0.5], '2026-05-01') });
    const rows = rowsOf(fullDays('2026-04-30', '2026-05-04', { custom: custom(1.5, 12) }), calendar);
    expect(rows.map(([, , parts]) => parts)).toEqual([5000, 0, 0, 0, 10_000]);
    expect(rowsOf(fullDays('2026-05-01', '2026-05-02', { custom: custom(1, 8) }), calendar)[0]).toEqual([
      '2026-05-01',
      8 * hour,
      10_000,
    ]);
  });

  it('lie on the first date where no date has a target', () => {
    expect(rowsOf(fullDays('2026-05-09', '2026-05-10', { custom: custom(1, 8) }), calendarOf())).toEqual([
      ['2026-05-09', 8 * hour, 10_000],
      ['2026-05-10', 0, 0],
    ]);
  });

  it('are never negative, however small they are', () => {
    const rows = rowsOf(fullDays('2026-01-01', '2026-12-31', { custom: custom(0.02, 0) }), calendarOf());
    expect(Math.min(...rows.map(([, , parts]) => parts))).toBe(0);
    expect(rows.reduce((sum, [, , parts]) => sum + parts, 0)).toBe(200);
  });

  it('leave the other amount measured where only one is given', () => {
    expect(amount(fullDays('2026-05-04', '2026-05-05', { custom: { parts: 5000 } }), calendarOf())).toEqual([0.5, 16]);
    expect(amount(fullDays('2026-05-04', '2026-05-05', { custom: { seconds: hour } }), calendarOf())).toEqual([2, 1]);
  });
});

describe('hours of a vacation day', () => {
  const calendar = calendarOf({ customVacationSeconds: 10 * hour, holidays: holidaysOn(['2026-05-05', 0.5]) });

  it('are those of a full day of vacation with the option custom, on days with a target', () => {
    expect(amount(fullDays('2026-05-04', '2026-05-04'), calendar)).toEqual([1, 10]);
    expect(amount(fullDays('2026-05-04', '2026-05-04', { half_end: true }), calendar)).toEqual([0.5, 5]);
    expect(amount(fullDays('2026-05-05', '2026-05-05'), calendar)).toEqual([0.5, 5]);
    expect(amount(fullDays('2026-05-09', '2026-05-10'), calendar)).toEqual([0, 0]);
  });

  it('are not those of sickness, special leave and parts of days', () => {
    expect(amount(fullDays('2026-05-04', '2026-05-04', { kind: 'sickness' }), calendar)).toEqual([1, 8]);
    expect(amount(fullDays('2026-05-04', '2026-05-04', { kind: 'special' }), calendar)).toEqual([1, 8]);
    expect(amount(times('2026-05-04T00:00:00+02:00', '2026-05-05T00:00:00+02:00'), calendar)).toEqual([1, 8]);
  });
});

describe('totals', () => {
  it('count a date once where two absences of one kind cover it', () => {
    const rows = [
      fullDays('2026-05-04', '2026-05-06'),
      fullDays('2026-05-06', '2026-05-07', { half_start: true }),
    ].flatMap((absence) => absenceDays(absence, calendarOf()).map((row) => ({ ...row, kind: absence.kind })));
    expect(absenceTotal(rows, always)).toEqual({ parts: 40_000, seconds: 32 * hour });
    const sick = rows.map((row) => ({ ...row, kind: 'sickness' as const }));
    expect(absenceTotal([...rows, ...sick], always).parts).toBe(80_000);
  });
});
