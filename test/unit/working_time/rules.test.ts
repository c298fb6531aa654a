import { describe, expect, it } from 'vitest';
import type { RuleSettings } from '../../../src/organisation/workspaces/rule_settings.ts';
import { judge } from '../../../src/working_time/working_time_rules/judge.ts';
import { messageOf, titleOf } from '../../../src/working_time/working_time_rules/messages.ts';
import type { Rule } from '../../../src/working_time/working_time_rules/rules.ts';
import type { JudgedUser } from '../../../src/working_time/working_time_rules/violation.ts';
import type { RecordedWork } from '../../../src/working_time/working_time_rules/working_days.ts';
import { ruleSettings } from '../../support/rule_settings.ts';
import { allRules } from '../../verify/working_time_rules/scenarios.ts';

const [minute, hour] = [60, 3600];
/** Monday, 2 March 2026, 07:00 in Berlin. */
const zero = Date.parse('2026-03-02T06:00:00Z') / 1000;

interface Own {
  workspaceId?: number;
  /** Hours after the start, and minutes. */
  breaks?: readonly (readonly [number, number])[];
  forcedBreak?: number;
}

let lastId = 0;
/** Work that begins so many hours after zero and lasts so many seconds. */
const work = (from: number, seconds: number | null, { workspaceId = 1, breaks = [], forcedBreak }: Own = {}) => {
  const start = zero + from * hour;
  const pauses = breaks.map(([at, minutes]) => ({
    from: start + at * hour,
    to: start + at * hour + minutes * minute,
  }));
  return {
    id: ++lastId,
    workspaceId,
    from: start,
    to: seconds === null ? null : start + seconds,
    breaks: pauses,
    forcedBreak: forcedBreak ?? null,
  } satisfies RecordedWork;
};

const settings: RuleSettings = { ...ruleSettings, working_time_rules: allRules };

const adult: JudgedUser = {
  zone: 'Europe/Berlin',
  birthday: null,
  startOfAccounting: '2020-01-01',
  holidays: new Map(),
  absentOn: new Set(),
  settingsOf: () => settings,
};

const found = (trackings: readonly RecordedWork[], user: Partial<JudgedUser> = {}, nowHours = 1000) =>
  judge(
    trackings,
    { ...adult, ...user },
    { dates: { from: '2026-01-01', to: '2026-12-31' }, averageOf: [], now: zero + nowHours * hour },
  );
const rulesIn = (trackings: readonly RecordedWork[], user: Partial<JudgedUser> = {}, nowHours?: number) =>
  found(trackings, user, nowHours)
    .map(({ rule }) => rule)
    .sort();

describe('long work', () => {
  it('is more than 10 hours net on a working day, to the second', () => {
    const withLunch: Own = { breaks: [[5, 45]] };
    expect(rulesIn([work(0, 10.75 * hour, withLunch)])).toEqual([]);
    expect(rulesIn([work(0, 10.75 * hour + 1, withLunch)])).toEqual(['long_work']);
  });

  it('counts all time trackings of the day, and the break between them', () => {
    const [morning, evening] = [work(0, 6 * hour), work(7, 6 * hour)];
    expect(found([morning, evening])).toEqual([
      {
        rule: 'long_work',
        paragraph: '§ 3 ArbZG',
        date: '2026-03-02',
        timeTrackingId: evening.id,
        workspaceId: 1,
        limitSeconds: 10 * hour,
        valueSeconds: 12 * hour,
        elsewhereSeconds: 0,
      },
    ]);
  });

  it('belongs to the workspace of the time tracking that completes it, with the hours from elsewhere', () => {
    const trackings = [
      work(0, 6 * hour, { workspaceId: 2 }),
      work(7, 5 * hour),
      work(13, 1 * hour, { workspaceId: 2 }),
    ];
    expect(found(trackings)[0]).toMatchObject({
      rule: 'long_work',
      workspaceId: 1,
      timeTrackingId: trackings[1]!.id,
      valueSeconds: 12 * hour,
      elsewhereSeconds: 7 * hour,
    });
  });

  it('counts overlapping work once', () => {
    expect(rulesIn([work(0, 6 * hour), work(0, 6 * hour), work(7, 4 * hour)])).toEqual(['overlap']);
  });
});

