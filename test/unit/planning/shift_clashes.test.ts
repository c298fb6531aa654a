import { describe, expect, it } from 'vitest';
import { clashesOf, type AbsenceSpan, type Candidate, type Duty } from '../../../src/planning/shifts/clashes.ts';
import { ruleSettings } from '../../support/rule_settings.ts';

const span = (from: string, to: string) => ({
  starts_at: new Date(`2026-06-${from}Z`),
  ends_at: new Date(`2026-06-${to}Z`),
});
const settings: Duty['settings'] = { ...ruleSettings, working_time_rules: ['short_rest'] };
const duty = (from: string, to: string, more: Partial<Duty> = {}): Duty => ({
  ...span(from, to),
  isShift: true,
  settings,
  ...more,
});
const clashes = (shift: Duty, candidate: Partial<Candidate>) =>
  clashesOf(shift, { birthday: null, duties: [], absences: [], ...candidate }, 'UTC').map((clash) =>
    clash.kind === 'rest' ? `rest ${clash.side} ${clash.seconds / 3600} of ${clash.limit / 3600}` : clash.kind,
  );

const shift = duty('09T08:00', '09T16:00');

describe('the rest around a shift', () => {
  it('is measured from the nearest work on either side', () => {
    const duties = [duty('08T08:00', '08T12:00'), duty('08T16:00', '08T22:00'), duty('10T06:00', '10T08:00')];
    expect(clashes(shift, { duties })).toEqual(['rest before 10 of 11']);
    // The evening is near to the shift, so the morning before it needs no rest of its own.
    const evening = duty('09T17:30', '09T20:00');
    expect(clashes(evening, { duties: [shift, duty('09T04:00', '09T06:30')] })).toEqual([]);
  });

  it('may be as short as the limit, and less than 2 hours are no rest but one working day', () => {
    expect(clashes(shift, { duties: [duty('08T12:00', '08T21:00')] })).toEqual([]);
    expect(clashes(shift, { duties: [duty('09T04:00', '09T06:00')] })).toEqual(['rest before 2 of 11']);
    expect(clashes(shift, { duties: [duty('09T04:00', '09T06:01')] })).toEqual([]);
  });

  it('is 12 hours for users under 18', () => {
    const duties = [duty('08T12:00', '08T20:30')];
    expect(clashes(shift, { duties, birthday: '2009-01-01' })).toEqual(['rest before 11.5 of 12']);
    expect(clashes(shift, { duties, birthday: '2008-06-09' })).toEqual([]);
  });

  it('is asked for by the workspace of the later work', () => {
    const careless = { settings: { ...settings, working_time_rules: [] } };
    expect(clashes(shift, { duties: [duty('10T00:00', '10T04:00', careless)] })).toEqual([]);
    expect(clashes(shift, { duties: [duty('08T12:00', '09T00:00', careless)] })).toEqual(['rest before 8 of 11']);
  });
});

describe('work at the time of a shift', () => {
  it('clashes if it is another shift; recorded work is that of the shift itself', () => {
    expect(clashes(shift, { duties: [duty('09T15:59', '09T18:00')] })).toEqual(['shift']);
    expect(clashes(shift, { duties: [duty('09T07:50', '09T18:00', { isShift: false })] })).toEqual([]);
  });
});

describe('an absence', () => {
  const absence = (from: string, to: string, more: Partial<AbsenceSpan> = {}): AbsenceSpan => ({
    ...span(from, to),
    isConfirmed: true,
    halfStart: false,
    halfEnd: false,
    zone: 'UTC',
    ...more,
  });

  it('clashes during the shift, but not on a half day', () => {
    const week = ['07T00:00', '09T23:59:59'] as const;
    expect(clashes(shift, { absences: [absence(...week)] })).toEqual(['absence']);
    expect(clashes(shift, { absences: [absence(...week, { halfStart: true })] })).toEqual(['absence']);
    expect(clashes(shift, { absences: [absence(...week, { halfEnd: true })] })).toEqual([]);
    expect(clashes(shift, { absences: [absence('09T00:00', '10T23:59:59', { halfStart: true })] })).toEqual([]);
    expect(clashes(shift, { absences: [absence('09T16:00', '09T20:00')] })).toEqual([]);
  });
});
