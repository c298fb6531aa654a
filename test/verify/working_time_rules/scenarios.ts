import fc from 'fast-check';
import { addDays } from '../../../src/days/calendar/dates.ts';
import { startOfLocalDay } from '../../../src/platform/core/time.ts';
import type { RuleSettings } from '../../../src/organisation/workspaces/rule_settings.ts';
import { words, type Rule } from '../../../src/working_time/working_time_rules/rules.ts';
import type { RecordedWork } from '../../../src/working_time/working_time_rules/working_days.ts';
import { daysOfChange } from '../time_account/watched_clock.ts';

/* Random weeks of work, most of them a second before, at or after a limit. */

export interface Scenario {
  readonly zone: string;
  readonly trackings: readonly RecordedWork[];
  readonly birthday: string | null;
  readonly startOfAccounting: string;
  readonly absentOn: readonly string[];
  /** With their factors. */
  readonly holidays: readonly (readonly [string, number])[];
  readonly settings: Readonly<Record<number, RuleSettings>>;
  readonly now: number;
  readonly mondays: readonly string[];
}

const zones = ['Europe/Berlin', 'Atlantic/Azores', 'America/Havana', 'Pacific/Apia', 'Asia/Beirut', 'UTC'];
const anchors = new Map(
  zones.map((zone) => [zone, [...daysOfChange(zone, 2024, 2026), '2026-03-02', '2026-06-10', '2026-12-31']]),
);

const [minute, hour] = [60, 3600];
const jitter = fc.constantFrom(0, 0, 0, 1, -1);
const around = (seconds: readonly number[]) =>
  fc.tuple(fc.constantFrom(...seconds), jitter).map(([length, more]) => Math.max(1, length + more));

const gap = fc.oneof(
  around([1, 5 * minute, 15 * minute, 30 * minute, 45 * minute, 60 * minute, 2 * hour, 5 * hour]),
  around([10 * hour, 11 * hour, 12 * hour, 13 * hour, 16 * hour, 30 * hour]),
  fc.integer({ min: -3 * hour, max: 20 * hour }),
);
const duration = fc.oneof(
  around([10 * minute, 1 * hour, 2 * hour, 3 * hour, 4 * hour, 4.5 * hour, 5 * hour, 6 * hour, 6.5 * hour]),
  around([8 * hour, 8.5 * hour, 9 * hour, 9.5 * hour, 9.75 * hour, 10 * hour, 10.5 * hour, 10.75 * hour, 20 * hour]),
  fc.integer({ min: 1, max: 12 * hour }),
);
const pause = fc.record({
  share: fc.constantFrom(0, 0.25, 0.4, 0.5, 0.75, 1),
  length: around([10 * minute, 15 * minute, 30 * minute, 45 * minute, 60 * minute]),
});
const shift = fc.record({
  gap,
  duration,
  workspaceId: fc.constantFrom(1, 1, 1, 2, 3),
  pauses: fc.array(pause, { maxLength: 2 }),
  forcedBreak: fc.option(around([0, 10 * minute, 15 * minute, 30 * minute, 45 * minute, 24 * hour]), { freq: 5 }),
});
type Shift = typeof shift extends fc.Arbitrary<infer Value> ? Value : never;

/** Breaks lie inside their time tracking and do not overlap. */
function breaksOf({ pauses }: Shift, from: number, to: number): { from: number; to: number }[] {
  const breaks: { from: number; to: number }[] = [];
  for (const { share, length } of pauses.toSorted((one, other) => one.share - other.share)) {
    const start = Math.max(from + Math.floor((to - from) * share), breaks.at(-1)?.to ?? from);
    const end = Math.min(to, start + length);
    if (end > start) breaks.push({ from: start, to: end });
  }
  return breaks;
}

