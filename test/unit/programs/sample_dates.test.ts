import { describe, expect, it } from 'vitest';
import { markDates, withDemoDates } from '../../../src/programs/docs/sample_dates.ts';

const shown = (sample: string, createdAt: string): string => withDemoDates(markDates(sample), new Date(createdAt));

describe('the dates of a sample', () => {
  it('are those of the file where there is no demo organisation, and where it is as old', () => {
    const sample = `{"day":"2026-05-02","at":"2026-05-02T09:00:00+02:00","year":2027,"color":"#2026F3","external_id":"leave-2026-17"}`;
    expect(withDemoDates(markDates(sample))).toBe(sample);
    expect(shown(sample, '2026-05-04T07:00:00Z')).toBe(sample);
  });

  it('keep their weekday and their time of the clock', () => {
    // A Sunday: its week began on 25 October, before the clocks changed.
    expect(shown('2026-05-02', '2027-10-31T10:00:00Z')).toBe('2027-10-23');
    expect(shown('2026-05-16T08:00:00+02:00', '2027-10-31T10:00:00Z')).toBe('2027-11-06T08:00:00+01:00');
    expect(shown('2026-W20', '2027-10-31T10:00:00Z')).toBe('2027-W44');
  });

  it('stay the ends of months and years', () => {
    expect(shown('2026-04-01 2026-04-30 2026-02', '2027-10-31T10:00:00Z')).toBe('2027-10-01 2027-10-31 2027-08');
    expect(shown('2025-01-01 2025-12-31 2028-03-31', '2027-10-31T10:00:00Z')).toBe('2026-01-01 2026-12-31 2029-03-31');
    expect(shown('Vacation 2027, 2027', '2027-10-31T10:00:00Z')).toBe('Vacation 2028, 2028');
  });

  it('are those of the organisation in the zone of its workspaces', () => {
    expect(shown('2026-05-04', '2026-05-10T21:59:00Z')).toBe('2026-05-04');
    expect(shown('2026-05-04', '2026-05-10T22:00:00Z')).toBe('2026-05-11');
  });
});
