import { describe, expect, it } from 'vitest';
import {
  cityOf,
  endOfLocalDay,
  isDay,
  isRequestTime,
  localDay,
  localForm,
  oneYearAfter,
  parseTime,
  startOfLocalDay,
  utcForm,
  utcFormOrNull,
  zoneNamed,
} from '../../../../src/platform/core/time.ts';

const time = new Date('2023-01-30T11:23:10.789Z');

describe('forms', () => {
  it('UTC has a Z and whole seconds', () => {
    expect(utcForm(time)).toBe('2023-01-30T11:23:10Z');
    expect(utcFormOrNull(null)).toBeNull();
    expect(utcFormOrNull(time)).toBe('2023-01-30T11:23:10Z');
  });

  it('local has the offset of the zone, also where that is nothing', () => {
    expect(localForm(time, 'Europe/Berlin')).toBe('2023-01-30T12:23:10+01:00');
    expect(localForm(new Date('2023-07-30T11:23:10Z'), 'Europe/Berlin')).toBe('2023-07-30T13:23:10+02:00');
    expect(localForm(time, 'UTC')).toBe('2023-01-30T11:23:10+00:00');
    expect(localForm(time, 'Asia/Kathmandu')).toBe('2023-01-30T17:08:10+05:45');
    expect(localForm(time, 'America/St_Johns')).toBe('2023-01-30T07:53:10-03:30');
    expect(localForm(new Date('1905-09-13T17:58:04Z'), 'Africa/Abidjan')).toBe('1905-09-13T17:42:04-00:16');
    expect(localForm(new Date('2999-12-31T23:59:59Z'), 'Pacific/Kiritimati')).toBe('3000-01-01T13:59:59+14:00');
  });

  it.each([
    ['2023-03-26T00:59:59Z', 'Europe/Berlin', '2023-03-26T01:59:59+01:00'],
    ['2023-03-26T01:00:00Z', 'Europe/Berlin', '2023-03-26T03:00:00+02:00'],
    // Newfoundland changed its clocks a minute after midnight.
    ['2005-10-30T02:30:59Z', 'America/St_Johns', '2005-10-30T00:00:59-02:30'],
    ['2005-10-30T02:31:00Z', 'America/St_Johns', '2005-10-29T23:01:00-03:30'],
  ])('%s in %s is %s, to the second of the change', (moment, zone, local) => {
    expect(localForm(new Date(moment), zone)).toBe(local);
    expect(localForm(new Date(moment), zone), 'remembered').toBe(local);
  });
});

describe('parseTime', () => {
  it.each([
    ['2023-01-30T12:23:10+01:00', '2023-01-30T11:23:10.000Z'],
    ['2023-01-30T12:23:10+0100', '2023-01-30T11:23:10.000Z'],
    ['2023-01-30t11:23:10z', '2023-01-30T11:23:10.000Z'],
    ['2023-01-30T11:23Z', '2023-01-30T11:23:00.000Z'],
    ['2023-01-30T11:23:10.999999999Z', '2023-01-30T11:23:10.000Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.000Z'],
  ])('%s is %s, cut to whole seconds', (text, iso) => {
    expect(isRequestTime(text)).toBe(true);
    expect(parseTime(text).toISOString()).toBe(iso);
  });
});

describe('isRequestTime', () => {
  it.each([
    '2023-01-30T11:23:10',
    '2023-01-30',
    '2023-02-29T11:23:10Z',
    '2023-13-01T00:00:00Z',
    '2023-04-31T00:00:00Z',
    '2023-01-30T24:00:00Z',
    '2023-01-30T11:60:00Z',
    '2016-12-31T23:59:60Z',
    '2023-01-30T11:23:10+24:00',
    '0000-01-01T00:00:00Z',
    '9999-01-01T00:00:00Z',
    '2023-01-30 11:23:10Z',
    ' 2023-01-30T11:23:10Z',
    'yesterday',
    '',
  ])('%j is none', (text) => {
    expect(isRequestTime(text)).toBe(false);
  });
});

describe('days', () => {
  it('exist or do not', () => {
    expect(['2024-02-29', '2023-12-31'].map(isDay)).toEqual([true, true]);
    expect(['2023-02-29', '2023-00-10', '2023-1-1', '30.01.2023', ''].map(isDay)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('are those of the zone', () => {
    expect(localDay(new Date('2023-01-30T23:30:00Z'), 'Europe/Berlin')).toBe('2023-01-31');
    expect(localDay(new Date('2023-01-30T03:30:00Z'), 'America/New_York')).toBe('2023-01-29');
  });

  it('begin and end by its clocks, also when those change', () => {
    const hours = (day: string, zone: string) =>
      (endOfLocalDay(day, zone).getTime() + 1000 - startOfLocalDay(day, zone).getTime()) / 3_600_000;
    expect(startOfLocalDay('2023-01-30', 'Europe/Berlin').toISOString()).toBe('2023-01-29T23:00:00.000Z');
    expect(endOfLocalDay('2023-01-30', 'Europe/Berlin').toISOString()).toBe('2023-01-30T22:59:59.000Z');
    expect(hours('2023-03-26', 'Europe/Berlin')).toBe(23);
    expect(hours('2023-10-29', 'Europe/Berlin')).toBe(25);
    // In Beirut the clocks change at midnight, so that this day begins at one.
    expect(startOfLocalDay('2022-03-27', 'Asia/Beirut').toISOString()).toBe('2022-03-26T22:00:00.000Z');
  });
});

describe('oneYearAfter', () => {
  it.each([
    ['2026-03-01T00:00:00Z', 'UTC', '2027-03-01T00:00:00Z'],
    ['2027-03-01T00:00:00Z', 'UTC', '2028-03-01T00:00:00Z'],
    ['2028-02-29T12:00:00Z', 'UTC', '2029-02-28T12:00:00Z'],
    // The clocks of Berlin change on another day each year. The local time stays.
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', '2027-03-28T22:30:00Z'],
  ])('of %s in %s is %s', (from, zone, to) => {
    expect(utcForm(oneYearAfter(new Date(from), zone))).toBe(to);
  });
});

describe('zoneNamed', () => {
  it.each([
    ['Berlin', 'Europe/Berlin'],
    ['berlin', 'Europe/Berlin'],
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['New_York', 'America/New_York'],
    ['America/Argentina/Salta', 'America/Argentina/Salta'],
    ['UTC', 'UTC'],
    ['Etc/UTC', 'Etc/UTC'],
  ])('%s is %s', (given, name) => {
    expect(zoneNamed(given)).toBe(name);
  });

  it.each(['Kolkata', 'Kyiv', 'Ho Chi Minh', 'Calcutta', 'Indianapolis', 'GMT+5'])(
    'finds %s, whichever of its names this Node lists',
    (given) => {
      expect(cityOf(zoneNamed(given)!)).toBe(given);
    },
  );

  it.each(['Atlantis', 'Europe/Atlantis', '+01:00', 'CEST', 'Europe/', '/', '', ' ', '../Berlin', '__proto__'])(
    '%j is none',
    (given) => {
      expect(zoneNamed(given)).toBeUndefined();
    },
  );

  it('takes every city it shows', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) expect(zoneNamed(cityOf(name)), name).toBe(name);
  });
});