describe('a working day', () => {
  it('goes on past midnight with work that begins less than two hours after its end', () => {
    const soon = [work(10, 6 * hour), work(18 - 1 / hour, 5 * hour)];
    expect(found(soon)).toMatchObject([{ rule: 'long_work', date: '2026-03-02', valueSeconds: 11 * hour }]);
    const later = [work(10, 6 * hour), work(18, 5 * hour)];
    expect(found(later)).toMatchObject([{ rule: 'short_rest', date: '2026-03-03', valueSeconds: 2 * hour }]);
  });

  it('has no break of less than 15 minutes', () => {
    expect(rulesIn([work(0, 6.25 * hour, { breaks: [[3, 15]] })])).toEqual([]);
    expect(rulesIn([work(0, 6.25 * hour, { breaks: [[3, 14]] })])).toEqual(['long_stretch', 'short_breaks']);
    expect(rulesIn([work(0, 3 * hour), work(3.25, 3 * hour + 1)])).toEqual(['short_breaks']);
    expect(rulesIn([work(0, 3 * hour), work(3.25 - 1 / hour, 3 * hour + 1)])).toEqual(['long_stretch', 'short_breaks']);
  });

  it('has a break without times in the middle of its time tracking', () => {
    expect(rulesIn([work(0, 12.75 * hour, { forcedBreak: 45 * minute })])).toEqual(['long_work']);
    expect(rulesIn([work(0, 12.75 * hour + 1, { forcedBreak: 45 * minute })])).toEqual(['long_stretch', 'long_work']);
    expect(rulesIn([work(0, 6.2 * hour, { forcedBreak: 14 * minute })])).toEqual(['long_stretch', 'short_breaks']);
  });
});

describe('short breaks', () => {
  it.each([
    [6, 0, []],
    [6.01, 0, ['long_stretch', 'short_breaks']],
    [6.5, 30, []],
    [7, 29, ['short_breaks']],
    [7, 30, []],
    // Nine hours of work with half an hour of break are nine hours and a half at work.
    [9.5, 30, []],
    [9.51, 30, ['short_breaks']],
    [9.75, 45, []],
    [10, 44, ['short_breaks']],
    [10, 45, []],
  ])('%d hours at work with %d minutes of breaks: %s', (hours, minutes, rules) => {
    const breaks = minutes === 0 ? [] : ([[4, minutes]] as const);
    expect(rulesIn([work(0, hours * hour, { breaks })])).toEqual(rules);
  });

  it('names the longer break where both are missing', () => {
    const broken = found([work(0, 10 * hour, { breaks: [[4, 20]] })])[0]!;
    expect(titleOf(broken)).toBe('Too little break');
    expect(messageOf(broken)).toBe(
      'The breaks of 2026-03-02 are 20 minutes. At least 45 minutes are needed. (§ 4 ArbZG)',
    );
  });
});

describe('a long stretch', () => {
  it('is more than 6 hours without a break, whatever comes later', () => {
    expect(rulesIn([work(0, 6 * hour), work(7, 2 * hour)])).toEqual([]);
    const [morning, evening] = [work(0, 6 * hour + 1), work(7, 2 * hour)];
    expect(found([morning, evening])).toMatchObject([{ rule: 'long_stretch', timeTrackingId: morning.id }]);
  });
});

describe('short rest', () => {
  it('is less than 11 hours between two working days', () => {
    expect(rulesIn([work(8, 4 * hour), work(23, 4 * hour)])).toEqual([]);
    expect(rulesIn([work(8, 4 * hour), work(23 - 1 / hour, 4 * hour)])).toEqual(['short_rest']);
  });

  it('is less than 10 hours where the workspace has set it', () => {
    const ten = { settingsOf: (): RuleSettings => ({ ...settings, minimum_rest_hours: 10 }) };
    expect(rulesIn([work(8, 4 * hour), work(22, 4 * hour)], ten)).toEqual([]);
    expect(rulesIn([work(8, 4 * hour), work(22 - 1 / hour, 4 * hour)], ten)).toEqual(['short_rest']);
  });

  it('is no break within a working day', () => {
    expect(rulesIn([work(0, 4 * hour), work(8, 4 * hour)])).toEqual([]);
  });

  it('is not changed by a clock change', () => {
    // Berlin's clocks go forward in the night of 29 March 2026: 22:00 to 09:00 on the wall are ten hours.
    const late = {
      ...work(0, null),
      from: seconds('2026-03-28T18:00:00+01:00'),
      to: seconds('2026-03-28T22:00:00+01:00'),
    };
    const early = {
      ...work(0, null),
      from: seconds('2026-03-29T09:00:00+02:00'),
      to: seconds('2026-03-29T10:00:00+02:00'),
    };
    expect(found([late, early])).toMatchObject([
      { rule: 'short_rest', valueSeconds: 10 * hour },
      { rule: 'sunday_work', valueSeconds: 1 * hour },
    ]);
  });
});

const seconds = (time: string): number => Date.parse(time) / 1000;

describe('a long week', () => {
  const week = (lastSeconds: number) => [
    ...[0, 24, 48, 72, 96].map((from) => work(from, 10.75 * hour, { breaks: [[5, 45]] })),
    work(120, lastSeconds, { breaks: [[5, 45]] }),
  ];

  it('is more than 60 hours from Monday to Sunday', () => {
    expect(rulesIn(week(10.75 * hour))).toEqual([]);
    expect(found(week(10.75 * hour + 1), { settingsOf: only('long_week') })).toMatchObject([
      { rule: 'long_week', date: '2026-03-02', valueSeconds: 60 * hour + 1 },
    ]);
  });
});

