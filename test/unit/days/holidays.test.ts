import { describe, expect, it } from 'vitest';
import { withOwnHolidays } from '../../../src/days/calendar/holidays.ts';

describe('own holidays', () => {
  const calendar = new Map([['2026-12-25', { title: 'Christmas', factor: 1 }]]);

  it('are added to those of the calendar', () => {
    const merged = withOwnHolidays(calendar, [{ date: '2026-12-24', title: 'Christmas Eve', factor: 0.5 }]);
    expect(merged.get('2026-12-25')).toEqual({ title: 'Christmas', factor: 1 });
    expect(merged.get('2026-12-24')).toMatchObject({ title: 'Christmas Eve', factor: 0.5 });
    expect(merged.get('2026-12-26')).toBeUndefined();
  });

  it('do not make a holiday of the calendar shorter', () => {
    const merged = withOwnHolidays(calendar, [{ date: '2026-12-25', title: 'Party', factor: 0.5 }]);
    expect(merged.get('2026-12-25')).toEqual({ title: 'Christmas', factor: 1 });
  });
});
