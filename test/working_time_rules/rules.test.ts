import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { warningsFor, type CheckedTracking } from '../../src/working_time_rules/rules.ts';

const minute = 60_000;
const hour = 60 * minute;
const zero = Date.parse('2026-03-02T06:00:00Z');
const now = new Date(zero + 1000 * hour);

let lastId = 0;
/** A tracking that begins so many hours after zero and lasts so many hours. */
const tracking = (from: number, hours: number | null, breakMinutes = 0): CheckedTracking => ({
  id: ++lastId,
  starts_at: new Date(zero + from * hour),
  ends_at: hours === null ? null : new Date(zero + (from + hours) * hour),
  break_s: breakMinutes * 60,
});

const rulesFor = (one: CheckedTracking, others: readonly CheckedTracking[] = [], at = now) =>
  warningsFor(one, [one, ...others], 'Europe/Berlin', at).map(({ rule }) => rule);

describe('long work', () => {
  it('is more than 10 hours net, to the second', () => {
    expect(rulesFor(tracking(0, 10, 0))).not.toContain('long_work');
    expect(rulesFor(tracking(0, 10.75, 45))).not.toContain('long_work');
    expect(rulesFor(tracking(0, 10.75 + 1 / 3600, 45))).toContain('long_work');
  });

  it('says how much', () => {
    expect(warningsFor(tracking(0, 11.5, 60), [], 'Europe/Berlin', now)[0]).toEqual({
      rule: 'long_work',
      title: 'More than 10 hours of work',
      message: 'The working time is 10.5 hours. More than 10 are not allowed.',
    });
  });
});

describe('short breaks', () => {
  it.each([
    [6, 0, false],
    [6.01, 0, true],
    [6.5, 30, false],
    [7, 29, true],
    [7, 30, false],
    // Nine hours of work with half an hour of break are nine hours and a half at work.
    [9.5, 30, false],
    [9.51, 30, true],
    [9.75, 45, false],
    [10, 44, true],
    [10, 45, false],
  ])('%d hours at work with %d minutes of breaks: %s', (hours, breakMinutes, isWarned) => {
    expect(rulesFor(tracking(0, hours, breakMinutes)).includes('short_breaks')).toBe(isWarned);
  });

  it('is one warning, about the longer break, where both are missing', () => {
    const warnings = warningsFor(tracking(0, 9.5, 10), [], 'Europe/Berlin', now);
    expect(warnings.map(({ message }) => message)).toEqual([
      'More than 9 hours of work need 45 minutes of breaks, and 10 were taken in 9.33 hours.',
    ]);
  });
});

describe('short rest', () => {
  it('is less than 11 hours since the previous tracking ended', () => {
    expect(rulesFor(tracking(19, 4), [tracking(0, 8)])).toEqual([]);
    expect(rulesFor(tracking(18.99, 4), [tracking(0, 8)])).toEqual(['short_rest']);
  });

  it('looks at the tracking that ended last', () => {
    expect(rulesFor(tracking(19, 4), [tracking(0, 9), tracking(1, 4)])).toEqual(['short_rest']);
  });

  it('looks at nothing later, and at nothing that still runs', () => {
    expect(rulesFor(tracking(0, 4), [tracking(5, 4)])).toEqual([]);
    expect(rulesFor(tracking(30, 4), [tracking(500, null)])).toEqual([]);
  });

  it('says from when to when, in the zone of the workspace', () => {
    const [warning] = warningsFor(tracking(10, 4), [tracking(0, 4)], 'Europe/Berlin', now);
    expect(warning!.message).toBe(
      'The previous time tracking ended 2026-03-02 11:00 and this one began 2026-03-02 17:00: 6 hours of rest, where 11 are needed.',
    );
  });
});

describe('overlap', () => {
  it('is any moment in common; touching is none', () => {
    expect(rulesFor(tracking(0, 4), [tracking(4, 2)])).toEqual([]);
    expect(rulesFor(tracking(0, 4), [tracking(3.99, 2)])).toEqual(['overlap']);
    expect(rulesFor(tracking(0, 4), [tracking(1, 1)])).toEqual(['overlap']);
    expect(rulesFor(tracking(1, 1), [tracking(0, 4)])).toEqual(['overlap']);
  });

  it('is also one with a tracking that still runs, as far as time has come', () => {
    expect(rulesFor(tracking(0, 4), [tracking(2, null)])).toEqual(['overlap']);
    expect(rulesFor(tracking(1001, 4), [tracking(998, null)])).toEqual([]);
  });

  it('is seen from both sides', () => {
    const span = fc.record({ from: fc.integer({ min: 0, max: 50 }), hours: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(span, span, (a, b) => {
        const [one, other] = [tracking(a.from, a.hours), tracking(b.from, b.hours)];
        const isOverlap = a.from < b.from + b.hours && b.from < a.from + a.hours;
        expect(rulesFor(one, [other]).includes('overlap')).toBe(isOverlap);
        expect(rulesFor(other, [one]).includes('overlap')).toBe(isOverlap);
      }),
    );
  });
});

describe('long running', () => {
  it('is more than 16 hours, whatever the breaks', () => {
    const running = tracking(0, null, 120);
    expect(rulesFor(running, [], new Date(zero + 16 * hour))).toEqual([]);
    expect(rulesFor(running, [], new Date(zero + 16 * hour + 1000))).toEqual(['long_running']);
  });

  it('is the only rule for a running tracking', () => {
    expect(rulesFor(tracking(0, null), [tracking(0, 12)], new Date(zero + 13 * hour))).toEqual([]);
  });

  it('is nothing that ended', () => {
    expect(rulesFor(tracking(0, 20, 60))).toEqual(['long_work']);
  });
});

describe('a clock change', () => {
  it('neither adds nor takes an hour of work or rest', () => {
    // Berlin's clocks go forward in the night of 29 March 2026: 22:00 to 08:00 on the wall are nine hours.
    const night = {
      id: 1,
      starts_at: new Date('2026-03-28T22:00:00+01:00'),
      ends_at: new Date('2026-03-29T08:00:00+02:00'),
      break_s: 45 * 60,
    };
    const next = {
      id: 2,
      starts_at: new Date('2026-03-29T18:30:00+02:00'),
      ends_at: new Date('2026-03-29T19:00:00+02:00'),
      break_s: 0,
    };
    expect(warningsFor(night, [next], 'Europe/Berlin', now)).toEqual([]);
    expect(warningsFor(next, [night], 'Europe/Berlin', now).map(({ message }) => message)).toEqual([
      'The previous time tracking ended 2026-03-29 08:00 and this one began 2026-03-29 18:30: 10.5 hours of rest, where 11 are needed.',
    ]);
  });
});