describe('work on a day of rest', () => {
  it('is work on a Sunday or a whole holiday, also at the end of a night', () => {
    const settingsOf = only('sunday_work');
    expect(rulesIn([work(0, 8 * hour)], { settingsOf })).toEqual([]);
    // Saturday, from 22:00 on.
    expect(found([work(24 * 5 + 15, 8 * hour)], { settingsOf })).toMatchObject([
      { date: '2026-03-07', valueSeconds: 6 * hour, paragraph: '§ 9 ArbZG' },
    ]);
    const holidays = (factor: number) => new Map([['2026-03-02', { title: 'Holiday', factor }]]);
    expect(rulesIn([work(0, 8 * hour)], { settingsOf, holidays: holidays(1) })).toEqual(['sunday_work']);
    expect(rulesIn([work(0, 8 * hour)], { settingsOf, holidays: holidays(0.5) })).toEqual([]);
  });

  it('is work on a day of absence', () => {
    expect(rulesIn([work(0, 2 * hour)], { absentOn: new Set(['2026-03-02']) })).toEqual(['absence_work']);
    expect(rulesIn([work(0, 2 * hour)], { absentOn: new Set(['2026-03-03']) })).toEqual([]);
  });
});

describe('a user under 18', () => {
  const birthday = '2008-03-03';

  it('works 8 hours at most, until the day before the eighteenth birthday', () => {
    const nine = (from: number) => [work(from, 9 * hour, { breaks: [[4, 60]] })];
    expect(rulesIn(nine(0), { birthday })).toEqual([]);
    const long = (from: number) => [work(from, 9 * hour + 1, { breaks: [[4, 60]] })];
    expect(found(long(0), { birthday })).toMatchObject([{ rule: 'long_work', paragraph: '§ 8 JArbSchG' }]);
    expect(rulesIn(long(24), { birthday })).toEqual([]);
  });

  it('needs longer breaks', () => {
    const settingsOf = only('short_breaks');
    expect(rulesIn([work(0, 4.5 * hour)], { birthday, settingsOf })).toEqual([]);
    expect(rulesIn([work(0, 4.5 * hour + 1)], { birthday, settingsOf })).toEqual(['short_breaks']);
    expect(rulesIn([work(0, 7 * hour + 1, { breaks: [[4, 59]] })], { birthday, settingsOf })).toEqual(['short_breaks']);
  });

  it('needs 12 hours of rest, whatever the workspace has set', () => {
    const settingsOf = (): RuleSettings => ({ ...settings, minimum_rest_hours: 10 });
    const trackings = [work(8, 4 * hour), work(24 - 1 / hour, 1 * hour)];
    expect(rulesIn(trackings, { birthday: '2010-01-01', settingsOf })).toEqual(['short_rest']);
    expect(rulesIn(trackings, { settingsOf })).toEqual([]);
  });

  it('works 40 hours a week at most', () => {
    const days = [0, 24, 48, 72, 96].map((from) => work(from, 9 * hour, { breaks: [[4, 60]] }));
    expect(rulesIn(days, { birthday: '2010-01-01' })).toEqual([]);
    const [first, ...others] = days;
    const longer = [{ ...first!, to: first!.to! + 1 }, ...others];
    expect(rulesIn(longer, { birthday: '2010-01-01', settingsOf: only('long_week') })).toEqual(['long_week']);
  });
});

describe('overlap', () => {
  it('is any second in common, once for a working day', () => {
    expect(rulesIn([work(0, 4 * hour), work(4, 1 * hour)])).toEqual([]);
    expect(rulesIn([work(0, 4 * hour), work(4 - 1 / hour, 1 * hour)])).toEqual(['overlap']);
    expect(found([work(0, 4 * hour), work(1, 1 * hour), work(3, 1 * hour)])).toMatchObject([
      { rule: 'overlap', valueSeconds: 2 * hour },
    ]);
  });

  it('also concerns a running time tracking, up to now', () => {
    expect(rulesIn([work(0, 4 * hour), work(2, null)], {}, 5)).toEqual(['overlap']);
    expect(rulesIn([work(9, null), work(10, 4 * hour)], {}, 9.5)).toEqual([]);
  });
});

describe('a long run', () => {
  it('is more than 16 hours, and the only rule about what has not ended', () => {
    expect(rulesIn([work(0, null)], {}, 16)).toEqual([]);
    expect(rulesIn([work(0, null)], {}, 16 + 1 / hour)).toEqual(['long_running']);
    expect(rulesIn([work(0, 20 * hour, { forcedBreak: hour })]).includes('long_running')).toBe(false);
  });
});

/** Settings in which only one rule warns. */
const only = (rule: Rule) => (): RuleSettings => ({ ...settings, working_time_rules: [rule] });
