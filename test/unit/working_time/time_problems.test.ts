import { describe, expect, it } from 'vitest';
import {
  breakProblems,
  customBreakProblems,
  spanProblems,
  type PlannedBreak,
} from '../../../src/working_time/time_trackings/problems.ts';

const at = (time: string): Date => new Date(`2026-01-05T${time}:00Z`);
const show = (time: Date): string => time.toISOString().slice(11, 16);
const span = (from: string, to: string | null) => ({ starts_at: at(from), ends_at: to === null ? null : at(to) });
const given = (index: number, from: string, to: string | null): PlannedBreak => ({
  ...span(from, to),
  pointerPrefix: `breaks_attributes/${index}/`,
});
const now = at('14:00');
const pointers = (tracking: ReturnType<typeof span>, breaks: PlannedBreak[]) =>
  breakProblems(tracking, breaks, now, show).map(({ pointer }) => pointer);

describe('times of a tracking', () => {
  it('must go forwards', () => {
    expect(spanProblems(span('08:00', '10:00'), 'employee', show)).toEqual([]);
    expect(spanProblems(span('08:00', null), 'employee', show)).toEqual([]);
    expect(spanProblems(span('08:00', '08:00'), 'admin', show)).toEqual([
      { code: 'out_of_range', pointer: 'ends_at', title: 'ends_at must be after starts_at, 08:00, but was 08:00.' },
    ]);
  });

  it('are at most 24 hours apart for an employee, and 366 days for an admin, to the second', () => {
    const starts_at = new Date('2026-01-05T08:00:00Z');
    for (const [recordedBy, longest, tooLong, inWords] of [
      ['employee', '2026-01-06T08:00:00Z', '2026-01-06T08:00:01Z', '24 hours'],
      ['admin', '2027-01-06T08:00:00Z', '2027-01-06T08:00:01Z', '366 days'],
    ] as const) {
      expect(spanProblems({ starts_at, ends_at: new Date(longest) }, recordedBy, show)).toEqual([]);
      expect(spanProblems({ starts_at, ends_at: new Date(tooLong) }, recordedBy, show)).toEqual([
        {
          code: 'out_of_range',
          pointer: 'ends_at',
          title: `ends_at must be at most ${inWords} after starts_at, 08:00, but was 08:00.`,
        },
      ]);
    }
  });
});

describe('a break given by hand', () => {
  it('is at most as long as the tracking', () => {
    expect(
      customBreakProblems(span('08:00', '10:00'), { seconds: 7200, isForced: true, pointer: 'break_duration' }),
    ).toEqual([]);
    expect(
      customBreakProblems(span('08:00', null), { seconds: 90_000, isForced: true, pointer: 'break_duration' }),
    ).toEqual([]);
    expect(
      customBreakProblems(span('08:00', '10:00'), { seconds: 7201, isForced: false, pointer: 'break_duration' }),
    ).toEqual([]);
    expect(
      customBreakProblems(span('08:00', '10:00'), { seconds: 7201, isForced: true, pointer: 'break_duration' }),
    ).toHaveLength(1);
  });
});

describe('breaks', () => {
  const tracking = span('08:00', '12:00');

  it('may touch each other and both ends of the tracking', () => {
    expect(
      pointers(tracking, [given(0, '08:00', '09:00'), given(1, '09:00', '10:00'), given(2, '11:00', '12:00')]),
    ).toEqual([]);
  });

  it.each([
    ['begins before', '07:59', '09:00', ['breaks_attributes/0/starts_at']],
    ['ends after', '11:00', '12:01', ['breaks_attributes/0/ends_at']],
    ['does both', '07:00', '13:00', ['breaks_attributes/0/starts_at', 'breaks_attributes/0/ends_at']],
    [
      'begins where the tracking ends',
      '12:00',
      '12:30',
      ['breaks_attributes/0/starts_at', 'breaks_attributes/0/ends_at'],
    ],
    ['ends before it begins', '10:00', '09:00', ['breaks_attributes/0/ends_at']],
    ['lasts no time at all', '10:00', '10:00', ['breaks_attributes/0/ends_at']],
  ])('that %s the tracking or itself is refused', (_what, from, to, expected) => {
    expect(pointers(tracking, [given(0, from, to)])).toEqual(expected);
  });

  it('that overlap are refused, and the title names the other one', () => {
    const problems = breakProblems(tracking, [given(0, '09:00', '10:00'), given(1, '09:59', '10:30')], now, show);
    expect(problems).toEqual([
      {
        code: 'overlap',
        pointer: 'breaks_attributes/1/starts_at',
        title: 'starts_at 09:59 begins a break that overlaps the one from 09:00 to 10:00. Breaks must not overlap.',
      },
    ]);
  });

  it('inside a longer one are refused, also behind another', () => {
    expect(
      pointers(tracking, [given(0, '08:00', '11:30'), given(1, '09:00', '09:10'), given(2, '11:00', '11:10')]),
    ).toEqual(['breaks_attributes/1/starts_at', 'breaks_attributes/2/starts_at']);
  });

  it('that overlap a stored one are refused where they were given, whichever begins first', () => {
    expect(pointers(tracking, [span('09:00', '10:00'), given(0, '08:30', '09:30')])).toEqual([
      'breaks_attributes/0/starts_at',
    ]);
    expect(pointers(tracking, [span('09:00', '10:00'), given(0, '09:30', '10:30')])).toEqual([
      'breaks_attributes/0/starts_at',
    ]);
  });

  it('of a running tracking lie before now, and not behind an open one', () => {
    expect(pointers(span('08:00', null), [given(0, '13:00', '14:00')])).toEqual([]);
    expect(pointers(span('08:00', null), [given(0, '13:00', '14:01')])).toEqual(['breaks_attributes/0/ends_at']);
    expect(pointers(span('08:00', null), [span('12:00', null), given(0, '13:00', '13:30')])).toEqual([
      'breaks_attributes/0/starts_at',
    ]);
  });

  it('that new times leave outside are reported at those times', () => {
    expect(pointers(span('09:00', '12:00'), [span('08:30', '09:30')])).toEqual(['starts_at']);
    expect(pointers(span('08:00', '09:00'), [span('08:30', '09:30')])).toEqual(['ends_at']);
    expect(pointers(span('08:00', '09:00'), [span('10:00', null)])).toEqual(['ends_at']);
    expect(breakProblems(span('09:00', '12:00'), [span('08:30', '09:30')], now, show)[0]!.title).toBe(
      'starts_at would leave the break from 08:30 to 09:30 outside the time tracking. Change or remove that break too.',
    );
  });
});
