import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysByDate, measure, wholeDays } from '../../src/calendar/absence_amounts.ts';
import { oneYearAfter } from '../../src/core/time.ts';

const span = (starts_at: string, ends_at: string) => ({ starts_at: new Date(starts_at), ends_at: new Date(ends_at) });
const iso = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }) => [
  starts_at.toISOString().slice(0, 19),
  ends_at.toISOString().slice(0, 19),
];
const fullDays = (starts_at: string, ends_at: string, zone = 'Europe/Berlin', hoursPerDay = 8) =>
  measure(wholeDays(span(starts_at, ends_at), zone), { full_day: true, zone, hoursPerDay });
const partDay = (starts_at: string, ends_at: string, hoursPerDay = 8) =>
  measure(span(starts_at, ends_at), { full_day: false, zone: 'Europe/Berlin', hoursPerDay });

describe('wholeDays', () => {
  it('goes from local midnight to the last second of the local day', () => {
    expect(iso(wholeDays(span('2026-07-06T07:00:00Z', '2026-07-17T15:00:00Z'), 'Europe/Berlin'))).toEqual([
      '2026-07-05T22:00:00',
      '2026-07-17T21:59:59',
    ]);
  });

  it('reads one moment as different days east and west', () => {
    const moment = span('2026-03-01T23:30:00Z', '2026-03-01T23:30:00Z');
    expect(iso(wholeDays(moment, 'Pacific/Auckland'))).toEqual(['2026-03-01T11:00:00', '2026-03-02T10:59:59']);
    expect(iso(wholeDays(moment, 'America/Los_Angeles'))).toEqual(['2026-03-01T08:00:00', '2026-03-02T07:59:59']);
    expect(iso(wholeDays(moment, 'UTC'))).toEqual(['2026-03-01T00:00:00', '2026-03-01T23:59:59']);
  });

  it('gives the day of a clock change its 23 or 25 hours', () => {
    const spring = wholeDays(span('2026-03-29T10:00:00Z', '2026-03-29T11:00:00Z'), 'Europe/Berlin');
    const autumn = wholeDays(span('2026-10-25T10:00:00Z', '2026-10-25T11:00:00Z'), 'Europe/Berlin');
    const seconds = ({ starts_at, ends_at }: typeof spring) => (ends_at.getTime() - starts_at.getTime()) / 1000 + 1;
    expect([seconds(spring) / 3600, seconds(autumn) / 3600]).toEqual([23, 25]);
  });

  it('begins at one where a clock change swallows midnight', () => {
    expect(iso(wholeDays(span('2018-11-04T12:00:00Z', '2018-11-04T13:00:00Z'), 'America/Sao_Paulo'))).toEqual([
      '2018-11-04T03:00:00',
      '2018-11-05T01:59:59',
    ]);
  });

  it('is its own fixed point, wherever and whenever', () => {
    const zones = [
      'Europe/Berlin',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Cairo',
    ];
    const time = fc.date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2060-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        time,
        fc.integer({ min: 0, max: 400 * 86_400 }),
        (zone, starts_at, seconds) => {
          const once = wholeDays({ starts_at, ends_at: new Date(starts_at.getTime() + seconds * 1000) }, zone);
          expect(wholeDays(once, zone)).toEqual(once);
          expect(once.starts_at.getTime()).toBeLessThanOrEqual(starts_at.getTime());
          expect(once.ends_at.getTime()).toBeGreaterThan(once.starts_at.getTime());
        },
      ),
    );
  });
});

