import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfLocalDay, localDay, startOfLocalDay } from '../../../../src/platform/core/time.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day according to `Intl`, without arithmetic of this project. */
function shownDay(moment: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  return format.format(moment);
}

/** The first minute on that day or later, found by checking one minute after the other. */
function firstMinute(day: string, zone: string): string {
  const begin = Date.parse(day) - 16 * hourMs;
  let moment = begin;
  while (shownDay(moment, zone) < day) moment += 15 * minuteMs;
  while (moment > begin && shownDay(moment - minuteMs, zone) >= day) moment -= minuteMs;
  return new Date(moment).toISOString();
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + 24 * hourMs).toISOString().slice(0, 10);

function expectRight(day: string, zone: string): void {
  expect(startOfLocalDay(day, zone).toISOString(), `start of ${day} in ${zone}`).toBe(firstMinute(day, zone));
  const next = new Date(endOfLocalDay(day, zone).getTime() + 1000).toISOString();
  expect(next, `end of ${day} in ${zone}`).toBe(firstMinute(dayAfter(day), zone));
}

/** Days around which the clocks of a zone change. */
function daysOfChange(zone: string, fromYear: number, toYear: number): string[] {
  const shownTime = new Intl.DateTimeFormat('en', { timeZone: zone, timeStyle: 'short' });
  const [begin, end] = [Date.UTC(fromYear, 0, 1), Date.UTC(toYear + 1, 0, 1)];
  const noons = Array.from({ length: (end - begin) / (24 * hourMs) }, (_, index) => begin + index * 24 * hourMs);
  return noons
    .filter((noon) => shownTime.format(noon) !== shownTime.format(noon + 24 * hourMs))
    .flatMap((noon) => [noon, noon + 24 * hourMs])
    .map((noon) => new Date(noon).toISOString().slice(0, 10));
}

describe('local days', () => {
  it.each([
    ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['2022-03-27', 'Asia/Beirut', '2022-03-26T22:00:00.000Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['1919-03-31', 'America/Toronto', '1919-03-31T04:30:00.000Z'],
  ])('%s in %s starts at %s', (day, zone, start) => {
    expect(startOfLocalDay(day, zone).toISOString()).toBe(start);
  });

  it.each([
    'Atlantic/Azores',
    'America/Havana',
    'America/Santiago',
    'America/Asuncion',
    'America/Sao_Paulo',
    'America/Scoresbysund',
    'America/St_Johns',
    'Asia/Amman',
    'Asia/Beirut',
    'Asia/Gaza',
    'Asia/Tehran',
    'Africa/Cairo',
    'Africa/Casablanca',
    'Australia/Lord_Howe',
    'Europe/Berlin',
    'Pacific/Apia',
  ])('in %s start and end where clocks show it, whenever they change', (zone) => {
    for (const day of daysOfChange(zone, 1990, 2030)) expectRight(day, zone);
  });

  it('start and end at local midnight, in any zone and year', () => {
    const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const anyDay = fc
      .date({ min: new Date('1975-01-01'), max: new Date('2999-12-30'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(anyZone, anyDay, (zone, day) => expectRight(day, zone)),
      { numRuns: 300 },
    );
  });

  it('cover every moment: each is between the start and the end of its day', () => {
    const begin = Date.parse('2026-10-24T12:00:00Z');
    for (let moment = begin; moment < begin + 48 * hourMs; moment += 10 * minuteMs) {
      const day = localDay(new Date(moment), 'Atlantic/Azores');
      expect(startOfLocalDay(day, 'Atlantic/Azores').getTime()).toBeLessThanOrEqual(moment);
      expect(endOfLocalDay(day, 'Atlantic/Azores').getTime() + 1000).toBeGreaterThan(moment);
    }
  });
});