/** Shifts that follow each other. The last one may still be running. */
function trackingsOf(start: number, shifts: readonly Shift[], isRunning: boolean): RecordedWork[] {
  let end = start;
  return shifts.map((one, index) => {
    const from = end + one.gap;
    const to = from + one.duration;
    end = Math.max(end, to);
    const isLast = index === shifts.length - 1;
    return {
      id: index + 1,
      workspaceId: one.workspaceId,
      from,
      to: isLast && isRunning ? null : to,
      breaks: breaksOf(one, from, to),
      forcedBreak: one.forcedBreak,
    };
  });
}

export const allRules = Object.keys(words) as Rule[];

const settings: fc.Arbitrary<RuleSettings> = fc.record({
  working_time_rules: fc.oneof(fc.constant(allRules), fc.subarray([...allRules])),
  minimum_rest_hours: fc.constantFrom(10 as const, 11 as const),
});

const dates = (anchor: string) =>
  fc.uniqueArray(
    fc.integer({ min: -1, max: 9 }).map((days) => addDays(anchor, days)),
    { maxLength: 3 },
  );

/** A week or two of any user. */
export const anyWeek: fc.Arbitrary<Scenario> = fc
  .constantFrom(...zones)
  .chain((zone) => fc.tuple(fc.constant(zone), fc.constantFrom(...anchors.get(zone)!)))
  .chain(([zone, anchor]) => {
    const start = Math.floor(startOfLocalDay(anchor, zone).getTime() / 1000);
    return fc
      .record({
        shifts: fc.array(shift, { minLength: 1, maxLength: 12 }),
        offset: fc.integer({ min: -30, max: 30 }).map((steps) => steps * hour),
        isRunning: fc.boolean(),
        runs: around([1 * hour, 16 * hour, 17 * hour]),
        age: fc.option(fc.integer({ min: -3, max: 12 }), { freq: 2 }),
        absentOn: dates(anchor),
        holidays: fc
          .tuple(dates(anchor), fc.constantFrom(0.5, 1))
          .map(([days, factor]) => days.map((date) => [date, factor] as const)),
        settings: fc.record({ 1: settings, 2: settings, 3: settings }),
      })
      .map(({ shifts, offset, isRunning, runs, age, ...rest }) => {
        const trackings = trackingsOf(start + offset, shifts, isRunning);
        const eighteenth = addDays(anchor, age ?? 0);
        return {
          ...rest,
          zone,
          trackings,
          birthday: age === null ? null : `${Number(eighteenth.slice(0, 4)) - 18}${eighteenth.slice(4)}`,
          startOfAccounting: '2020-01-01',
          now: trackings.at(-1)!.from + runs,
          mondays: [],
        };
      });
  });

/** Half a year of a user whose average is close to the limit. */
export const anyHalfYear: fc.Arbitrary<Scenario> = fc
  .record({
    zone: fc.constantFrom(...zones),
    weeks: fc.array(fc.record({ days: fc.integer({ min: 4, max: 6 }), more: jitter }), {
      minLength: 26,
      maxLength: 26,
    }),
    startOfAccounting: fc.constantFrom('2020-01-01', '2026-01-05', '2026-01-06', '2026-01-12'),
    total: fc.constantFrom(24, 40, 48, 48, 50),
    workspaceId: fc.constantFrom(1, 2),
    settings: fc.record({ 1: settings, 2: settings, 3: settings }),
  })
  .map(({ zone, weeks, total, workspaceId, ...rest }) => {
    const mondays = weeks.map((_week, index) => addDays('2026-01-05', 7 * index));
    const trackings = weeks.flatMap(({ days, more }, week) =>
      Array.from({ length: days }, (_day, day) => {
        const from = startOfLocalDay(addDays(mondays[week]!, day), zone).getTime() / 1000 + 9 * hour;
        const length = (total / days) * hour + (day === 0 ? more : 0);
        return {
          id: week * 10 + day + 1,
          workspaceId: day === 1 ? 3 : workspaceId,
          from,
          to: from + length,
          breaks: [],
          forcedBreak: null,
        };
      }),
    );
    return { ...rest, zone, trackings, birthday: null, absentOn: [], holidays: [], now: 0, mondays };
  });