describe('measure, full days', () => {
  it('counts Monday to Friday', () => {
    expect(fullDays('2026-07-06T00:00:00+02:00', '2026-07-17T23:59:59+02:00')).toEqual({ days: 10, hours: 80 });
  });

  it('counts a day for one minute of it, and none on a weekend', () => {
    expect(fullDays('2026-07-06T09:00:00+02:00', '2026-07-06T09:01:00+02:00')).toEqual({ days: 1, hours: 8 });
    expect(fullDays('2026-07-11T09:00:00+02:00', '2026-07-12T18:00:00+02:00')).toEqual({ days: 0, hours: 0 });
  });

  it('takes the hours of the user', () => {
    expect(fullDays('2026-07-06T00:00:00+02:00', '2026-07-08T00:00:00+02:00', 'Europe/Berlin', 7.75)).toEqual({
      days: 3,
      hours: 23.25,
    });
    expect(fullDays('2026-07-06T00:00:00+02:00', '2026-07-08T00:00:00+02:00', 'Europe/Berlin', 0)).toEqual({
      days: 3,
      hours: 0,
    });
  });

  it('is right across both clock changes', () => {
    expect(fullDays('2026-03-27T00:00:00+01:00', '2026-03-30T23:59:59+02:00').days).toBe(2);
    expect(fullDays('2026-10-23T00:00:00+02:00', '2026-10-26T23:59:59+01:00').days).toBe(2);
    expect(fullDays('2026-03-06T00:00:00-05:00', '2026-03-09T23:59:59-04:00', 'America/New_York').days).toBe(2);
  });

  it('is right over the ends of months and years, and over leap days', () => {
    expect(fullDays('2026-01-30T00:00:00+01:00', '2026-02-02T00:00:00+01:00').days).toBe(2);
    expect(fullDays('2025-12-31T00:00:00+01:00', '2026-01-02T00:00:00+01:00').days).toBe(3);
    expect(fullDays('2024-02-28T00:00:00+01:00', '2024-03-01T00:00:00+01:00').days).toBe(3);
    expect(fullDays('2023-02-28T00:00:00+01:00', '2023-03-01T00:00:00+01:00').days).toBe(2);
  });

  it('counts the days of the zone, not of UTC', () => {
    // Sunday 23:30 in UTC is Monday in Auckland and still Sunday in Los Angeles.
    expect(fullDays('2026-03-01T23:30:00Z', '2026-03-01T23:30:00Z', 'Pacific/Auckland').days).toBe(1);
    expect(fullDays('2026-03-01T23:30:00Z', '2026-03-01T23:30:00Z', 'America/Los_Angeles').days).toBe(0);
  });

  it('counts a whole year, and a leap year', () => {
    expect(fullDays('2026-01-01T00:00:00+01:00', '2026-12-31T23:59:59+01:00')).toEqual({ days: 261, hours: 2088 });
    expect(fullDays('2024-01-01T00:00:00+01:00', '2024-12-31T23:59:59+01:00').days).toBe(262);
  });
});

describe('measure, parts of days', () => {
  it('takes the length, and its part of a day', () => {
    expect(partDay('2026-07-06T08:00:00+02:00', '2026-07-06T12:00:00+02:00')).toEqual({ hours: 4, days: 0.5 });
    expect(partDay('2026-07-06T08:00:00+02:00', '2026-07-06T12:00:00+02:00', 6)).toEqual({ hours: 4, days: 0.67 });
  });

  it('rounds to two decimals, from the seconds', () => {
    expect(partDay('2026-07-06T08:00:00+02:00', '2026-07-06T08:01:00+02:00')).toEqual({ hours: 0.02, days: 0 });
    expect(partDay('2026-07-06T08:00:00+02:00', '2026-07-06T08:00:18+02:00')).toEqual({ hours: 0.01, days: 0 });
    expect(partDay('2026-07-06T08:00:00+02:00', '2026-07-06T08:20:00+02:00', 1)).toEqual({ hours: 0.33, days: 0.33 });
  });

  it('counts hours that pass, not hours on the clock', () => {
    expect(partDay('2026-03-29T01:00:00+01:00', '2026-03-29T04:00:00+02:00').hours).toBe(2);
    expect(partDay('2026-10-25T01:00:00+02:00', '2026-10-25T04:00:00+01:00').hours).toBe(4);
  });

  it('counts a year', () => {
    expect(partDay('2026-01-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00')).toEqual({ hours: 8760, days: 1095 });
  });

  it('divides by eight where a vacation day counts no hours', () => {
    expect(partDay('2026-07-06T08:00:00+02:00', '2026-07-06T12:00:00+02:00', 0)).toEqual({ hours: 4, days: 0.5 });
  });
});

describe('daysByDate', () => {
  const zone = 'Europe/Berlin';
  it('spreads the days over the working days', () => {
    const spread = daysByDate({ ...span('2026-07-09T22:00:00Z', '2026-07-13T21:59:59Z'), days: 2, zone });
    expect([...spread]).toEqual([
      ['2026-07-10', 1],
      ['2026-07-13', 1],
    ]);
  });

  it('spreads over the weekend where there is nothing else', () => {
    const spread = daysByDate({ ...span('2026-07-10T22:00:00Z', '2026-07-12T21:59:59Z'), days: 1, zone });
    expect([...spread]).toEqual([
      ['2026-07-11', 0.5],
      ['2026-07-12', 0.5],
    ]);
  });

  it('does not touch the day that begins when it ends', () => {
    expect([...daysByDate({ ...span('2026-07-06T18:00:00Z', '2026-07-06T22:00:00Z'), days: 0.5, zone })]).toEqual([
      ['2026-07-06', 0.5],
    ]);
  });
});

describe('oneYearAfter', () => {
  it('keeps the local time across clock changes, and ends February where it must', () => {
    expect(oneYearAfter(new Date('2026-03-29T22:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
      '2027-03-29T22:00:00.000Z',
    );
    expect(oneYearAfter(new Date('2026-03-28T23:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
      '2027-03-28T22:00:00.000Z',
    );
    expect(oneYearAfter(new Date('2024-02-28T23:00:00Z'), 'Europe/Berlin').toISOString()).toBe(
      '2025-02-27T23:00:00.000Z',
    );
  });
});
