import { describe, expect, it } from 'vitest';
import { allRegions, calendarHolidays, regionProblems } from '../../../src/days/calendar/holiday_calendar.ts';

const datesOf = async (region: string, year: number) =>
  (await calendarHolidays(region, year, 'en')).map(({ date }) => date);

describe('the calendar of a region', () => {
  it('has the days of its country and its own', async () => {
    expect(await datesOf('DE-BY', 2026)).toContain('2026-01-06');
    expect(await datesOf('DE-BY', 2026)).not.toContain('2026-08-08');
    expect(await datesOf('DE-BY-A', 2026)).toContain('2026-08-08');
    expect(await datesOf('DE-BE', 2026)).not.toContain('2026-01-06');
  });

  it('has days that were free only once', async () => {
    expect(await datesOf('DE-BE', 2020)).toContain('2020-05-08');
    expect(await datesOf('DE-BE', 2021)).not.toContain('2021-05-08');
  });

  it('has one entry for each date, by date, in one year, with a name', async () => {
    for (const region of ['DE-BE', 'AT-9', 'FR', 'TR', 'IL', 'JP', 'CN', 'NO', 'US-CA']) {
      const days = await calendarHolidays(region, 2027, 'en');
      const dates = days.map(({ date }) => date);
      expect(dates.length).toBeGreaterThan(4);
      expect(dates).toEqual([...new Set(dates)].sort());
      expect(dates.every((date) => /^2027-\d\d-\d\d$/.test(date))).toBe(true);
      expect(days.every(({ title, factor }) => title !== '' && [0.5, 1].includes(factor))).toBe(true);
    }
  });

  it('has every date of a holiday that lasts for several days', async () => {
    const bayram = (await calendarHolidays('TR', 2026, 'en')).filter(({ date }) => date.startsWith('2026-05-2'));
    expect(bayram.map(({ date }) => date)).toEqual(expect.arrayContaining(['2026-05-27', '2026-05-28', '2026-05-29']));
    // From 28 December to 2 January.
    expect((await datesOf('SZ', 2026)).slice(0, 2)).toEqual(['2026-01-01', '2026-01-02']);
  });

  it('has halves of days', async () => {
    const eves = (await calendarHolidays('IS', 2026, 'en')).filter(({ factor }) => factor === 0.5);
    expect(eves.map(({ date }) => date)).toEqual(['2026-12-24', '2026-12-31']);
  });

  it('is computed once for a year and a language', async () => {
    expect(await calendarHolidays('DE-BE', 2026, 'en')).toBe(await calendarHolidays('DE-BE', 2026, 'en'));
    expect(await calendarHolidays('DE-BE', 2026, 'de-DE')).not.toBe(await calendarHolidays('DE-BE', 2026, 'en'));
  });

  it('is empty without a region, and in years that cannot be computed', async () => {
    expect(await calendarHolidays(null, 2026, 'en')).toEqual([]);
    expect(await calendarHolidays('DE', 1969, 'en')).toEqual([]);
    expect(await calendarHolidays('DE', 2101, 'en')).toEqual([]);
  });
});

describe('the regions', () => {
  it('are sorted, unique, and all of a form that the contract takes', async () => {
    const ids = (await allRegions()).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(500);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.filter((id) => !/^[A-Z]{2}(-[A-Z0-9]+){0,2}$/.test(id) || id.length > 20)).toEqual([]);
  });

  it('can be computed', async () => {
    const some = (await allRegions()).filter((_region, index) => index % 15 === 0);
    for (const { id } of some) expect(Array.isArray(await calendarHolidays(id, 2026, 'en'))).toBe(true);
  });

  it('are the only ones that a request may name', async () => {
    for (const region of ['DE', 'DE-BE', 'DE-BY-A', null, undefined]) expect(await regionProblems(region)).toEqual([]);
    for (const region of ['XX', 'DE-XX', 'DE-BE-A', 'de']) expect(await regionProblems(region)).toHaveLength(1);
  });
});
